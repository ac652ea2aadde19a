import pathlib

import numpy as np
import pliant

model = pathlib.Path(__file__).parent.parent / "examples" / "row_sums.pasm"  # or any .onnx file
session = pliant.InferenceSession(model)
print(session.get_inputs()[0])
for rows in (2, 5):  # any size, in any order
    [sums] = session.run(None, {"x": np.ones((rows, 3), np.float32)})
    print(sums.ravel())
