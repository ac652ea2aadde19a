// The program `pliant` as a user starts it: what it prints, writes and ends with.

#include <gmock/gmock.h>

#include <filesystem>

#include "cli/program_fixture.h"

namespace pliant::cli {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kModel = R"(.input ids i64[batch, seq]
.input x f32[batch, seq]
.output sum
.output "plain ids"
LOAD_TENSOR r0, ids
LOAD_TENSOR r1, x
CAST r2, r0, to=f32
ELEMENTWISE_ADD r3, r1, r2
STORE_TENSOR sum, r3
STORE_TENSOR "plain ids", r0
)";

TEST_F(ProgramTest, HelpIsForPeople) {
  const Outcome help = pliant("--help");
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.out, AllOf(HasSubstr("Examples"), HasSubstr("run"), HasSubstr("bench")));
  for (const std::string command :
       {"run", "bench", "explain", "profile", "import", "asm", "disasm", "verify", "version"}) {
    const Outcome about = pliant(command + " --help");
    EXPECT_EQ(about.code, 0) << command;
    EXPECT_THAT(about.out.substr(about.out.find("Example")), HasSubstr("pliant " + command));
    EXPECT_THAT(about.out, Not(HasSubstr("`pliant COMMAND --help`"))) << command;
  }
  EXPECT_THAT(pliant("version").out, HasSubstr("pliant "));
}

TEST_F(ProgramTest, VerifyListsWhatGoesInAndOut) {
  folder_.write("m.pasm",
                ".const c f32[2] = full(1)\n.input x f32[n, 2]\n.input o f32[2] = c\n"
                ".input any f32[...]\n.output places\n.output twice\n.output same\n"
                "LOAD_TENSOR r0, x\nLOAD_TENSOR r1, any\nNON_ZERO r2, r0\n"
                "CONCAT r3, [r0, r0], axis=0\nSTORE_TENSOR places, r2\nSTORE_TENSOR twice, r3\n"
                "STORE_TENSOR same, r1\n");
  EXPECT_THAT(pliant("verify m.pasm").out, StartsWith("input   x       f32[n, 2]\n"
                                                      "input   o       f32[2] (optional)\n"
                                                      "input   any     f32[...]\n"
                                                      "output  places  i64[2, ?]\n"
                                                      "output  twice   f32[(n + n), 2]\n"
                                                      "output  same    f32[...]\n"));
}

TEST_F(ProgramTest, AWrongCommandLineIsAUserError) {
  for (const std::string arguments : {"", "frobnicate", "run", "run --no-such-option x.pasm",
                                      "asm m.pasm", "bench m.pasm --runs 0"}) {
    const Outcome outcome = pliant(arguments);
    EXPECT_EQ(outcome.code, 1) << arguments;
    EXPECT_NE(outcome.err, "") << arguments;
  }
}

TEST_F(ProgramTest, NumbersThatDoNotFitAreRefused) {
  folder_.write("m.pasm", kModel);
  for (const std::string option : {"--max-bytes -1", "--max-bytes 99999999999999999999",
                                   "--seed -1", "--seed 99999999999999999999"}) {
    const Outcome outcome = pliant("run m.pasm --random batch=1,seq=1 " + option);
    EXPECT_EQ(outcome.code, 1) << option;
    EXPECT_THAT(outcome.err, AnyOf(HasSubstr("must not be negative"), HasSubstr("too large")));
  }
  EXPECT_THAT(pliant("disasm m.pasm --max-elements -1").err, HasSubstr("must not be negative: -1"));
  EXPECT_EQ(pliant("run m.pasm --random batch=1,seq=1 --max-bytes 1kb").code, 0);
}

TEST_F(ProgramTest, SaysWhichCommandItDoesNotKnow) {
  EXPECT_THAT(pliant("frobnicate m.pasm").err, HasSubstr("error: there is no command frobnicate"));
}

TEST_F(ProgramTest, OutputThatCannotBeWrittenIsAnError) {
  folder_.write("m.pasm", kModel);
  const std::string run = "run m.pasm --random batch=1,seq=1";
  for (const std::string& command : {std::string("disasm m.pasm"), std::string("verify m.pasm"),
                                     std::string("version"), std::string("--help"), run}) {
    const Outcome outcome = pliant("version > /dev/null && '" PLIANT_PROGRAM "' " + command +
                                   " > /dev/full 2> full.txt; echo $? > code.txt; true");
    EXPECT_EQ(folder_.read("code.txt"), "1\n") << command;
    EXPECT_THAT(folder_.read("full.txt"), HasSubstr("standard output")) << command;
  }
  EXPECT_EQ(pliant(run + " --output ''").code, 1);
}

