#!/usr/bin/env python3
"""Executes what a page of the documentation shows.

    pages.py PAGE --pliant PROGRAM [--text-runner PROGRAM] [--encoder FILE]

Every fenced block has to say what it is, and is executed in the order of the page, in one empty folder:

    python    in one namespace per page
    console   `$ ` before each command; what the command prints is compared with what follows it
    sh        has to succeed
    pasm      is assembled; its lines `; run:` and `; fails:` are expectations, as in tests/run
    cpp       is a quote of a program that cmake builds
    text      what the block before it printed

A comment in front of a block may say more:

    <!-- file: requests.txt -->       the block is written to this file, for what follows it
    <!-- quote: examples/hello.cc --> the block stands in that file (tools/check_quotes.py)
    <!-- not run: why -->             nothing is done with it

A line `…` stands for any lines. Times, rates and the cache that a kernel was fitted to differ from
machine to machine: MEASURED says what is not compared. A command has to fail exactly if the page
shows its `error:`.

Pages with Python are executed by python/tests, where the package is installed; this program leaves
them alone (exit status 77) after it has looked at the form of their blocks.
"""

import argparse
import contextlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
LANGUAGES = {"python", "console", "sh", "pasm", "cpp", "cmake", "text"}
NEEDS_PYTHON = 77
BLOCK = re.compile(r"^(?:<!-- (quote|file|not run): ([^\n]*?) -->\n)?^```([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)

# What differs between two runs on one machine, or between machines and builds: the value goes, its words stay.
MEASURED = [
    (re.compile(r"\b(cpu_level|CPU level) \w+, (threads \d+|\d+ threads)"), r"\1 #, # threads"),
    (re.compile(r"\bsteps, \d+ bytes"), "steps, # bytes"),  # of a plan: the size of our own structs
    (re.compile(r"\b\d+\.\d KiB"), "# KiB"),  # the same in the report of bench
    (re.compile(r"\b(milliseconds|microseconds) \d+(\.\d+)?"), r"\1 #"),
    (re.compile(r"\b\d+(\.\d+)? (ms|µs|s)\b"), r"# \2"),
    (re.compile(r"\b\d+ rows stay in L2"), "# rows stay in L2"),
    (re.compile(r"(?<=\s)\d+\.\d{3}(?=\s)"), "#"),  # columns of milliseconds in the table of bench
    (re.compile(r"(?<=\s)\d+\.\d(?=\s+(any|bucketed|exact|interpreter)\b)"), "#"),  # and its runs per second
]


class Block(NamedTuple):
    line: int
    language: str
    text: str
    mark: str  # "quote", "file", "not run" or ""
    value: str  # what stands behind the mark


class Failure(Exception):
    pass


def pages():
    """The pages that this is about: all but records, what is generated, and the maintainers' pages."""
    return [ROOT / "README.md", ROOT / "python/README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks_of(text):
    found = []
    for match in BLOCK.finditer(text):
        line = text.count("\n", 0, match.start(4))
        found.append(Block(line, match[3].strip(), match[4], match[1] or "", match[2] or ""))
    if len(found) * 2 != len(re.findall(r"^ *(?:```|~~~)", text, re.MULTILINE)):
        raise Failure("a block is indented, or not closed")
    return found


def check_form(block):
    if block.mark == "not run":
        if len(block.value.split()) < 3:
            raise Failure("the mark gives no reason")
    elif block.mark == "file":
        if block.language not in ("text", "pasm") or "/" in block.value:
            raise Failure("a file is text or pasm, and lies in the folder of the page")
    elif block.language not in LANGUAGES:
        raise Failure(f"a block of '{block.language}' is neither executed nor marked with a reason")
    elif block.language in ("cpp", "cmake") and block.mark != "quote":
        raise Failure(f"a {block.language} block has to quote a file that is built")


def has_python(blocks):
    return any(block.language == "python" and block.mark != "not run" for block in blocks)


def comparable(text):
    """The lines with what is measured taken out, and columns closed up."""
    lines = []
    for line in text.rstrip().splitlines():
        for pattern, word in MEASURED:
            line = pattern.sub(word, line)
        lines.append(" ".join(line.split()))
    return lines


def agrees(shown, printed):
    """Whether the lines agree; `…` stands for any number of them."""
    if not shown:
        return not printed
    if shown[0] == "…":
        return any(agrees(shown[1:], printed[start:]) for start in range(len(printed) + 1))
    return bool(printed) and shown[0] == printed[0] and agrees(shown[1:], printed[1:])


def compare(shown, printed):
    if shown.strip() and not shown.replace("…", "").strip():
        raise Failure("all of the output is left out, so nothing is compared")
    if not agrees(comparable(shown), comparable(printed)):
        raise Failure(f"the page shows\n{shown.rstrip()}\nbut this was printed\n{printed.rstrip()}")


def commands_of(text):
    """(command, what the page shows of its output) for each."""
    if not text.startswith("$ "):
        raise Failure("a console block begins with `$ ` and a command")
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        lines = part.splitlines(keepends=True)
        length = 1
        while lines[length - 1].endswith("\\\n"):
            length += 1
        yield "".join(lines[:length]), "".join(lines[length:])


class Execution:
    """One page being executed."""

    def __init__(self, folder, pliant, text_runner=None, encoder=None):
        self.folder = folder
        self.text_runner = text_runner
        self.names = {"__name__": "__main__"}
        self.printed = None
        self.environment = {**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "200"}
        self.environment.pop("PLIANT_THREADS", None)
        self.environment["PATH"] = f"{pathlib.Path(pliant).resolve().parent}:{os.environ['PATH']}"
        # README.md stands in a clone where `./dev demo` was run.
        release = folder / "build/release"
        (release / "cli").mkdir(parents=True)
        (release / "cli/pliant").symlink_to(pathlib.Path(pliant).resolve())
        if encoder:
            shutil.copy(encoder, release / "encoder.onnx")

    def execute(self, block):
        check_form(block)
        if block.mark == "not run":
            self.printed = None
            return
        if block.mark == "file":
            (self.folder / block.value).write_text(block.text)
        if block.mark == "quote":
            self.check_quote(block)
        if block.language not in ("cpp", "cmake") and (block.mark, block.language) != ("file", "text"):
            getattr(self, "execute_" + block.language)(block)

    def check_quote(self, block):
        source = ROOT / block.value
        self.names["__file__"] = str(source)
        if "\n" + block.text not in "\n" + source.read_text():
            raise Failure(f"the quote differs from {block.value}")
        if block.language == "cpp" and source.name not in (source.parent / "CMakeLists.txt").read_text():
            raise Failure(f"{block.value} is quoted, but not built")

    def shell(self, command):
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command], cwd=self.folder, env=self.environment, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120,
        )  # fmt: skip
        return done.returncode, done.stdout

    def execute_sh(self, block):
        status, self.printed = self.shell(block.text)
        if status != 0:
            raise Failure(f"exit status {status}:\n{self.printed}")

    def execute_console(self, block):
        self.printed = None
        for command, shown in commands_of(block.text):
            status, printed = self.shell(command)
            compare(shown, printed)
            if (status != 0) != ("error:" in shown):
                raise Failure(f"exit status {status} of {command}")

    def execute_pasm(self, block):
        source = self.folder / "block.pasm"
        heading = "" if block.text.startswith(";;; ") else ";;; block\n"
        source.write_text(heading + block.text)
        expects = re.search(r"^; (run|fails):", block.text, re.MULTILINE)
        if expects and not self.text_runner:
            raise Failure("only ctest knows expectations of assembly, and it leaves pages with Python alone")
        if expects:
            status, printed = self.shell(f"{self.text_runner} run {source.name}")
        else:
            status, printed = self.shell(f"pliant verify {source.name}")
        self.printed = None
        if status != 0:
            raise Failure(printed)

    def execute_python(self, block):
        output = io.StringIO()
        # Tracebacks name the line of the page.
        code = compile("\n" * block.line + block.text, "page", "exec")
        before = pathlib.Path.cwd()
        os.chdir(self.folder)
        try:
            with contextlib.redirect_stdout(output):
                exec(code, self.names)  # noqa: S102
        finally:
            os.chdir(before)
        self.printed = output.getvalue()

    def execute_text(self, block):
        if self.printed is None:
            raise Failure("no block printed this")
        compare(block.text, self.printed)


def for_each_block(page, action):
    """A failure names the page and the line."""
    for block in blocks_of(page.read_text()):
        try:
            action(block)
        except Failure as failure:
            raise Failure(f"{page.name}:{block.line}: {failure}") from None
        except Exception as error:
            raise Failure(f"{page.name}:{block.line}: {type(error).__name__}: {error}") from error


def execute_page(page, execution):
    for_each_block(page, execution.execute)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--pliant", required=True)
    parser.add_argument("--text-runner")
    parser.add_argument("--encoder")
    arguments = parser.parse_args()
    for_each_block(arguments.page, check_form)
    blocks = blocks_of(arguments.page.read_text())
    if has_python(blocks):
        print("this page has Python: ./dev python executes it")
        return NEEDS_PYTHON
    with tempfile.TemporaryDirectory() as folder:
        execution = Execution(pathlib.Path(folder), arguments.pliant, arguments.text_runner, arguments.encoder)
        execute_page(arguments.page, execution)
    print(f"{len(blocks)} blocks agree with the page")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(str(failure))
