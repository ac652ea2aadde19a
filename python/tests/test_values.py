"""What goes in and comes out: every element type, layout and protocol; what is copied and what not."""

import array

import numpy as np
import pytest

import pliant
from conftest import identity_of, session_of

ml_dtypes = pytest.importorskip("ml_dtypes")

TYPES = {
    "f32": np.float32,
    "u8": np.uint8,
    "i8": np.int8,
    "u16": np.uint16,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "bool": np.bool_,
    "f16": np.float16,
    "f64": np.float64,
    "u32": np.uint32,
    "u64": np.uint64,
    "bf16": ml_dtypes.bfloat16,
}
ONNX_NAMES = {
    "f32": "float",
    "f64": "double",
    "f16": "float16",
    "bf16": "bfloat16",
    "bool": "bool",
    **{f"{sign[0] if sign == 'uint' else 'i'}{bits}": f"{sign}{bits}" for sign in ("uint", "int") for bits in (8, 16, 32, 64)},
}


def address(x):
    return x.__array_interface__["data"][0]


def run(session, x):
    return session.run(None, {"x": x})[0]


def test_all_types_of_the_library_are_here():
    from conftest import ROOT

    rows = (ROOT / "include/pliant/dtypes.def").read_text()
    assert sorted(TYPES) == sorted(line.split('"')[1] for line in rows.splitlines() if line.startswith("PLIANT_DTYPE"))


@pytest.mark.parametrize("name", TYPES)
def test_every_type_goes_through(name):
    session = identity_of(name)
    x = (np.arange(12).reshape(3, 4) % 2).astype(TYPES[name])
    y = run(session, x)
    assert y.dtype == x.dtype
    assert y.tobytes() == x.tobytes()
    assert session.get_inputs()[0].type == f"tensor({ONNX_NAMES[name]})"


@pytest.mark.parametrize("name", TYPES)
def test_no_type_is_taken_for_another(name):
    session = identity_of(name)
    for other, dtype in TYPES.items():
        if other != name:
            with pytest.raises(pliant.ElementTypeError, match=f"'x'.*declared {name}, given {other}") as caught:
                run(session, np.zeros(2, dtype))
            assert isinstance(caught.value, TypeError)
    for dtype in ("V2", "S4", "complex64", "O", "datetime64[s]", ml_dtypes.float8_e4m3fn):
        with pytest.raises(pliant.ElementTypeError, match=f"declared {name}, given"):
            run(session, np.zeros(2, dtype))


@pytest.mark.parametrize("shape", [(), (0,), (1,), (2, 0, 3), (2, 1, 2, 1, 2, 1, 2, 1)])
def test_shapes_stay(shape):
    assert run(identity_of("f32"), np.ones(shape, np.float32)).shape == shape


def test_nine_axes_are_too_many():
    with pytest.raises(pliant.ShapeMismatchError, match="9"):
        run(identity_of("f32"), np.ones((1,) * 9, np.float32))


LAYOUTS = {
    "transposed": lambda x: x.T,
    "every second": lambda x: x[::2],
    "every second column": lambda x: x[:, ::2],
    "backwards": lambda x: x[::-1],
    "Fortran order": np.asfortranarray,
    "repeated": lambda x: np.broadcast_to(x[0], x.shape),
    "one element repeated": lambda x: np.broadcast_to(x[0, 0], (3, 5)),
    "big endian": lambda x: x.astype(x.dtype.newbyteorder(">")),
    "big endian, transposed": lambda x: x.astype(x.dtype.newbyteorder(">")).T,
    "a part": lambda x: x[1:3, 1:3],
    "unaligned": lambda x: np.frombuffer(b"?" + x.tobytes(), np.uint8)[1:].view(x.dtype).reshape(x.shape),
    "read only": lambda x: np.frombuffer(x.tobytes(), x.dtype).reshape(x.shape),
    "a matrix": np.asmatrix,
}


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")  # numpy's of its matrix
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_read_as_it_is_meant(layout):
    given = LAYOUTS[layout](np.arange(20, dtype=np.float32).reshape(4, 5))
    np.testing.assert_array_equal(run(identity_of("f32"), given), given)
    np.testing.assert_array_equal(run(identity_of("f32"), memoryview(given)), given)
    if given.dtype.isnative:  # DLPack has no word for the other byte order
        np.testing.assert_array_equal(run(identity_of("f32"), Exporter(given, True)), given)
    else:
        with pytest.raises(BufferError):
            run(identity_of("f32"), Exporter(given, True))


