#!/usr/bin/env python3
"""Random models over operators of the library, by seed: compiled, run, and each value compared with ONNX Runtime.

A model is a chain of values of which any may be read again, also through views, and some are outputs: what shares memory with
what, and for how long, is different in each.

    random_graphs.py --opc=PATH --folder=DIR [--count=N --seed=S]
"""

import argparse
import pathlib
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class Graph:
    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.nodes, self.weights = [], []
        first = [int(self.rng.integers(1, 5)), int(self.rng.integers(2, 7)), int(self.rng.integers(3, 20))]
        self.values = [("x", first)]
        self.input = first

    def weight(self, array, name=None):
        name = name or f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def add(self, kind, inputs, shape, **attributes):
        result = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [result], name=f"{kind}_{len(self.nodes)}", **attributes))
        self.values.append((result, list(shape)))

    def pick(self, holds=lambda shape: True):
        """A value, late ones more often; None when none holds."""
        fitting = [value for value in self.values if holds(value[1])]
        if not fitting:
            return None
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

    def model(self, steps):
        while len(self.nodes) < steps:
            self.step()
        results = [value for value in self.values[1:]]
        count = int(self.rng.integers(1, 4))
        chosen = {results[-1][0], *(results[int(i)][0] for i in self.rng.integers(0, len(results), count))}
        outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in results if name in chosen]
        inputs = [helper.make_tensor_value_info("x", TensorProto.FLOAT, self.input)]
        graph = helper.make_graph(self.nodes, "random", inputs, outputs, self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--opc", required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    failed = 0
    for seed in range(options.seed, options.seed + options.count):
        file = options.folder / f"{seed}.onnx"
        model = Graph(seed).model(10 + seed % 25)
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
