"""docs/plans.md has a row with the default and the range of every option in plan_options.h, and the
words of every reason to decline."""

import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).parent
HEADER = (ROOT / "include/pliant/plan_options.h").read_text()
DOCUMENT = (ROOT / "docs/plans.md").read_text()
REASONS = (ROOT / "src/plan/decline_reasons.def").read_text()

# How the document writes the defaults that are not plain numbers.
DEFAULTS = {
    "true": "on",
    "false": "off",
    "std::size_t{64} << 20U": "64 MiB",
    "std::chrono::minutes(2)": "2 min",
    "std::chrono::seconds(30)": "30 s",
    "{}": "none",
}


def body_of_options():
    return HEADER[HEADER.index("struct PlanOptions") :]


def options():
    """(name, default, words of the comment) of every field."""
    pattern = r"((?:  ///[^\n]*\n)+)  [\w:]+ (\w+)(?: = ([^;]+))?;"
    for comment, name, default in re.findall(pattern, body_of_options()):
        yield name, default or None, re.sub(r"\s*///\s*", " ", comment)


def row_of(name):
    rows = re.findall(rf"^\| `{name}` \| ([^|]*) \| ([^|]*) \|", DOCUMENT, re.MULTILINE)
    return rows[0] if len(rows) == 1 else None


class PlanOptions(unittest.TestCase):
    def test_every_option_has_its_row(self):
        names = [name for name, _, _ in options()]
        fields = re.findall(r"^  [\w:]+ (\w+)[^\n]*;$", body_of_options(), re.MULTILINE)
        self.assertEqual(names, fields)
        for name in names:
            self.assertIsNotNone(row_of(name), name)

    def test_defaults_agree(self):
        for name, default, _ in options():
            if default is not None and "::k" in default:
                written = default.split("::k")[1].lower()
            else:
                written = DEFAULTS.get(default, default)
            self.assertRegex(row_of(name)[0], rf"^{re.escape(written)}\b", name)

    def test_ranges_agree(self):
        for name, _, comment in options():
            found = re.search(r"Range ([\d,]+(?: ms)?(?:\.\.[\d,]+(?: h)?| and up))", comment)
            if found:
                self.assertEqual(row_of(name)[1], found.group(1), name)

    def test_every_reason_is_there(self):
        for name, words in re.findall(r'^DECLINE_REASON\((\w+), "([^"]+)"\)', REASONS, re.MULTILINE):
            if name != "None":
                self.assertIn(f"\n| {words} |", DOCUMENT)


if __name__ == "__main__":
    unittest.main()
