"""tools/check_layers.py finds each kind of forbidden include, and only those."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOLS = pathlib.Path(sys.argv.pop(1))

GOOD = {
    "cmake/layers.cmake": "pliant_layer(base)\npliant_layer(tensor base)\npliant_layer(program tensor)\n",
    "include/pliant/tensor.h": "#include <pliant/dtype.h>\n#include <cstdint>\n",
    "src/base/check.h": "#include <fmt/format.h>\n",
    "src/program/program.cc": '#include "program/program.h"\n#include "base/check.h"\n',
    "src/program/program_test.cc": '#include "support/one_instruction.h"\n',
    "src/tensor/shape_test.cc": '#include "program/program.h"\n',
    "cli/run.cc": '#include <pliant/tensor.h>\n#include "options.h"\n',
    "cli/options.h": "#include <CLI/CLI.hpp>\n",
}


def check(files):
    with tempfile.TemporaryDirectory() as root:
        for name, text in files.items():
            path = pathlib.Path(root, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        done = subprocess.run(
            [sys.executable, TOOLS / "check_layers.py", root], capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout


class CheckLayers(unittest.TestCase):
    def assert_refused(self, name, text, words):
        status, output = check({**GOOD, name: text})
        self.assertEqual(status, 1, output)
        self.assertIn(words, output)
        self.assertIn(f"{name}:", output)

    def test_good_tree_passes(self):
        self.assertEqual(check(GOOD), (0, ""))

    def test_lower_layer_may_not_use_higher(self):
        self.assert_refused("src/tensor/shape.h", '#include "program/program.h"\n', "tensor may not use program")

    def test_place_is_named(self):
        self.assert_refused("src/tensor/shape.h", '\n#include "program/a.h"\n', "src/tensor/shape.h:2:")

    def test_public_header_may_not_use_src(self):
        self.assert_refused("include/pliant/a.h", '#include "base/check.h"\n', "nothing from src/")

    def test_public_header_may_not_use_third_party(self):
        self.assert_refused("include/pliant/a.h", "#include <fmt/format.h>\n", "no third-party header")

    def test_cli_may_not_use_src(self):
        self.assert_refused("cli/a.cc", '#include "base/check.h"\n', "only include/pliant")

    def test_python_may_not_use_src(self):
        self.assert_refused("python/binding/a.cc", '#include "base/check.h"\n', "only include/pliant")

    def test_undeclared_folder(self):
        self.assert_refused("src/extra/a.h", "", "src/extra is not declared")

    def test_sources_may_not_use_test_support(self):
        self.assert_refused("src/program/a.cc", '#include "support/one_instruction.h"\n', "support is no layer")


if __name__ == "__main__":
    unittest.main()
