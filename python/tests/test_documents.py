"""Pages with Python run as they stand there: tests/documents/pages.py says how. ctest runs the others."""

import pathlib
import sys

import pytest

from conftest import ROOT
from test_session import onnx_model

sys.path.append(str(ROOT / "tests/documents"))
import pages  # noqa: E402

pytest.importorskip("onnx")

PLIANT = pathlib.Path(sys.prefix, "bin/pliant")


def pages_with_python():
    return [page for page in pages.pages() if pages.has_python(pages.blocks_of(page.read_text()))]


@pytest.mark.parametrize("page", pages_with_python(), ids=lambda page: str(page.relative_to(ROOT)))
def test_the_page_runs(page, tmp_path):
    if page.name == "python.md":  # it says which model it takes
        (tmp_path / "model.onnx").write_bytes(onnx_model().SerializeToString())
    try:
        pages.execute_page(page, pages.Execution(tmp_path, PLIANT))
    except pages.Failure as failure:
        pytest.fail(str(failure), pytrace=False)


def test_there_are_such_pages():
    assert len(pages_with_python()) >= 6