def test_numbers_and_lists_take_the_declared_type():
    assert run(identity_of("f32"), [[1, 2.5], [3, 4]]).tolist() == [[1, 2.5], [3, 4]]
    assert run(identity_of("i64"), 7) == 7
    assert run(identity_of("f16"), (1, 2)).dtype == np.float16
    assert run(identity_of("bool"), True)
    assert run(identity_of("bf16"), [1.5]).dtype == ml_dtypes.bfloat16
    assert run(identity_of("f32"), []).shape == (0,)
    assert run(identity_of("f32"), np.float32(2)) == 2
    for name, value in (("i64", 1.5), ("i64", [1, 2.5]), ("bool", 1), ("f32", ["a"]), ("f32", None), ("f32", "1"), ("f32", object())):
        with pytest.raises(pliant.ElementTypeError, match="'x'"):
            run(identity_of(name), value)
    with pytest.raises(pliant.ElementTypeError):
        run(identity_of("f32"), np.float64(2))
    with pytest.raises(OverflowError):
        run(identity_of("u8"), [300])


def test_buffers_are_taken():
    x = array.array("f", [1, 2, 3])
    assert run(identity_of("f32"), x).tolist() == [1, 2, 3]
    assert run(identity_of("u8"), b"abc").tolist() == [97, 98, 99]
    assert run(identity_of("f32"), memoryview(np.ones((2, 2), np.float32))).shape == (2, 2)
    with pytest.raises(pliant.ElementTypeError):
        run(identity_of("f64"), x)


NEGATION = """
.input x f32[...]
.output y
LOAD_TENSOR r0, x
ELEMENTWISE_NEG r1, r0
STORE_TENSOR y, r1
"""


def read_at(session, x):
    """Where the memory lies that a run reads."""
    return session._input_addresses({"x": x})[0]


def test_row_major_memory_is_not_copied():
    session = session_of(NEGATION)
    x = np.zeros(1000, np.float32)
    for same in (x, x.reshape(10, 100), x.reshape(1, -1)[0], memoryview(x), Exporter(x, True), Exporter(x, False)):
        assert read_at(session, same) == address(x)
    assert read_at(session, x[10:]) == address(x) + 40
    assert read_at(session, x[::2]) not in range(address(x), address(x) + x.nbytes)
    y = session.run_tensors(None, {"x": x})[0]
    assert read_at(session, y) == address(y.numpy())


def test_outputs_are_not_copied_and_belong_to_the_caller():
    session = session_of(NEGATION)
    x = np.ones(1000, np.float32)
    y = run(session, x)
    assert not y.flags.owndata and y.base is not None and y.flags.writeable and y.flags.c_contiguous
    y[:] = 5
    assert run(session, x)[0] == -1
    assert x[0] == 1


@pytest.mark.parametrize("tier", ["interpreter", "any"])
def test_no_output_shares_memory_with_inputs_or_weights(tier):
    session = session_of(
        ".input x f32[n]\n.const c f32[3] = {1.0, 2.0, 3.0}\n.output y\n.output z\n.output w\n"
        "LOAD_TENSOR r0, x\nSTORE_TENSOR y, r0\nSTORE_TENSOR z, c\nSTORE_TENSOR w, r0\n"
    )
    x = np.ones(3, np.float32)
    y, z, w = session.run(None, {"x": x}, tier=tier)
    assert len({address(each) for each in (x, y, z, w)}) == 4
    for each in (y, z, w):
        each[:] = 9
    y, z, w = session.run(None, {"x": x}, tier=tier)
    assert (y.tolist(), z.tolist(), w.tolist()) == ([1, 1, 1], [1, 2, 3], [1, 1, 1])


