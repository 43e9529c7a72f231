"""The process of one build in `./dev bench --compare`: takes requests as lines of JSON, answers each with one.

  {"prepare": "add_relu 4096 f32 t1", "memory": FILE}   prepares the case on memory in FILE; answers {"repeats": N}, or
                                                        {"absent": why} if this build does not have the operator
  {"sample": N}                                         runs N times; answers {"seconds": of one, "kept": true or false}
"""

import argparse
import json
import math
import mmap
import pathlib
import sys

import kernels
import native
import numpy as np
import race
import workload


class SharedMemory:
    """Arrays one after the other in a file that both processes map."""

    def __init__(self, path, size):
        with open(path, "a+b") as file:
            file.truncate(size)
            self.memory = mmap.mmap(file.fileno(), size)
        self.used = 0

    def allocate(self, shape, dtype):
        count = int(np.prod(shape, dtype=np.int64))
        array = np.frombuffer(self.memory, dtype, count, self.used).reshape(shape)
        self.used += (array.nbytes + 4095) // 4096 * 4096 + 4096
        return array


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("bench", type=pathlib.Path, help="the folder of libopc_bench.so")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()

    effort = race.QUICK if options.quick else race.Effort()
    bench = native.Bench(options.bench / "libopc_bench.so")
    runner = kernels.Kernels(options.build / "bin" / "opc", options.work, bench, [], effort, print)
    cases = {str(case): case for case in workload.cases() + workload.quick_cases()}
    side = case = None
    for line in sys.stdin:
        request = json.loads(line)
        if "prepare" in request:
            side, case = None, cases[request["prepare"]]
            # A gather reads few rows of its table. No element has more than 8 bytes; what is not used takes no memory.
            shapes = [*workload.shapes_of(case), workload.output_shape(case)]
            size = 8 * sum(map(math.prod, shapes)) + (1 << 20)
            memory = SharedMemory(request["memory"], size)
            inputs = workload.inputs_of(case, memory.allocate)
            output = memory.allocate(workload.output_shape(case), case.result())
            try:
                side = race.Side("opc", runner.kernel(case, inputs, output))
                race.settle(side, case.threads, effort)
                answer = {"repeats": side.repeats}
            except (native.Failed, AttributeError, OSError, SystemExit) as reason:
                answer = {"absent": " ".join(str(reason).split())}
        else:
            side.repeats = request["sample"]
            race.sample(side, case.threads)
            answer = {"seconds": side.seconds[-1], "kept": side.kept[-1]}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
