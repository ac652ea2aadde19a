import pliant
from runtimes.runtime import Runtime


class Pliant(Runtime):
    pads = False

    def load(self):
        self.session = pliant.InferenceSession(self.path, pliant.SessionOptions(threads=self.threads))
        self.names = [value.name for value in self.session.get_inputs()]

    def run(self, feeds):
        return self.session.run(None, {name: feeds[name] for name in self.names})
