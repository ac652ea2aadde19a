"""Runs the same traffic through Pliant and through other runtimes, and writes the table and the figure.

    python3 bench/peers/compare.py [--threads N] [--repeat] [--quick] [--workloads NAME …] …

Makes its own environment outside the tree: $XDG_CACHE_HOME/pliant-peers, or what --environment says. Peers that
pip cannot get are named in the output. A run of everything writes docs/benchmarks.*, any other one
build/peers/benchmarks.*, unless --output says where. `--help-measuring` lists the options of the measuring.
"""

import argparse
import os
from pathlib import Path

import environment


def parse_arguments():
    """(own arguments, those for measure.py)"""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--environment", type=Path, default=environment.default_folder(), help="folder of the venv")
    parser.add_argument(
        "--pliant-prefix", type=Path, help="an installed Pliant library of this clone; without, it is compiled"
    )
    parser.add_argument("--no-install", action="store_true", help="takes the environment as it is")
    parser.add_argument("--help-measuring", action="store_true", help="lists further options, and ends")
    return parser.parse_known_args()


def main():
    own, others = parse_arguments()
    folder = own.environment.resolve()
    if not own.no_install:
        environment.install(folder, own.pliant_prefix.resolve() if own.pliant_prefix else None)
    command = " ".join(["python3 bench/peers/compare.py", *others])
    whole = not {"--quick", "--workloads", "--runtimes"}.intersection(others)
    output = environment.ROOT / ("docs" if whole else "build/peers")
    arguments = [environment.python_of(folder), Path(__file__).with_name("measure.py"), "--command", command]
    arguments += ["--missing", environment.missing_file(folder), "--output", output, *others]
    if own.help_measuring:
        arguments.append("--help")
    os.execv(arguments[0], [str(argument) for argument in arguments])


if __name__ == "__main__":
    main()
