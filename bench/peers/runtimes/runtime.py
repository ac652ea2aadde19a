"""What a runtime is: a way to load a workload's model, and to run it."""


class Declined(Exception):
    """The runtime has nothing for this workload, and says why. No failure."""


class Runtime:
    """Lives in a process of its own. Making one prepares what is no part of loading (conversions, say)."""

    pads = True
    """Whether a batch of sequences of mixed lengths is made one rectangle for it."""

    def __init__(self, workload, folder, threads):
        """`folder` holds model.onnx."""
        self.workload, self.folder, self.threads = workload, folder, threads
        self.path = str(folder / "model.onnx")

    def load(self):
        """From the file to being ready for a request."""
        raise NotImplementedError

    def run(self, feeds):
        """name -> array becomes a list of arrays. They are valid until the next run at least, and may be
        fed to it. Feeds that the model does not have are ignored."""
        raise NotImplementedError
