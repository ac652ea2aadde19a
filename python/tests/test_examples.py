"""The examples compute what they say: beside NumPy, in which their models are written once more."""

import importlib
import subprocess
import sys

import numpy as np
import pytest

import pliant
from conftest import RECORDED, ROOT

pytest.importorskip("onnx")
EXAMPLES = ROOT / "python/examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py") if "def main(" in path.read_text())


@pytest.fixture
def example(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module


def difference(a, b):
    assert a.shape == b.shape
    return np.abs(a - b).max()


@pytest.mark.parametrize("name", NAMES)
def test_each_runs_as_a_program(name):
    done = subprocess.run([sys.executable, EXAMPLES / f"{name}.py"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "by one plan that is for any size" in done.stdout


def test_all_are_in_the_documentation():
    page = (ROOT / "docs/python.md").read_text()
    assert len(NAMES) == 4
    assert [name for name in NAMES if f"examples/{name}.py" not in page] == []


# Where real models of that kind are at hand.
REAL = [
    *(("sentence_embeddings", model) for model in ("d_bert", "x_roberta")),
    *(("ocr_lines", model) for model in ("ppocr_rec",)),
    *(("decoder_with_cache", model) for model in ("d_llama_cache", "x_llama_past", "x_gpt2_past")),
    *(("graph_network", model) for model in ("x_gcn", "d_gnn_edges", "x_gat")),
]


@pytest.mark.parametrize(("name", "model"), REAL)
def test_each_runs_with_real_models(example, capsys, name, model):
    path = RECORDED / f"{model}.onnx"
    if not path.exists():
        pytest.skip(f"no model {path}")
    example(name).main([str(path)])
    assert " runs" in capsys.readouterr().out


def test_sentences_have_the_embeddings_that_they_have_alone_in_numpy(example):
    embeddings, model = example("sentence_embeddings"), example("sentence_model")
    session = pliant.InferenceSession(model.build())
    sentences = ["one", "one two three", "three two one", "one " * 300]
    rows = embeddings.embed(session, sentences)
    for sentence, row in zip(sentences, rows):
        mean = model.reference(embeddings.tokenize(sentence)).mean(axis=0)
        assert difference(row, mean / np.linalg.norm(mean)) < 1e-5
    assert session.stats().runs == 3  # two sentences had one length
    assert difference(rows[1], rows[2]) > 0.01


def test_the_mask_of_the_sentence_model_is_heeded(example):
    embeddings, model = example("sentence_embeddings"), example("sentence_model")
    ids = np.array([[5, 6, 7, 0, 0]])
    feeds = {"input_ids": ids, "attention_mask": (ids > 0).astype(np.int64)}
    [padded] = pliant.InferenceSession(model.build()).run(None, feeds)
    assert difference(padded[0, :3], model.reference(ids[0, :3])) < 1e-5
    assert embeddings.SENTENCES


@pytest.mark.parametrize("line", ["0", "88", "1-1", "0123456789-.:+" * 9])
def test_lines_are_read_as_they_were_drawn(example, line):
    lines, model = example("ocr_lines"), example("ocr_model")
    session = pliant.InferenceSession(model.build())
    for margin in (0, 1, 7, 8, 100):
        image = model.draw(line, margin)
        assert image.shape == (3, 48, 8 * (1 + 4 * len(line)) + margin)
        probabilities = lines.probabilities_of(session, image)
        assert lines.text_of(probabilities, model.CHARACTERS) == line
        assert difference(probabilities, model.reference(image)) < 1e-4


def test_a_dirty_line_is_still_read(example):
    lines, model = example("ocr_lines"), example("ocr_model")
    image = model.draw("3.1416")
    image += np.random.default_rng(0).normal(0, 0.3, image.shape).astype(np.float32)
    probabilities = lines.probabilities_of(pliant.InferenceSession(model.build()), image)
    assert lines.text_of(probabilities, model.CHARACTERS) == "3.1416"


def test_a_decoder_with_cache_is_one_without(example):
    decoding, model = example("decoder_with_cache"), example("decoder_model")
    session = pliant.InferenceSession(model.build())
    tokens, logits = decoding.write(decoding.Decoder(session), [3, 1, 4], 20)
    expected = model.reference(np.array(tokens[:-1]))
    assert difference(logits, expected) < 1e-5
    assert tokens[3:] == expected.argmax(axis=-1)[2:].tolist()
    assert len(set(tokens[3:])) > 5
    # Sequences of a batch have nothing to do with each other.
    both = decoding.Decoder(session, batch=2).logits(np.array([tokens, tokens[::-1]]))
    assert difference(both[1], model.reference(np.array(tokens[::-1]))) < 1e-5


def test_the_cache_is_fed_where_it_lies(example):
    decoding, model = example("decoder_with_cache"), example("decoder_model")
    session = pliant.InferenceSession(model.build())
    decoder = decoding.Decoder(session)
    decoder.logits(np.array([[1, 2, 3]]))
    feeds = decoder.feeds(np.array([[4]]))
    assert all(isinstance(value, pliant.Tensor) and value.shape[2] == 3 for value in decoder.cache.values())
    read = dict(zip(feeds, session._input_addresses(feeds)))
    for name, tensor in decoder.cache.items():
        assert read[name] == tensor.numpy().__array_interface__["data"][0]


@pytest.mark.parametrize(("nodes", "edges"), [(1, 0), (1, 5), (9, 0), (10, 40), (300, 2000)])
def test_graphs_of_all_sizes_are_computed(example, nodes, edges):
    network, model = example("graph_network"), example("graph_network_model")
    session = pliant.InferenceSession(model.build())
    random = np.random.default_rng(nodes)
    feeds = network.random_graph(session, nodes, edges, random)
    rows = session.run(None, feeds)[0]
    assert rows.shape == (nodes, 4)
    assert difference(rows, model.reference(**feeds)) < 1e-4
    order = random.permutation(nodes)
    assert difference(session.run(None, network.renumbered(feeds, order))[0], rows[order]) < 1e-4
    if edges > nodes > 1:
        alone = session.run(None, feeds | {"edge_index": feeds["edge_index"][:, :0]})[0]
        assert difference(rows, alone) > 0.1  # edges do matter
