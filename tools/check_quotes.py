#!/usr/bin/env python3
"""Checks that documents quote files word for word.

    tools/check_quotes.py FILE_OR_FOLDER ...

A quote is a fenced block behind a comment that names its source:

    <!-- quote: examples/hello.cc -->
    ```cpp
    ...
    ```

The block must occur in that file, as whole lines.
"""

import pathlib
import re
import sys

QUOTE = re.compile(r"<!-- quote: (\S+) -->\n```[a-z]*\n(.*?)^```", re.DOTALL | re.MULTILINE)


def documents(arguments):
    for argument in map(pathlib.Path, arguments):
        yield from sorted(argument.glob("**/*.md")) if argument.is_dir() else [argument]


def main():
    failed = False
    count = 0
    for document in documents(sys.argv[1:]):
        text = document.read_text()
        for quote in QUOTE.finditer(text):
            count += 1
            line = text.count("\n", 0, quote.start()) + 1
            source = pathlib.Path(quote.group(1))
            if not source.exists():
                print(f"{document}:{line}: {source} does not exist")
                failed = True
            elif "\n" + quote.group(2) not in "\n" + source.read_text():
                print(f"{document}:{line}: the quote differs from {source}")
                failed = True
    print(f"{count} quotes checked")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
