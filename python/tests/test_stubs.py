"""The stubs of the extension name what it has, no more and no less, and the package is typed."""

import ast
import importlib
import inspect
import pathlib
import re

import pytest

import pliant
from pliant import _core

PACKAGE = pathlib.Path(pliant.__file__).parent
STUB = ast.parse((PACKAGE / "_core.pyi").read_text())
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}

# Every object has these, or pybind11 adds them for itself.
UNSAID = re.compile(r"__(init|new|repr|module|doc|dict|weakref|buffer|release_buffer|hash|eq)__|_pybind11|_repr_html_")


def said(node):
    """Names in the body of a class."""
    for each in node.body:
        if isinstance(each, ast.FunctionDef):
            yield each.name
        elif isinstance(each, ast.AnnAssign):
            yield each.target.id


def test_the_package_says_that_it_is_typed():
    assert (PACKAGE / "py.typed").exists()


def test_classes_are_the_same():
    there = {name for name, value in vars(_core).items() if inspect.isclass(value)}
    assert set(CLASSES) == there


@pytest.mark.parametrize("name", CLASSES)
def test_members_are_the_same(name):
    kind = getattr(_core, name)
    there = {member for member in vars(kind) if not UNSAID.match(member)}
    if pliant.Error in kind.__bases__:
        there.remove("code")  # said of Error; each has another
    assert {member for member in said(CLASSES[name]) if not UNSAID.match(member)} == there


@pytest.mark.parametrize("name", [name for name in CLASSES if hasattr(getattr(_core, name), "_fields")])
def test_records_list_their_members(name):
    kind = getattr(_core, name)
    assert set(kind._fields) | {"_fields"} == {member for member in said(CLASSES[name]) if member != "__init__"}
    for field in kind._fields:
        assert getattr(kind, field).__doc__, field


@pytest.mark.parametrize("name", CLASSES)
def test_bases_are_the_same(name):
    bases = [base.__name__ for base in getattr(_core, name).__bases__]
    assert [base.id for base in CLASSES[name].bases] == [base for base in bases if base not in ("object", "pybind11_object")]


def parameters(function):
    args = function.args
    return [each.arg for each in args.posonlyargs + args.args + args.kwonlyargs if each.arg != "self"]


@pytest.mark.parametrize("name", CLASSES)
def test_parameters_are_the_same(name):
    for function in CLASSES[name].body:
        if not isinstance(function, ast.FunctionDef) or function.decorator_list[:1] and function.decorator_list[0].id == "property":
            continue
        first = (getattr(getattr(_core, name), function.name).__doc__ or "").split("\n")[0]
        if "**kwargs" in first:  # the constructors of options, whose defaults are those of an object
            made = getattr(_core, name)()
            assert parameters(function) == list(made._fields)
            for argument, default in zip(function.args.kwonlyargs, function.args.kw_defaults):
                if not (isinstance(default, ast.Constant) and default.value is ...):
                    assert ast.literal_eval(default) == getattr(made, argument.arg), argument.arg
            continue
        found = re.findall(r"[(,] *(?:\*, )?(\w+):", first.replace("self:", "", 1) if "self:" in first else first)
        assert parameters(function) == found, first


def test_everything_public_is_exported():
    public = {name for name in vars(_core) if not name.startswith("_") and name != "Session"}
    ours = {"Explanation", "InferenceSession", "Observation", "__version__", "get_available_providers"}
    assert public | ours == set(pliant.__all__) | {"SyntaxError"}


def public_functions(module):
    """Functions of the module, and methods of its classes."""
    for name, value in vars(module).items():
        if name.startswith("_") or getattr(value, "__module__", None) != module.__name__:
            continue
        members = [value] if inspect.isfunction(value) else vars(value).values()
        yield from (each for each in members if inspect.isfunction(each) and not each.__name__.startswith("_"))


@pytest.mark.parametrize("name", ["measure", "plot", "backend", "_session"])
def test_python_code_is_typed(name):
    pytest.importorskip({"plot": "matplotlib", "backend": "onnx"}.get(name, "numpy"))
    functions = list(public_functions(importlib.import_module(f"pliant.{name}")))
    assert functions
    for function in functions:
        wanted = {each for each in inspect.signature(function).parameters if each not in ("self", "cls")} | {"return"}
        assert wanted <= set(function.__annotations__), function.__qualname__


@pytest.mark.parametrize("name", ["measure", "plot"])
def test_python_code_says_what_it_does(name):
    pytest.importorskip("matplotlib")
    for function in public_functions(importlib.import_module(f"pliant.{name}")):
        assert function.__doc__, function.__qualname__
