"""tools/check_quotes.py accepts exact quotes and finds others."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(sys.argv.pop(1))


def check(quoted, source):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "source.txt")
        path.write_text(source)
        document = pathlib.Path(folder, "page.md")
        document.write_text(f"# Page\n<!-- quote: {path} -->\n```\n{quoted}```\n")
        return subprocess.run(
            [sys.executable, TOOLS / "check_quotes.py", document], capture_output=True, text=True, check=False
        ).returncode


class CheckQuotes(unittest.TestCase):
    def test_whole_file(self):
        self.assertEqual(check("a\nb\n", "a\nb\n"), 0)

    def test_part(self):
        self.assertEqual(check("b\n", "a\nb\nc\n"), 0)

    def test_changed_line(self):
        self.assertEqual(check("b\n", "a\nB\n"), 1)

    def test_part_of_a_line(self):
        self.assertEqual(check("b\n", "ab\n"), 1)


if __name__ == "__main__":
    unittest.main()