TEST_F(ProgramTest, NamesCannotSteerTheTerminal) {
  folder_.write("m.pasm", R"(.input "a\x1b[2J\nb" f32[]
.output "o\x1b[2J"
LOAD_TENSOR r0, "a\x1b[2J\nb"
STORE_TENSOR "o\x1b[2J", r0
)");
  for (const std::string command : {"verify m.pasm", "run m.pasm --random", "run m.pasm"}) {
    const Outcome outcome = pliant(command);
    EXPECT_THAT(outcome.out + outcome.err, AllOf(HasSubstr("?[2J"), Not(HasSubstr("\x1b"))));
  }
}

TEST_F(ProgramTest, AFailedWriteKeepsTheFileThatWasThere) {
  folder_.write("m.pasm", kModel);
  folder_.write("old.pasm", "precious");
  // The shell's limit on file sizes, in blocks of 512 bytes, stands in for a full disk.
  const Outcome outcome =
      pliant("version > /dev/null && (trap '' XFSZ; ulimit -f 0; '" PLIANT_PROGRAM
             "' import m.pasm -o old.pasm --force 2> /dev/null)");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(folder_.read("old.pasm"), "precious");
  std::filesystem::create_symlink("old.pasm", folder_ / "link.pasm");
  EXPECT_EQ(pliant("import m.pasm -o link.pasm --force").code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link.pasm"));
  EXPECT_THAT(folder_.read("old.pasm"), HasSubstr("ELEMENTWISE_ADD"));
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / ".")) {
    EXPECT_THAT(entry.path().extension().string(), Not(".part"));
  }
}

TEST_F(ProgramTest, RunsWithRandomInputsAndPrintsATable) {
  folder_.write("m.pasm", kModel);
  const Outcome outcome = pliant("run m.pasm --random batch=2,seq=3 --range ids=5..5");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("sum"), HasSubstr("f32[2, 3]"), HasSubstr("plain ids"),
                                 HasSubstr("5 5 5 5 5 5")));
  EXPECT_EQ(pliant("run m.pasm --quiet --random batch=2,seq=3").out, "");
  EXPECT_EQ(outcome.out, pliant("run m.pasm --random batch=2,seq=3 --range ids=5..5").out);
}

TEST_F(ProgramTest, ReadsInputsAndWritesOutputsInOrder) {
  folder_.write("m.pasm", kModel);
  write_npy_file("ids=1.npy", DType::kI64, {1, 2});
  write_npy_file("x.npy", DType::kF32, {1, 2});
  const Outcome outcome = pliant("run m.pasm --input x=x.npy --input ids=./ids=1.npy --output a/b");
  EXPECT_EQ(outcome.code, 1);  // split at the last `=`: "ids=./ids" is no input
  EXPECT_THAT(outcome.err, HasSubstr("cannot open 1.npy"));
  std::filesystem::rename(folder_ / "ids=1.npy", folder_ / "ids.npy");
  const Outcome again = pliant("run m.pasm --input x=x.npy --input ids=ids.npy --output a/b");
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(read_npy_file("a/b/output_0.npy").dtype(), DType::kF32);
  EXPECT_EQ(read_npy_file("a/b/output_1.npy").dtype(), DType::kI64);
  EXPECT_THAT(read_npy_file("a/b/output_0.npy").shape(), ElementsAre(1, 2));
}

TEST_F(ProgramTest, RandomInputsTakeSymbolsFromFiles) {
  folder_.write("m.pasm", kModel);
  write_npy_file("x.npy", DType::kF32, {2, 3});
  const Outcome outcome = pliant("run m.pasm --input x=x.npy --random");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("i64[2, 3]"));
}

TEST_F(ProgramTest, SaysWhichSymbolsAreMissingOrUnknown) {
  folder_.write("m.pasm", kModel);
  const Outcome missing = pliant("run m.pasm --random");
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.err, HasSubstr("needs extents for: batch, seq"));
  const Outcome unknown = pliant("run m.pasm --random batch=1,seq=2,frames=3");
  EXPECT_EQ(unknown.code, 1);
  EXPECT_THAT(unknown.err, AllOf(HasSubstr("'frames'"), HasSubstr("batch, seq")));
  EXPECT_THAT(pliant("run m.pasm --random batch=1,seq=2 --range y=0..1").err, HasSubstr("'y'"));
}

