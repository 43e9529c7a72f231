#!/usr/bin/env python3
"""Random models of branches that data decide, against ONNX Runtime: branches in one another, that read values of every graph around
them, share values, join them, and give constants, inputs and one value twice. Each model runs with every combination of its
conditions, so that both lists of each branch run.

    random_branches.py --opc=PATH --folder=DIR [--count=N] [--seed=S]
"""

import argparse
import itertools
import os
import pathlib
import random
import shutil
import subprocess
import sys

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import cpu_levels  # noqa: E402

SHAPE = (3, 5)
CONDITIONS = 3


class Maker:
    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.number = 0
        self.weights = [numpy_helper.from_array(np.full(SHAPE, 0.5, np.float32), "half"),
                        numpy_helper.from_array(np.int64([1]), "from"), numpy_helper.from_array(np.int64([4]), "to")]

    def name(self):
        self.number += 1
        return f"v{self.number}"

    def steps(self, known, depth, count):
        """Nodes over the names that are known, and the names that they add."""
        nodes, own = [], []
        for _ in range(count):
            visible = known + own
            kind = self.draw.choice(["Add", "Mul", "Neg", "Relu", "join", "Identity"] + ["If"] * (3 if depth < 3 else 0))
            result = self.name()
            if kind == "If":
                nodes.append(self.branch(visible, depth, result, own))
                continue
            if kind == "join":
                # The first rows of two values one after the other.
                joined = self.name()
                nodes.append(helper.make_node("Concat", self.draw.choices(visible, k=2), [joined], axis=0))
                nodes.append(helper.make_node("Slice", [joined, "from", "to"], [result]))
            else:
                nodes.append(helper.make_node(kind, self.draw.choices(visible, k=2 if kind in ("Add", "Mul") else 1), [result]))
            own.append(result)
        return nodes, own

    def branch(self, visible, depth, result, own):
        results = [result] + [self.name() for _ in range(self.draw.randrange(3))]
        graphs = []
        for _ in range(2):
            nodes, inner = self.steps(visible, depth + 1, self.draw.randrange(4))
            outputs = []
            for _ in results:
                # A graph gives values of its own: those of others through an Identity.
                taken = self.draw.choice(inner + self.draw.sample(visible, min(2, len(visible))) + ["half"])
                if taken not in inner or taken in outputs:
                    nodes.append(helper.make_node("Identity", [taken], [self.name()]))
                    taken = nodes[-1].output[0]
                outputs.append(taken)
            graphs.append(helper.make_graph(nodes, self.name(), [],
                                            [helper.make_tensor_value_info(one, TensorProto.FLOAT, SHAPE) for one in outputs]))
        own += results
        return helper.make_node("If", [f"c{self.draw.randrange(CONDITIONS)}"], results, then_branch=graphs[0], else_branch=graphs[1])

    def model(self):
        nodes, own = self.steps(["x", "z", "half"], 0, 7)
        nodes.append(self.branch(["x", "z", *own], 0, self.name(), own))
        outputs = list(dict.fromkeys([own[-1], *self.draw.sample(own, min(2, len(own)))]))
        inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, SHAPE) for name in "xz"]
        inputs += [helper.make_tensor_value_info(f"c{i}", TensorProto.BOOL, []) for i in range(CONDITIONS)]
        graph = helper.make_graph(nodes, "branches", inputs, [helper.make_tensor_value_info(one, TensorProto.FLOAT, SHAPE) for one in outputs],
                                  self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=9)


def run(arguments, environment):
    return subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, check=False, env=environment)


def check(seed, opc, folder):
    """What is wrong with the model of a seed; empty when nothing is."""
    model = Maker(seed).model()
    file, compiled = folder / "m.onnx", folder / "m"
    file.write_bytes(model.SerializeToString())
    environment = {"ASCEND_CACHE_PATH": str(folder / "cache"), **os.environ}
    done = run([opc, "compile", str(file), "--soc_version=Ascend310B", f"--output={compiled}"], environment)
    if done.returncode != 0:
        return done.stdout[-500:]
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    rng = np.random.default_rng(seed)
    feeds = {name: rng.standard_normal(SHAPE, dtype=np.float32) for name in "xz"}
    names = [value.name for value in model.graph.output]
    for conditions in itertools.product((False, True), repeat=CONDITIONS):
        feeds.update((f"c{i}", np.array(value)) for i, value in enumerate(conditions))
        arguments = [opc, "run", str(compiled), "--device=cpu"]
        for name, value in feeds.items():
            np.save(folder / f"{name}.npy", value)
            arguments += ["--input", f"{name}=@{folder / name}.npy"]
        for name in names:
            arguments += ["--output", f"{name}=@{folder / name}.npy"]
        done = run(arguments, environment)
        if done.returncode != 0:
            return done.stdout[-500:]
        for name, wanted in zip(names, session.run(names, feeds)):
            if not np.array_equal(np.load(folder / f"{name}.npy"), wanted):
                return f"'{name}' differs with the conditions {conditions}"
    return ""


def main():
    os.environ.update(cpu_levels.environment())
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--opc", required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(options.folder / "m", ignore_errors=True)  # of an earlier version, which this one does not replace
    wrong = 0
    for seed in range(options.seed, options.seed + options.count):
        what = check(seed, options.opc, options.folder)
        wrong += bool(what)
        if what:
            print(f"seed {seed}: {what}")
    print(f"{options.count} models, {wrong} of them wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