class Exporter:
    """Something that is no array but speaks DLPack, as other libraries' tensors do."""

    def __init__(self, source, new):
        self.source, self.new, self.capsules = source, new, 0

    def __dlpack__(self, **keywords):
        if keywords and not self.new:
            raise TypeError("no keywords")
        self.capsules += 1
        return self.source.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.source.__dlpack_device__()


@pytest.mark.parametrize("new", [False, True])
@pytest.mark.parametrize("name", [name for name in TYPES if name != "bf16"])
def test_dlpack_goes_in(name, new):
    x = (np.arange(6).reshape(2, 3) % 2).astype(TYPES[name])
    y = run(identity_of(name), Exporter(x, new))
    assert y.dtype == x.dtype and y.tolist() == x.tolist()
    if name == "f32":
        np.testing.assert_array_equal(run(identity_of(name), Exporter(x.T, new)), x.T)
        np.testing.assert_array_equal(run(identity_of(name), Exporter(x[:, ::-1], new)), x[:, ::-1])
    if name == "f32" and new:  # old DLPack has no word for memory that may not be written to
        np.testing.assert_array_equal(run(identity_of(name), Exporter(np.broadcast_to(x[0], (4, 3)), new)), [x[0]] * 4)
    with pytest.raises(pliant.ElementTypeError, match="'x'"):
        run(identity_of("bf16"), Exporter(x, new))


@pytest.mark.parametrize("name", TYPES)
def test_dlpack_comes_out_and_goes_in_again(name):
    session = identity_of(name)
    x = (np.arange(6).reshape(2, 3) % 2).astype(TYPES[name])
    tensor = session.run_tensors(None, {"x": x})[0]
    assert tensor.__dlpack_device__() == (1, 0)
    assert (tensor.shape, tensor.nbytes, tensor.dtype) == ((2, 3), x.nbytes, x.dtype)
    again = session.run(None, {"x": Exporter(tensor, True)})[0]
    assert again.tobytes() == x.tobytes()
    assert session.run(None, {"x": tensor})[0].tobytes() == x.tobytes()
    if name != "bf16":
        assert address(np.from_dlpack(tensor)) == address(tensor.numpy())
        assert np.asarray(memoryview(tensor)).tolist() == x.tolist()
    assert np.asarray(tensor).tobytes() == x.tobytes()
    assert np.array(tensor, copy=True).tobytes() == x.tobytes()
    assert tensor.__dlpack__(copy=True) is not None
    assert repr(tensor) == f"<pliant.Tensor {name}[2, 3]>"


def test_dlpack_memory_lives_as_long_as_someone_uses_it():
    session = identity_of("f32")
    tensor = session.run_tensors(None, {"x": np.full(1000, 3, np.float32)})[0]
    kept = np.from_dlpack(tensor)
    unused = tensor.__dlpack__()
    del tensor, session
    np.testing.assert_array_equal(kept, 3)
    del unused, kept


def test_dlpack_of_other_places_is_refused():
    session = identity_of("f32")
    tensor = session.run_tensors(None, {"x": np.ones(1, np.float32)})[0]
    with pytest.raises(BufferError, match="stream"):
        tensor.__dlpack__(stream=1)
    with pytest.raises(BufferError):
        tensor.__dlpack__(dl_device=(2, 0))

    class Spent:
        def __dlpack__(self, **keywords):
            capsule = tensor.__dlpack__()
            np.from_dlpack(Given(capsule))
            return capsule

        def __dlpack_device__(self):
            return (1, 0)

    class Given(Exporter):
        def __init__(self, capsule):
            self.capsule = capsule

        def __dlpack__(self, **keywords):
            return self.capsule

        def __dlpack_device__(self):
            return (1, 0)

    with pytest.raises(BufferError, match="'x'"):
        run(session, Spent())


def test_bfloat16_has_no_buffer():
    tensor = identity_of("bf16").run_tensors(None, {"x": np.ones(1, ml_dtypes.bfloat16)})[0]
    with pytest.raises(BufferError) as caught:
        memoryview(tensor)
    assert "bfloat16" in str(caught.value.__cause__)
