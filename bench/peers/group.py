"""The processes of all runtimes that have one workload loaded."""

import onnx

from agreement import difference
from players import PlayerProcess, Unavailable

COMPARED_WITH = "pliant"


class Group:
    """A runtime that fails stays away from then on; `reasons` says why: runtime -> (kind, words). The kinds
    are "declined", "failed" and "wrong". `folder` is for this workload; what compilers keep for several lies beside it.
    """

    def __init__(self, workload, folder, threads, runtimes):
        self.workload, self.folder, self.threads = workload, folder, threads
        folder.mkdir()
        onnx.save(workload.model(), folder / "model.onnx")
        self.players, self.reasons, self.load_seconds = {}, {}, {}
        self.reference = None
        self.turns = 0
        for runtime in runtimes:
            self.players[runtime] = self.player(runtime)
        self.load_seconds = self.each("load")

    def player(self, runtime):
        return PlayerProcess(runtime, self.workload, self.folder, self.threads)

    def leave(self, runtime, kind, words):
        self.reasons[runtime] = (kind, words)
        self.players.pop(runtime).close()

    def each(self, *order):
        """Gives all the same order, one after the other, another one first each time: runtime -> result."""
        names = list(self.players)
        self.turns += 1
        first = self.turns % max(len(names), 1)
        results = {}
        for runtime in names[first:] + names[:first]:
            try:
                results[runtime] = self.players[runtime].order(*order)
            except Unavailable as error:
                self.leave(runtime, error.kind, str(error))
        return results

    def together(self, *order):
        """As each(), but all at once: for what is no matter of time."""
        names = list(self.players)
        for runtime in names:
            self.players[runtime].tell(*order)
        results = {}
        for runtime in names:
            try:
                results[runtime] = self.players[runtime].answer()
            except Unavailable as error:
                self.leave(runtime, error.kind, str(error))
        return results

    def check(self, row, among_all):
        """All serve the checks of a row, which also warms them up. Pliant has to agree with the reference
        (on the first check, or `among_all` of them), the others with Pliant. Returns the seconds of the
        first check of each runtime."""
        given = self.each("answers", row.name, None)
        expected = given.get(COMPARED_WITH)
        if expected is None:
            return {}
        if self.reference is None:
            self.reference = self.player("reference")
            self.reference.order("load")
        known, _ = self.reference.order("answers", row.name, None if among_all else 1)
        words = difference(expected[0][: len(known)], known, self.workload)
        if words:
            self.leave(COMPARED_WITH, "wrong", f"against the ONNX reference, {words}")
            return {}
        for runtime, (answers, _) in given.items():
            words = difference(answers, expected[0], self.workload)
            if words:
                self.leave(runtime, "wrong", f"against Pliant, {words}")
        return {runtime: seconds[0] for runtime, (_, seconds) in given.items()}

    def close(self):
        for player in [*self.players.values(), *([self.reference] if self.reference else [])]:
            player.close()
