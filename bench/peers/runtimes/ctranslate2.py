import ctranslate2
import numpy
from runtimes.runtime import Declined, Runtime


class CTranslate2(Runtime):
    """Knows transformers only. Removes padding by itself, and writes texts by its own loop."""

    def __init__(self, workload, folder, threads):
        super().__init__(workload, folder, threads)
        spec = workload.ctranslate2_spec()
        if spec is None:
            raise Declined("no model of this kind")
        self.kind = ctranslate2.Encoder if hasattr(spec, "encoder") else ctranslate2.Generator
        self.converted = str(folder / "ctranslate2")
        spec.validate()
        spec.optimize(quantization=None)
        (folder / "ctranslate2").mkdir(exist_ok=True)
        spec.save(self.converted)

    def load(self):
        self.model = self.kind(
            self.converted, device="cpu", compute_type="float32", intra_threads=self.threads, inter_threads=1
        )

    def run(self, feeds):
        ids = ctranslate2.StorageView.from_array(feeds["ids"].astype(numpy.int32))
        lengths = ctranslate2.StorageView.from_array(feeds["mask"].sum(1).astype(numpy.int32))
        return [numpy.array(self.model.forward_batch(ids, lengths).last_hidden_state)]

    def generate(self, prompt, steps):
        words = [f"word{token}" for token in prompt]
        [result] = self.model.generate_batch(
            [words], max_length=steps, min_length=steps, sampling_topk=1, include_prompt_in_result=False
        )
        return numpy.array(result.sequences_ids[0])
