"""pages.py executes what pages show, and notices each way in which they can be wrong."""

import pathlib
import re
import sys
import tempfile
import unittest

import pages

PLIANT, TEXT_RUNNER = map(pathlib.Path, (sys.argv.pop(1), sys.argv.pop(1)))

ROW_SUMS = """.input x f32[rows, columns]
.output y
LOAD_TENSOR r0, x
REDUCE_SUM r1, r0, axis=1
STORE_TENSOR y, r1
"""


def fenced(language, text, comment=""):
    return f"{comment}\n```{language}\n{text}```\n"


def execute(*blocks):
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "page.md")
        page.write_text("# Page\n" + "\n".join(blocks))
        work = pathlib.Path(folder, "work")
        work.mkdir()
        pages.execute_page(page, pages.Execution(work, PLIANT, TEXT_RUNNER))


class Pages(unittest.TestCase):
    def assert_refused(self, words, *blocks):
        with self.assertRaises(pages.Failure) as caught:
            execute(*blocks)
        self.assertIn(words, str(caught.exception))
        self.assertIn("page.md:", str(caught.exception))

    def test_console_output(self):
        execute(fenced("console", "$ echo a b; echo c\na b\nc\n$ echo \\\n  d\nd\n"))
        self.assert_refused("but this was printed\na b", fenced("console", "$ echo a b\na c\n"))
        self.assert_refused("but this was printed", fenced("console", "$ echo a\n"))
        self.assert_refused("begins with `$ `", fenced("console", "echo a\n"))

    def test_lines_left_out(self):
        execute(fenced("console", "$ seq 5\n1\n…\n4\n5\n"))
        self.assert_refused("the page shows", fenced("console", "$ seq 5\n1\n…\n6\n"))
        self.assert_refused("nothing is compared", fenced("console", "$ seq 5\n…\n"))

    def test_a_command_fails_if_the_page_shows_its_error(self):
        execute(fenced("console", "$ echo error: no; exit 1\nerror: no\n"))
        self.assert_refused("exit status 0", fenced("console", "$ echo error: no\nerror: no\n"))
        self.assert_refused("exit status 1", fenced("console", "$ echo yes; exit 1\nyes\n"))

    def test_only_what_is_measured_may_differ(self):
        execute(fenced("console", "$ echo 'took 12.5 ms, microseconds 3'\ntook 7 ms, microseconds 99\n"))
        execute(fenced("console", "$ echo 'cpu_level avx2, threads 2'\ncpu_level portable, threads 16\n"))
        self.assert_refused("the page shows", fenced("console", "$ echo 12 runs\n13 runs\n"))
        self.assert_refused("the page shows", fenced("console", "$ echo 12 bytes\n13 bytes\n"))
        self.assert_refused("the page shows", fenced("console", "$ echo 12 ms\n12 s\n"))
        self.assert_refused("the page shows", fenced("console", "$ echo mean 0.125\nmean 0.126\n"))

    def test_shell(self):
        execute(fenced("sh", "pliant version\n"))
        self.assert_refused("exit status 1", fenced("sh", "false\ntrue\n"))

    def test_assembly_is_assembled_and_run(self):
        execute(fenced("pasm", ROW_SUMS))
        execute(fenced("pasm", ROW_SUMS + "; run: x=[[1 2] [3 4]] -> y=[3 7]\n"))
        self.assert_refused("y", fenced("pasm", ROW_SUMS + "; run: x=[[1 2] [3 4]] -> y=[3 8]\n"))
        self.assert_refused("verification error", fenced("pasm", ROW_SUMS.replace("y, r1", "y, r7")))

    def test_files_are_there_for_later_blocks(self):
        execute(
            fenced("pasm", ROW_SUMS, "<!-- file: sums.pasm -->"),
            fenced("text", "one\n", "<!-- file: note.txt -->"),
            fenced("console", "$ cat note.txt; ls\none\nblock.pasm\nbuild\nnote.txt\nsums.pasm\n"),
        )
        self.assert_refused("text or pasm", fenced("json", "{}\n", "<!-- file: a.json -->"))

    def test_python_in_one_namespace(self):
        execute(fenced("python", "a = 1\n"), fenced("python", "print(a + 1)\n"), fenced("text", "2\n"))
        self.assert_refused("the page shows", fenced("python", "print(1)\n"), fenced("text", "2\n"))
        self.assert_refused("NameError", fenced("python", "print(b)\n"))

    def test_text_without_a_source(self):
        self.assert_refused("no block printed this", fenced("text", "2\n"))

    def test_quotes(self):
        line = "int main(int argc, char** argv) {\n"
        execute(fenced("cpp", line, "<!-- quote: examples/hello.cc -->"))
        self.assert_refused("differs", fenced("cpp", "int main()\n", "<!-- quote: examples/hello.cc -->"))
        self.assert_refused("has to quote", fenced("cpp", line))

    def test_every_block_says_what_it_is(self):
        self.assert_refused("neither executed nor marked", fenced("", "anything\n"))
        execute(fenced("", "anything\n", "<!-- not run: this is a grammar -->"))
        self.assert_refused("gives no reason", fenced("", "anything\n", "<!-- not run: grammar -->"))
        with self.assertRaisesRegex(pages.Failure, "not closed"):
            execute("  ```python\n  print(1)\n  ```\n")
        with self.assertRaisesRegex(pages.Failure, "not closed"):
            execute("~~~python\nprint(1)\n~~~\n")


class Documentation(unittest.TestCase):
    def test_few_blocks_are_not_run(self):
        marked = [
            (page.name, block.value)
            for page in pages.pages()
            for block in pages.blocks_of(page.read_text())
            if block.mark == "not run"
        ]
        self.assertLessEqual(len(marked), 12, marked)

    def test_every_page_is_in_the_navigation(self):
        navigation = (pages.ROOT / "mkdocs.yml").read_text()
        for page in (pages.ROOT / "docs").glob("*.md"):
            self.assertRegex(navigation, rf"(?m)^ .*: docs/{re.escape(page.name)}$")


if __name__ == "__main__":
    unittest.main()
