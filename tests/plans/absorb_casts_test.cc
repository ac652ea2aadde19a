// Norms and softmax between casts give the bits of f32 work that is rounded at the end.

#include <gmock/gmock.h>

#include "plans/plans_fixture.h"

namespace pliant {
namespace {

using namespace ::pliant::testing;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(AbsorbCasts, KeepsEveryBit) {
  for (const std::string type : {"f16", "bf16"}) {
    for (const std::string row :
         {"SOFTMAX r4, r3", "LOG_SOFTMAX r4, r3", "LAYER_NORM r4, r3", "RMS_NORM r4, r3",
          "LAYER_NORM r4, r3, scale=r6, bias=r6", "RMS_NORM r4, r3, scale=r6, axis=1",
          "GROUP_NORM r4, r3, r6, r6, groups=1"}) {
      SCOPED_TRACE(type + " " + row);
      const std::string program =
          ".input x f32[n, m, k]\n.input p f32[k]\n.output y\n"
          "LOAD_TENSOR r0, x\nLOAD_TENSOR r1, p\n"
          "CAST r2, r0, to=" +
          type +
          "\nCAST r3, r2, to=f32\n"
          "CAST r5, r1, to=" +
          type + "\nCAST r6, r5, to=f32\n" + row + "\nCAST r7, r4, to=" + type +
          "\nSTORE_TENSOR y, r7\n";
      auto model = Model::from_assembly(program, "m.pasm");
      ASSERT_TRUE(model) << model.error().to_string();
      auto session = Session::create(*model, strict_options());
      ASSERT_TRUE(session) << session.error().to_string();
      for (const std::int64_t width : {1, 5, 16, 133}) {
        // As many channels as a parameter has elements, for the norm of groups.
        const std::vector<NamedTensor> inputs = {{"x", ramp({3, width, width})},
                                                 {"p", ramp({width}, 0.3f)}};
        run_everywhere(*session, inputs);
        const auto text = session->explain(inputs, {});
        ASSERT_TRUE(text) << text.error().to_string();
        EXPECT_THAT(*text, Not(HasSubstr("to=f32")));
      }
    }
  }
}

}  // namespace
}  // namespace pliant
