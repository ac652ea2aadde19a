"""`pliant` and `python -m pliant`: the command line program of the C++ library, which the package
brings along. One program, so that both do the same; `pliant --help` lists its commands."""

import os
import pathlib
import sys


def main() -> None:
    program = pathlib.Path(__file__).with_name("bin") / "pliant"
    sys.stdout.flush()
    os.execv(program, ["pliant", *sys.argv[1:]])


if __name__ == "__main__":
    main()
