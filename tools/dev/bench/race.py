"""Measuring sides against each other: they take turns, and a sample that had to share its core is dropped.

The threads of a pool at rest come late: in a run of one or two calls a sample, two threads brought calls of half a
millisecond nothing, and calls of five 1.76. On several threads a side therefore runs for a few milliseconds before its
sample and in it: what is measured are launches one after the other, each side with its own threads awake, and those of
the other sides at rest.

On one thread a sample is kept when the thread that called had CPU time for 0.97 of the wall's. On several threads idle
ones may rightly wait for work, and waking them takes time that nobody else had. So a sample is kept when before and after
it no other programs wanted the cores that it needs (the kernel's procs_running), and in between its threads ran for 0.97
of the time in which they wanted to: the kernel counts how long each stood in a queue behind others. (That a thread had to
make room at all says little: threads of the kernel take microseconds, about twice in 50 ms on a machine at rest.)

A ratio is the median over turns of the ratio within the turn, so that drift of the machine falls out.
"""

import dataclasses
import math
import os
import pathlib
import resource
import statistics
import time

from native import Clocks

KEPT_SHARE = 0.97


@dataclasses.dataclass
class Side:
    """One of those that take turns. `call.run(n)` runs n times and returns Clocks."""

    name: str
    call: object
    caller_works: bool = True  # on one thread: the calling thread does the work itself
    repeats: int = 1
    seconds: list = dataclasses.field(default_factory=list)  # of one run, a turn each
    kept: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Effort:
    """How long is measured."""

    turns: int = 15  # kept turns wanted of every side
    enough: int = 5  # kept turns below which a figure is called unsure
    sample: float = 4e-4  # seconds of a sample at least, on one thread
    together: float = 2.5e-3  # the same on several threads
    budget: float = 3.0  # seconds of a race at most, once each side had `enough` turns


QUICK = Effort(turns=5, enough=3, sample=2e-4, together=2.5e-3, budget=0.5)


class PythonCall:
    """A call that Python makes; its own time, well below a microsecond, is in the sample."""

    def __init__(self, function, keep=()):
        self.function, self.keep = function, keep

    def run(self, repeats):
        function, turns = self.function, range(repeats)
        process, caller, wall = time.process_time(), time.thread_time(), time.perf_counter()
        for _ in turns:
            function()
        wall, caller = time.perf_counter() - wall, time.thread_time() - caller
        return Clocks(wall, caller, time.process_time() - process)


def own_running():
    """How many threads of this process run or want to."""
    count = 0
    for path in pathlib.Path("/proc/self/task").iterdir():
        try:
            count += (path / "stat").read_text().rpartition(")")[2].split()[0] == "R"
        except OSError:
            pass  # the thread has ended
    return count


def running():
    """How many threads of all programs run or want to; None where the system does not say."""
    try:
        lines = pathlib.Path("/proc/stat").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("procs_running"))
    except (OSError, StopIteration):
        return None


def crowded(threads, own=own_running, everybody=running, cores=os.cpu_count()):
    """Whether other programs leave fewer cores than `threads`; false where the system does not say. Threads of this process
    fall asleep all the time; a count in which they did is taken again."""
    for _ in range(8):
        before, count, after = own(), everybody(), own()
        if count is None:
            return False
        if before == after:
            return count - after > (cores or threads) - threads
    return True


class Queue:
    """How long threads of this process have waited for a core that they wanted."""

    def __init__(self):
        self.files = []
        for path in pathlib.Path("/proc/self/task").glob("*/schedstat"):
            try:
                self.files.append(path.open("rb", buffering=0))
            except OSError:
                pass  # the thread has ended
        self.start()

    def read(self):
        """Nanoseconds of each thread, None of one that has ended; no more than a system call each, for threads of pools
        fall asleep meanwhile."""
        return [self.of(file) for file in self.files]

    @staticmethod
    def of(file):
        try:
            return int(os.pread(file.fileno(), 96, 0).split()[1])
        except (OSError, IndexError):
            return None

    def start(self):
        self.began, self.switches = self.read(), resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw

    def seconds(self):
        """Since start(). Where the kernel does not count them, all time is lost once a thread had to make room."""
        ended = self.read()
        if not self.files:
            return math.inf if resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw > self.switches else 0.0
        return sum(b - a for a, b in zip(self.began, ended) if a is not None and b is not None) * 1e-9

    def close(self):
        for file in self.files:
            file.close()


def kept(clocks, threads, caller_works, queued, others):
    """Whether a sample had its cores for itself; `queued`: seconds that its threads waited for one."""
    if threads == 1:
        return (clocks.caller if caller_works else clocks.process) >= KEPT_SHARE * clocks.wall
    return not others and queued <= (1 - KEPT_SHARE) * clocks.wall * threads


def rest(limit=0.05):
    """Waits until threads of this process have stopped to look for work: some libraries' spin for ten milliseconds."""
    began, idle = time.perf_counter(), 0
    while idle < 2 and time.perf_counter() - began < limit:
        before = time.process_time()
        time.sleep(0.001)
        idle = idle + 1 if time.process_time() - before < 0.0002 else 0


def sample(side, threads):
    if threads == 1:
        # What the other sides left in the caches goes.
        side.call.run(max(1, side.repeats // 4))
        clocks, queued, others = side.call.run(side.repeats), 0.0, False
    else:
        # Threads of other sides come to rest.
        rest()
        others, queue = crowded(threads), Queue()
        side.call.run(side.repeats)
        queue.start()
        clocks = side.call.run(side.repeats)
        queued = queue.seconds()
        queue.close()
        others = others or crowded(threads)
    side.seconds.append(clocks.wall / side.repeats)
    side.kept.append(kept(clocks, threads, side.caller_works, queued, others))


def settle(side, threads, effort):
    """Chooses how often a side runs in a sample."""
    side.call.run(1)
    once = min(side.call.run(1).wall for _ in range(3))
    wanted = effort.together if threads > 1 else effort.sample
    side.repeats = max(1, min(100000, round(wanted / max(once, 1e-9))))


def race(sides, threads, effort):
    """Lets the sides take turns until each has kept enough, or time is up."""
    for side in sides:
        settle(side, threads, effort)
    began = time.perf_counter()
    for turn in range(4 * effort.turns):
        first = turn % len(sides)
        for side in sides[first:] + sides[:first]:
            sample(side, threads)
        counts = [sum(side.kept) for side in sides]
        if min(counts) >= effort.turns:
            break
        late = time.perf_counter() - began > effort.budget
        if turn + 1 >= effort.enough and late and (min(counts) >= effort.enough or turn + 1 >= effort.turns
                                                   or time.perf_counter() - began > 1.5 * effort.budget):
            break


@dataclasses.dataclass
class Ratio:
    """How often one side is as fast as another."""

    value: float  # seconds of `other` over seconds of `one`; the median over turns
    low: float  # quartiles of the turns
    high: float
    one: float  # median seconds
    other: float
    turns: int  # turns that count
    dropped: int  # turns in which a side had to share its core
    sure: bool


def ratio(one, other, effort):
    """Of all turns when too few were kept, and then it is not sure."""
    turns = range(len(one.seconds))
    good = [t for t in turns if one.kept[t] and other.kept[t]]
    sure = len(good) >= effort.enough
    taken = good if sure else list(turns)
    values = [other.seconds[t] / one.seconds[t] for t in taken]
    low, _, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    return Ratio(statistics.median(values), low, high, statistics.median(one.seconds[t] for t in taken),
                 statistics.median(other.seconds[t] for t in taken), len(good), len(turns) - len(good), sure)
