#!/usr/bin/env python3
"""Checks every #include line against the layers that cmake/layers.cmake declares.

    tools/check_layers.py [ROOT]

  src/<layer>/     may include itself, the layers that its line names (and what those may use), and
                   <pliant/...>; tests and benchmarks link the whole library, so they may include any
                   layer, tests/support as "support/...", and bench as "bench/..."
  include/pliant/  may include the standard library and <pliant/...> only
  cli/, examples/, python/binding/
                   may include what is in their own folder, third-party headers, and <pliant/...>; never src/

Prints file:line and the offending line; the exit status is 1 if there is one.
"""

import pathlib
import re
import sys

LAYER = re.compile(r"^pliant_layer\(([a-z_]+)([^)]*)\)", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]')
SOURCE_SUFFIXES = {".h", ".cc", ".inc", ".def"}
STANDARD_HEADER = re.compile(r"^[a-z_]+$")


def read_layers(root):
    """Maps each layer to all layers that it may include, itself included."""
    allowed = {}
    for name, rest in LAYER.findall((root / "cmake/layers.cmake").read_text()):
        allowed[name] = {name}
        for dependency in rest.split():
            if dependency not in allowed:
                sys.exit(f"cmake/layers.cmake: {name} uses {dependency}, which is not declared above it")
            allowed[name] |= allowed[dependency]
    return allowed


def includes_of(path):
    """Yields (line number, line, bracket, included path)."""
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), start=1):
        match = INCLUDE.match(line)
        if match:
            yield number, line.strip(), match.group(1), match.group(2)


def is_public(included):
    return included.startswith("pliant/")


def why_refused_in_layer(layer, allowed, is_test, included, bracket):
    if bracket == "<":
        return None  # the standard library, a third party that the layer links, or the public API
    target = included.split("/")[0]
    if target in allowed:
        return None if is_test or target in allowed[layer] else f"{layer} may not use {target}"
    if is_test and target in ("support", "bench"):
        return None
    if "/" not in included:
        return "a full path from src/ is wanted"
    return f"{target} is no layer of cmake/layers.cmake"


def why_refused_in_public_header(included, bracket):
    if bracket == '"':
        return "public headers include nothing from src/"
    if is_public(included) or STANDARD_HEADER.match(included):
        return None
    return "public headers include no third-party header"


def why_refused_in_client(folder, allowed, included, bracket):
    if bracket == "<":
        return None
    if included.split("/")[0] in allowed and not (folder / included).exists():
        return "only include/pliant may be used here"
    return None


def offences(root):
    allowed = read_layers(root)
    for path in sorted(root.glob("src/*/**/*")):
        if path.suffix in SOURCE_SUFFIXES:
            layer = path.relative_to(root).parts[1]
            if layer not in allowed:
                yield path, 1, "", f"src/{layer} is not declared in cmake/layers.cmake"
                continue
            is_test = path.stem.endswith(("_test", "_bench"))
            for number, line, bracket, included in includes_of(path):
                reason = why_refused_in_layer(layer, allowed, is_test, included, bracket)
                if reason:
                    yield path, number, line, reason
    for path in sorted(root.glob("include/pliant/**/*")):
        if path.suffix in SOURCE_SUFFIXES:
            for number, line, bracket, included in includes_of(path):
                reason = why_refused_in_public_header(included, bracket)
                if reason:
                    yield path, number, line, reason
    for client in ("cli", "examples", "python/binding"):
        for path in sorted((root / client).glob("**/*")):
            if path.suffix in SOURCE_SUFFIXES:
                for number, line, bracket, included in includes_of(path):
                    reason = why_refused_in_client(path.parent, allowed, included, bracket)
                    if reason:
                        yield path, number, line, reason


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    count = 0
    for path, number, line, reason in offences(root):
        print(f"{path.relative_to(root)}:{number}: {reason}: {line}")
        count += 1
    if count:
        print(f"{count} includes break the layers of cmake/layers.cmake")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
