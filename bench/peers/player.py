"""The process of one runtime: does what it is told through a pipe.

    python player.py PIPE RUNTIME WORKLOAD FOLDER THREADS QUICK

Orders are tuples, the name of a method of Player first; each is answered by ("done", result),
("declined", reason) or ("failed", reason).
"""

import ctypes
import os
import signal
import sys
import time
import traceback
from multiprocessing.connection import Connection
from pathlib import Path

from runtimes import runtime_class
from runtimes.runtime import Declined
from workloads import WORKLOADS


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Player:
    def __init__(self, runtime, workload, folder, threads, quick):
        self.workload = WORKLOADS[workload](quick == "quick")
        self.rows = {row.name: row for row in self.workload.rows()}
        self.runtime = runtime_class(runtime)(self.workload, Path(folder), int(threads))

    def load(self):
        """Seconds that loading took."""
        start = time.perf_counter()
        self.runtime.load()
        return time.perf_counter() - start

    def answers(self, row, count):
        """What it answers to the first checks of a row, and the seconds that each took."""
        row = self.rows[row]
        answers, seconds = [], []
        for request in row.checks()[:count]:
            start = time.perf_counter()
            answer = row.serve(self.runtime, request)
            seconds.append(time.perf_counter() - start)
            answers.append([array.copy() for array in answer])
        return answers, seconds

    def requests(self, row, first, count):
        """Seconds of each of the requests with the numbers from `first` on. They are made before."""
        row = self.rows[row]
        requests = [row.request(number) for number in range(first, first + count)]
        serve, runtime, clock = row.serve, self.runtime, time.perf_counter
        times = [clock()]
        for request in requests:
            serve(runtime, request)
            times.append(clock())
        return [end - start for start, end in zip(times, times[1:])]

    def rate(self):
        """Of the probe."""
        return self.runtime.rate()

    def growth(self, row):
        """Resident bytes after the requests that do not count, and after all others."""
        row = self.rows[row]
        for number in range(row.before):
            row.serve(self.runtime, row.request(number))
        before = resident_bytes()
        for number in range(row.before, row.until):
            row.serve(self.runtime, row.request(number))
        return before, resident_bytes()


def in_a_line(error):
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]


def end_with_parent():
    """A stopped process would outlive it for ever."""
    set_death_signal = 1
    ctypes.CDLL(None).prctl(set_death_signal, signal.SIGKILL)


def main():
    end_with_parent()
    pipe = Connection(int(sys.argv[1]))
    player = None
    while True:
        try:
            order = pipe.recv()
        except EOFError:
            return
        try:
            if player is None:
                player = Player(*sys.argv[2:])
            pipe.send(("done", getattr(player, order[0])(*order[1:])))
        except Declined as reason:
            pipe.send(("declined", str(reason)))
        except Exception as error:
            traceback.print_exc()
            pipe.send(("failed", in_a_line(error)))


if __name__ == "__main__":
    main()