TEST_F(ProgramTest, ErrorsNameThePlaceAndShowTheLine) {
  folder_.write("bad.pasm", ".output y\nNO_SUCH_THING r0\n");
  const Outcome outcome = pliant("verify bad.pasm");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err,
              AllOf(HasSubstr("bad.pasm:2:1"), HasSubstr("2 | NO_SUCH_THING r0"), HasSubstr("^")));
}

TEST_F(ProgramTest, WrongFilesAndInputsAreUserErrors) {
  folder_.write("m.pasm", kModel);
  folder_.write("text.npy", "not an array");
  write_npy_file("ids.npy", DType::kI64, {1, 2});
  write_npy_file("x.npy", DType::kF32, {1, 3});
  EXPECT_EQ(pliant("run missing.onnx").code, 1);
  EXPECT_THAT(pliant("run m.txt").err, HasSubstr(".pasm"));
  EXPECT_THAT(pliant("run m.pasm --input x=text.npy").err, HasSubstr("not a .npy file"));
  EXPECT_THAT(pliant("run m.pasm --input y=x.npy").err, HasSubstr("unknown input 'y'"));
  EXPECT_THAT(pliant("run m.pasm --input x=ids.npy --input ids=ids.npy").err,
              HasSubstr("given i64"));
  const Outcome symbols = pliant("run m.pasm --input x=x.npy --input ids=ids.npy");
  EXPECT_EQ(symbols.code, 1);
  EXPECT_THAT(symbols.err, HasSubstr("symbol 'seq' has two values"));
  EXPECT_THAT(pliant("run m.pasm --random batch=1,seq=1 --threads 1000").err, HasSubstr("threads"));
  EXPECT_THAT(pliant("run m.pasm --random batch=1,seq=1 --cpu-level best").err,
              HasSubstr("portable"));
}

TEST_F(ProgramTest, AssemblesDisassemblesAndVerifies) {
  folder_.write("m.pasm", kModel);
  EXPECT_EQ(pliant("asm m.pasm -o m.pbc").code, 0);
  const Outcome refused = pliant("asm m.pasm -o m.pbc");
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("m.pbc"));
  EXPECT_EQ(pliant("asm m.pasm -o m.pbc --force").code, 0);
  const Outcome text = pliant("disasm m.pbc");
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("ELEMENTWISE_ADD"), HasSubstr("\"plain ids\"")));
  folder_.write("again.pasm", text.out);
  EXPECT_EQ(pliant("disasm again.pasm").out, text.out);
  const Outcome valid = pliant("verify m.pbc");
  EXPECT_EQ(valid.code, 0);
  EXPECT_THAT(valid.out, AllOf(HasSubstr("i64[batch, seq]"), HasSubstr("6 instructions")));
  EXPECT_EQ(pliant("run m.pbc --random batch=2,seq=3").out,
            pliant("run m.pasm --random batch=2,seq=3").out);
}

TEST_F(ProgramTest, ImportWritesBytecodeOrAssembly) {
  folder_.write("m.pasm", kModel);
  EXPECT_EQ(pliant("import m.pasm -o copy.pbc").code, 0);
  EXPECT_EQ(pliant("import copy.pbc -o copy.pasm").code, 0);
  EXPECT_EQ(pliant("import copy.pbc -o copy.pasm").code, 1);
  EXPECT_EQ(pliant("import copy.pbc -o copy.pasm --force").code, 0);
  EXPECT_EQ(pliant("import m.pasm -o copy.txt").code, 1);
  EXPECT_EQ(pliant("import m.pasm -o no_such_folder/copy.pbc").code, 1);
  EXPECT_FALSE(exists("copy.txt"));
}

TEST_F(ProgramTest, BenchPrintsARowForEachCombination) {
  folder_.write("m.pasm", kModel);
  const Outcome outcome =
      pliant("bench m.pasm --sizes batch=1,2 --sizes seq=16,32 --runs 3 --warm-up 1");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              AllOf(HasSubstr("p99"), HasSubstr("batch=1,seq=16"), HasSubstr("batch=2,seq=32")));
  EXPECT_EQ(pliant("bench m.pasm --random batch=1 --sizes seq=a").code, 1);
  EXPECT_THAT(pliant("bench m.pasm --random batch=1").err, HasSubstr("seq"));
}

TEST_F(ProgramTest, VerboseTellsWhatHappens) {
  folder_.write("m.pasm", kModel);
  EXPECT_THAT(pliant("run m.pasm --random batch=1,seq=1 --verbose").err,
              HasSubstr("instructions 6"));
  EXPECT_THAT(pliant("run m.pasm --random batch=1,seq=1").err, Not(HasSubstr("load")));
}

}  // namespace
}  // namespace pliant::cli
