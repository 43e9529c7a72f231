#!/usr/bin/env python3
"""Random models over operators of the library, by seed: compiled, run, and each value compared with ONNX Runtime.

A model is a chain of values of which any may be read again, also through views, and some are outputs: what shares memory with
what, and for how long, is different in each. Its nodes are those of every operator that a contract of the library has a form for:
library_nodes.py has one function for each, and the others, each with its reason; and those of operators that become several nodes.

    random_graphs.py --opc=PATH --library=ops/library --folder=DIR [--count=N --seed=S]
"""

import argparse
import collections
import os
import pathlib
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import cpu_levels  # noqa: E402
from library_nodes import EXACT, LEFT_OUT, MAKERS, PARTS, operators_of  # noqa: E402


class Graph:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.nodes, self.weights = [], []
        first = [int(self.rng.integers(1, 5)), int(self.rng.integers(2, 7)), int(self.rng.integers(3, 20))]
        self.values = [("x", first)]
        self.input = first
        self.exact = {"x"}

    def weight(self, array, name=None):
        name = name or f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def add(self, kind, inputs, shape, **attributes):
        result = self.node(kind, inputs, **attributes)
        self.values.append((result, list(shape)))
        if kind in EXACT and self.exact.issuperset(inputs):
            self.exact.add(result)

    def node(self, kind, inputs, **attributes):
        """A node whose result nothing else reads."""
        result = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [result], name=f"{kind}_{len(self.nodes)}", **attributes))
        return result

    def number(self, low=-2.0, high=2.0):
        return float(np.float32(self.rng.uniform(low, high)))

    def floats(self, *shape, scale=1.0):
        return self.weight((self.rng.standard_normal(shape) * scale).astype(np.float32))

    def image(self):
        """A value as images [N, C, H, W], and their shape."""
        name, shape = self.pick()
        flat = int(np.prod(shape))
        if flat > 600:
            return None
        channels = next(count for count in (4, 3, 2, 1) if flat % count == 0)
        rows = next(r for r in range(min(12, flat // channels), 0, -1) if flat // channels % r == 0)
        made = [1, channels, rows, flat // channels // rows]
        return self.node("Reshape", [name, self.weight(np.array(made, dtype=np.int64))]), made

    def pick(self, holds=lambda shape: True):
        """A value, late ones more often; None when none holds."""
        fitting = [value for value in self.values if holds(value[1])]
        if not fitting:
            return None
        return self.pick_of(fitting)

    def pick_exact(self):
        return self.pick_of([value for value in self.values if value[0] in self.exact])

    def pick_of(self, fitting):
        return fitting[-1 - int(min(self.rng.geometric(0.4) - 1, len(fitting) - 1))]

    def step(self):
        choice = int(self.rng.integers(0, 13))
        name, shape = self.pick()
        if choice <= 1:
            self.add(str(self.rng.choice(["Relu", "Tanh", "Sigmoid", "Neg", "Abs"])), [name], shape)
        elif choice <= 3:
            other = self.pick(lambda other: other == shape)
            self.add(str(self.rng.choice(["Add", "Sub", "Mul"])), [name, other[0]], shape)
        elif choice == 4 and len(shape) >= 2:
            columns = int(self.rng.integers(1, 24))
            matrix = self.weight((self.rng.standard_normal((shape[-1], columns)) / np.sqrt(shape[-1])).astype(np.float32))
            self.add("MatMul", [name, matrix], [*shape[:-1], columns])
        elif choice == 5:
            self.add("Softmax", [name], shape, axis=-1)
        elif choice == 6 and len(shape) >= 2:
            axis = int(self.rng.integers(0, len(shape)))
            axes = self.weight(np.array([axis], dtype=np.int64))
            keep = int(self.rng.integers(0, 2))
            self.add("ReduceMean", [name, axes], [1 if i == axis else size for i, size in enumerate(shape) if keep or i != axis],
                     keepdims=keep)
        elif choice == 7:
            self.add("Flatten", [name], [int(np.prod(shape[:1])), int(np.prod(shape[1:]))], axis=1)
        elif choice == 8:
            wanted = [-1, shape[-1]] if len(shape) != 2 else [1, -1, shape[-1]]
            made = [int(np.prod(shape[:-1])), shape[-1]] if len(shape) != 2 else [1, shape[0], shape[1]]
            self.add("Reshape", [name, self.weight(np.array(wanted, dtype=np.int64))], made)
        elif choice == 9:
            bias = self.weight(self.rng.standard_normal(shape[-1]).astype(np.float32))
            self.add("Add", [name, bias], shape)
        else:
            self.ranges(choice, name, shape)

    def ranges(self, choice, name, shape):
        """What is often one range of bytes: joins, parts, one place of an axis."""
        axis = int(self.rng.integers(0, len(shape))) if self.rng.integers(0, 3) == 0 else next((i for i, size in enumerate(shape) if size > 1), 0)
        size = shape[axis]
        if choice == 10:
            fitting = [value for value in self.values if len(value[1]) == len(shape) and all(a == b for i, (a, b) in enumerate(zip(value[1], shape)) if i != axis)]
            chosen = [fitting[int(i)] for i in self.rng.integers(0, len(fitting), int(self.rng.integers(1, 4)))] + [(name, shape)]
            joined = [sum(each[1][axis] for each in chosen) if i == axis else size for i, size in enumerate(shape)]
            if np.prod(joined) < 20000:
                self.add("Concat", [each[0] for each in chosen], joined, axis=axis)
        elif choice == 11:
            start = int(self.rng.integers(0, size))
            end = int(self.rng.integers(start + 1, size + 1))
            bounds = [self.weight(np.array([number], dtype=np.int64)) for number in (start - size, end, axis)]
            self.add("Slice", [name, *bounds], [end - start if i == axis else each for i, each in enumerate(shape)])
        elif len(shape) > 2:
            index = self.weight(np.array(int(self.rng.integers(-size, size)), dtype=np.int64))
            self.add("Gather", [name, index], [each for i, each in enumerate(shape) if i != axis], axis=axis)

    def of_library(self, operator):
        """A node of an operator; false where no value has a shape for it."""
        return MAKERS[operator](self, operator) is not False

    def model(self, steps, operators):
        """Half of the steps are of the operators, in turns."""
        while len(self.nodes) < steps:
            self.step()
            if operators:
                operator = operators.popleft()
                if not self.of_library(operator):
                    operators.append(operator)
        results = [value for value in self.values[1:]]
        count = int(self.rng.integers(1, 4))
        chosen = {results[-1][0], *(results[int(i)][0] for i in self.rng.integers(0, len(results), count))}
        outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in results if name in chosen]
        inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, self.input)]
        graph = helper.make_graph(self.nodes, "random", inputs, outputs, self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 24)], ir_version=10)


def main():
    os.environ.update(cpu_levels.environment())
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--opc", required=True)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    names = operators_of(options.library)
    unknown = names - MAKERS.keys() - LEFT_OUT.keys()
    if unknown:
        print(f"neither made nor left out with a reason: {sorted(unknown)}")
        return 1
    turns = sorted(names & MAKERS.keys() | PARTS.keys())
    np.random.default_rng(options.seed).shuffle(turns)
    operators = collections.deque(turns * (1 + options.count // 4))
    failed = 0
    for seed in range(options.seed, options.seed + options.count):
        file = options.folder / f"{seed}.onnx"
        model = Graph(seed).model(10 + seed % 25, operators)
        onnx.checker.check_model(model)
        onnx.save(model, file)
        done = subprocess.run([options.opc, "test", str(file), f"--seed={seed}"], capture_output=True, text=True, timeout=300, check=False)
        if done.returncode != 0:
            failed += 1
            print(f"seed {seed}, {file}: exit {done.returncode}\n{done.stderr[-2000:]}")
    print(f"{options.count} graphs, {failed} of them wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
