"""A decoder with a cache that grows by one at each token, from nothing: no size is fixed, and the cache is
never copied between runs, since it stays in pliant's own tensors.

    python decoder_with_cache.py [MODEL.onnx]

MODEL is a decoder with input_ids and a cache whose inputs begin with "past", whose first output are the
logits, and whose others are the cache to feed next, in the order of those inputs. Without one, a small one
with made-up weights is used. The prompt are made-up tokens.
"""

import argparse

import decoder_model
import numpy as np
import pliant

PROMPT = [7, 42, 13, 58, 7, 9]


class Decoder:
    """A session, and the cache of the sequences that are being written."""

    def __init__(self, session, batch=1):
        self.session = session
        self.length = 0
        self.cache = {
            info.name: np.zeros([batch, *(each if isinstance(each, int) else 0 for each in info.shape[1:])], np.float32)
            for info in session.get_inputs()
            if info.name.startswith("past")
        }

    def feeds(self, ids):
        """The cache, and what decoders want beside new tokens int64[batch, new]."""
        total = self.length + ids.shape[1]
        given = {
            "input_ids": ids,
            "attention_mask": np.ones((len(ids), total), np.int64),
            "position_ids": np.broadcast_to(np.arange(self.length, total), ids.shape),
        }
        wanted = {info.name for info in self.session.get_inputs()}
        return self.cache | {name: value for name, value in given.items() if name in wanted}

    def logits(self, ids):
        """float[batch, new, vocabulary] of new tokens, which then belong to the past."""
        logits, *cache = self.session.run_tensors(None, self.feeds(ids))
        self.cache = dict(zip(self.cache, cache))  # pliant.Tensor: fed as it is in the next run
        self.length += ids.shape[1]
        return logits.numpy()


def write(decoder, prompt, count):
    """The prompt and `count` tokens behind it, always the most probable; and the logits of each place."""
    tokens, rows = list(prompt), []
    new = np.array([prompt])
    for _ in range(count):
        logits = decoder.logits(new)
        rows.extend(logits[0])
        new = logits[:, -1:].argmax(axis=-1)
        tokens.append(int(new[0, 0]))
    return tokens, np.array(rows)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", nargs="?")
    model = parser.parse_args(arguments).model
    session = pliant.InferenceSession(model or decoder_model.build())

    decoder = Decoder(session)
    tokens, logits = write(decoder, PROMPT, 40)
    print("tokens:", *tokens)
    stats = session.stats()
    print(f"the past had 0 to {decoder.length - 1} tokens")
    print(f"{stats.runs} runs, {stats.plans.total.any_runs} of them by one plan that is for any size")
    cache_bytes = sum(tensor.nbytes for tensor in decoder.cache.values())
    print(f"the cache has {cache_bytes / 1024:.0f} KiB, all tensors of the session {stats.live_bytes / 1024:.0f} KiB")

    sizes = session.sizes_of(decoder.feeds(np.array([[0]])))
    print(f"the next run will take {session.estimate(sizes).arena_bytes / 1024:.1f} KiB beside input and output")

    at_once = Decoder(session).logits(np.array([tokens[:-1]]))[0]
    print(f"largest difference from the whole sequence at once: {np.abs(logits - at_once).max():.1e}")
    if not model:
        expected = decoder_model.reference(np.array(tokens[:-1]))
        print(f"largest difference from NumPy: {np.abs(logits - expected).max():.1e}")


if __name__ == "__main__":
    main()
