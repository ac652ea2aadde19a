"""Sentence embeddings without padding: sentences of one length share a batch, every length runs as it is.

    python sentence_embeddings.py [MODEL.onnx]

MODEL is an encoder with input_ids and attention_mask, whose first output is the hidden state of each
token, as exported from Transformers. Without one, a small one with made-up weights is used. Words become
made-up numbers below 256, since no tokenizer is here; put yours into tokenize().
"""

import argparse
import collections
import zlib

import numpy as np
import pliant
import sentence_model

SENTENCES = [
    "Rain.",
    "The night train to Lisbon was late again.",
    "Late again was the night train to Lisbon.",
    "How long may a sentence be before a model that was compiled for one length has to cut it, or to fill "
    "everything that is shorter with padding, which costs as much as words do?",
    "As long as it likes.",
]


def tokenize(sentence):
    return np.array([1 + zlib.crc32(word.encode()) % 255 for word in sentence.lower().split()], np.int64)


def feeds_of(session, ids):
    """What encoders want beside the tokens; nothing is masked, since nothing is padding."""
    given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    return {info.name: given[info.name] for info in session.get_inputs()}


def embed(session, sentences):
    """A row of unit length per sentence: the mean of its tokens' hidden states."""
    by_length = collections.defaultdict(list)
    tokens = [tokenize(sentence) for sentence in sentences]
    for position, ids in enumerate(tokens):
        by_length[len(ids)].append(position)
    rows = [None] * len(sentences)
    for positions in by_length.values():
        ids = np.stack([tokens[position] for position in positions])
        hidden = session.run(None, feeds_of(session, ids))[0]
        for position, row in zip(positions, hidden.mean(axis=1)):
            rows[position] = row / np.linalg.norm(row)
    return np.stack(rows)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", nargs="?")
    model = parser.parse_args(arguments).model
    session = pliant.InferenceSession(model or sentence_model.build())

    longest = max((tokenize(sentence) for sentence in SENTENCES), key=len)
    before = session.estimate(session.sizes_of(feeds_of(session, longest[np.newaxis])))
    print(f"the longest has {len(longest)} tokens and will take {before.arena_bytes / 1024:.0f} KiB")

    rows = embed(session, SENTENCES)
    print("similarity of each pair:")
    print(np.array2string(rows @ rows.T, precision=2, suppress_small=True))

    lengths = [len(tokenize(sentence)) for sentence in SENTENCES]
    print(f"{sum(lengths)} tokens were computed; padded to the longest it would be {max(lengths) * len(lengths)}")
    stats = session.stats()
    print(f"{stats.runs} runs, {stats.plans.total.any_runs} of them by one plan that is for any size")
    if not model:
        by_numpy = [sentence_model.reference(tokenize(sentence)).mean(axis=0) for sentence in SENTENCES]
        expected = np.stack([row / np.linalg.norm(row) for row in by_numpy])
        print(f"largest difference from NumPy: {np.abs(rows - expected).max():.1e}")


if __name__ == "__main__":
    main()
