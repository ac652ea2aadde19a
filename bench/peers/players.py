"""Starts and orders the processes of the runtimes.

Each has a process of its own, so that a crash, a thread pool or an allocator concerns nobody else. Only
the one whose turn it is exists for the machine: all others are stopped by a signal, so threads that
spin for more work, and threads that compile in the background, take no time from those who are measured.
"""

import os
import signal
import subprocess
import sys
from multiprocessing import Pipe
from pathlib import Path

PLAYER = Path(__file__).with_name("player.py")


class Unavailable(Exception):
    """A runtime gave no result: it declined, failed or crashed. `kind` says which."""

    def __init__(self, kind, reason):
        super().__init__(reason)
        self.kind = kind


class PlayerProcess:
    """Stopped except between order() and its answer."""

    def __init__(self, runtime, workload, folder, threads):
        self.runtime = runtime
        mine, its = Pipe()
        self.log = open(folder / f"{runtime}.log", "w+")
        command = [sys.executable, PLAYER, its.fileno(), runtime, workload.name, folder, threads]
        command.append("quick" if workload.quick else "full")
        self.process = subprocess.Popen(
            [str(part) for part in command],
            pass_fds=[its.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=self.log,
            env=_environment(folder, threads),
            start_new_session=True,  # so that signals reach the compilers that it starts, too
        )
        its.close()
        self.pipe = mine
        self._signal(signal.SIGSTOP)

    def tell(self, *order):
        """Lets it go on; answer() has to follow."""
        self._signal(signal.SIGCONT)
        self.pipe.send(order)

    def answer(self):
        try:
            kind, result = self.pipe.recv()
        except (EOFError, ConnectionResetError):
            raise Unavailable("failed", f"the process ended: {self._last_words()}") from None
        self._signal(signal.SIGSTOP)
        if kind != "done":
            raise Unavailable(kind, result)
        return result

    def order(self, *order):
        try:
            self.tell(*order)
        except BrokenPipeError:
            raise Unavailable("failed", f"the process ended: {self._last_words()}") from None
        return self.answer()

    def _signal(self, number):
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass  # it ended; whoever reads from the pipe will say so

    def _last_words(self):
        code = self.process.wait()
        self.log.seek(0)
        lines = self.log.read().strip().splitlines()
        return f"{lines[-1] if lines else 'without a word'} (exit status {code})"[:200]

    def close(self):
        self.pipe.close()
        self._signal(signal.SIGKILL)
        self.process.wait()
        self.log.close()


def _environment(folder, threads):
    pools = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")
    # PyTorch compiles each model, whatever an earlier process did, but may keep its precompiled headers.
    torch = {
        "TORCHINDUCTOR_CACHE_DIR": str(folder.parent / "torch"),
        "TORCHINDUCTOR_FX_GRAPH_CACHE": "0",
        "TORCHINDUCTOR_AUTOGRAD_CACHE": "0",
    }
    return {**os.environ, **{name: str(threads) for name in pools}, **torch}
