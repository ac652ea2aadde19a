"""OCR of text lines at their own widths: nothing is scaled or padded to the width of a batch.

    python ocr_lines.py [MODEL.onnx [CHARACTERS.txt]]

MODEL is a recogniser of lines that are 48 pixels high, as PP-OCR has them: one image in, probabilities of
classes from left to right out, class 0 being none. CHARACTERS says in line n what class n is; without it,
classes are printed as numbers. Without MODEL, one is used that was made for the font of the example.
"""

import argparse
import itertools
import pathlib

import numpy as np
import ocr_model
import pliant

LINES = ["7", "12.50", "2026-12-01", "09:41:07.250", "1-800-555-0199+44+17:00:00-31.12.1999", "+00.0011"]


def probabilities_of(session, image):
    """float[3, 48, width] -> float[steps, classes]"""
    return session.run(None, {session.get_inputs()[0].name: image[np.newaxis]})[0][0]


def text_of(probabilities, characters):
    """The best class of each step, repetitions joined."""
    classes = [best for best, _ in itertools.groupby(probabilities.argmax(axis=-1)) if best != 0]
    return "".join(characters[best] if best < len(characters) else f"<{best}>" for best in classes)


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", nargs="?")
    parser.add_argument("characters", nargs="?", type=pathlib.Path)
    given = parser.parse_args(arguments)
    session = pliant.InferenceSession(given.model or ocr_model.build())
    characters = ocr_model.CHARACTERS
    if given.model:
        characters = ["", *given.characters.read_text(encoding="utf-8").split("\n")] if given.characters else []

    images = [ocr_model.draw(line, margin=5 * i) for i, line in enumerate(LINES)]
    widths = [image.shape[2] for image in images]
    widest = {session.get_inputs()[0].name: images[np.argmax(widths)][np.newaxis]}
    estimate = session.estimate(session.sizes_of(widest))
    print(f"the widest has {max(widths)} pixels and will take {estimate.arena_bytes / 1024:.0f} KiB")

    found = [probabilities_of(session, image) for image in images]
    for width, probabilities in zip(widths, found):
        print(f"{width:5} pixels, {len(probabilities):3} steps: {text_of(probabilities, characters)}")

    print(f"{sum(widths)} columns were computed; padded to the widest it would be {max(widths) * len(widths)}")
    stats = session.stats()
    print(f"{stats.runs} runs, {stats.plans.total.any_runs} of them by one plan that is for any size")
    if not given.model:
        differences = [np.abs(each - ocr_model.reference(image)).max() for each, image in zip(found, images)]
        print(f"largest difference from NumPy: {max(differences):.1e}")


if __name__ == "__main__":
    main()
