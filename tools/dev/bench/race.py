"""Measures sides against each other: they take turns, and samples that had to share a core are dropped.

Idle threads of a pool start late: with one or two calls per sample, two threads gave calls of half a millisecond no
speedup, and calls of five milliseconds 1.76. On several threads a side therefore runs for a few milliseconds before
its sample, and samples last a few milliseconds: this measures consecutive launches, with the side's own threads awake
and those of other sides idle.

On one thread a side runs eight times before its sample, or for some milliseconds, until caches hold its data. A sample
is kept when the calling thread had CPU time for at least 0.97 of the wall time. On several threads idle ones may wait
for work, and waking them takes time that no other program used. So a sample is kept when before and after it no other
programs wanted the cores that it needs (the kernel's procs_running), and its threads ran for at least 0.97 of the time
in which they wanted to: the kernel counts how long each thread waited in a run queue. (The number of preemptions alone
means little: threads of the kernel take microseconds, about twice in 50 ms on an idle machine.)

A ratio is the median over turns of the ratio within the turn, so that drift of the machine cancels out.
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
    """A participant of a race. `call.run(n)` runs n times and returns Clocks."""

    name: str
    call: object
    caller_works: bool = True  # on one thread: the calling thread does the work itself
    repeats: int = 1
    before: int = 1  # runs before a sample
    seconds: list = dataclasses.field(default_factory=list)  # of one run, one for each turn
    kept: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Effort:
    """How long to measure."""

    turns: int = 15  # wanted number of kept turns of every side
    enough: int = 5  # kept turns below which a figure is called unsure
    sample: float = 4e-4  # minimum seconds of a sample, on one thread
    before: int = 8  # wanted runs before it, on one thread
    warm: float = 8e-3  # maximum seconds of them, for more than one
    together: float = 2.5e-3  # the same on several threads
    budget: float = 3.0  # maximum seconds of a race, once each side has `enough` turns


QUICK = Effort(turns=5, enough=3, sample=2e-4, before=1, together=2.5e-3, budget=0.5)


class PythonCall:
    """A call made from Python; the overhead of Python, well below a microsecond, is part of the sample."""

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
    """The number of threads of this process that run or are runnable."""
    count = 0
    for path in pathlib.Path("/proc/self/task").iterdir():
        try:
            count += (path / "stat").read_text().rpartition(")")[2].split()[0] == "R"
        except OSError:
            pass  # the thread has ended
    return count


def running():
    """The number of threads of all programs that run or are runnable; None when it is unknown."""
    try:
        lines = pathlib.Path("/proc/stat").read_text(encoding="ascii").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("procs_running"))
    except (OSError, StopIteration):
        return None


def crowded(threads, own=own_running, everybody=running, cores=os.cpu_count()):
    """Whether other programs leave fewer cores than `threads`; False when it is unknown. Threads of this process may
    fall asleep during the count, which is then repeated."""
    for _ in range(8):
        before, count, after = own(), everybody(), own()
        if count is None:
            return False
        if before == after:
            return count - after > (cores or threads) - threads
    return True


class Queue:
    """Measures how long threads of this process waited in a run queue."""

    def __init__(self):
        self.files = []
        for path in pathlib.Path("/proc/self/task").glob("*/schedstat"):
            try:
                self.files.append(path.open("rb", buffering=0))
            except OSError:
                pass  # the thread has ended
        self.start()

    def read(self):
        """Nanoseconds of each thread, None for one that has ended. Uses only one system call per thread, since
        threads of pools fall asleep meanwhile."""
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
        """Seconds since start(). When the kernel does not count them, infinity once a thread was preempted."""
        ended = self.read()
        if not self.files:
            return math.inf if resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw > self.switches else 0.0
        return sum(b - a for a, b in zip(self.began, ended) if a is not None and b is not None) * 1e-9

    def close(self):
        for file in self.files:
            file.close()


def kept(clocks, threads, caller_works, queued, others):
    """Whether a sample had its cores to itself; `queued`: seconds that its threads waited for one."""
    if threads == 1:
        return (clocks.caller if caller_works else clocks.process) >= KEPT_SHARE * clocks.wall
    return not others and queued <= (1 - KEPT_SHARE) * clocks.wall * threads


def rest(limit=0.05):
    """Waits until threads of this process stop looking for work: those of some libraries spin for ten milliseconds."""
    began, idle = time.perf_counter(), 0
    while idle < 2 and time.perf_counter() - began < limit:
        before = time.process_time()
        time.sleep(0.001)
        idle = idle + 1 if time.process_time() - before < 0.0002 else 0


def sample(side, threads):
    if threads == 1:
        # Evict what the other sides left in the caches. A shared cache keeps its data for long: it took an EPYC of family
        # 26 (32 MB) five runs to hold the 12 MB of a transpose (in turn 600, 370, 220, 180 and 170 us; its ceiling 350, 240,
        # 200, 160 and 130 us).
        side.call.run(side.before)
        clocks, queued, others = side.call.run(side.repeats), 0.0, False
    else:
        # Wait until threads of other sides are idle.
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
    """Chooses the number of runs in a sample of a side, and before it."""
    side.call.run(1)
    once = min(side.call.run(1).wall for _ in range(3))
    wanted = effort.together if threads > 1 else effort.sample
    side.repeats = max(1, min(100000, round(wanted / max(once, 1e-9))))
    side.before = max(1, side.repeats // 4, min(effort.before, round(effort.warm / max(once, 1e-9))))


def race(sides, threads, effort):
    """Lets the sides take turns until each has enough kept turns, or time is up."""
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
    """How many times as fast one side is as another."""

    value: float  # seconds of `other` over seconds of `one`; the median over turns
    low: float  # quartiles of the turns
    high: float
    one: float  # median seconds
    other: float
    turns: int  # turns that were used
    dropped: int  # turns in which a side had to share its core
    sure: bool


def ratio(one, other, effort):
    """The ratio of the kept turns, or of all turns, and then unsure, when too few were kept."""
    turns = range(len(one.seconds))
    good = [t for t in turns if one.kept[t] and other.kept[t]]
    sure = len(good) >= effort.enough
    taken = good if sure else list(turns)
    values = [other.seconds[t] / one.seconds[t] for t in taken]
    low, _, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else values * 3
    return Ratio(statistics.median(values), low, high, statistics.median(one.seconds[t] for t in taken),
                 statistics.median(other.seconds[t] for t in taken), len(good), len(turns) - len(good), sure)
