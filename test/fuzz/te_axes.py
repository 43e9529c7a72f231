"""Random reductions over axes that a launch gives: contracts, shapes and axes by seed, run on both devices and compared with
NumPy.

x has zero to five dimensions, and one or two outputs reduce the same axes of it: any of them, from either end, or all. The axes
bind to shapes, or when compiling. What is reduced is computed first, perhaps with an input z of the same shape, and what is left
is computed after it. A second output reduces another value, or one that depends on a reduction, which takes another pass.
Numbers are whole and few, so that every order of additions gives the same. Programs run under all sanitizers, in an order of
the pipes that is drawn.
"""

import itertools
import random
import sys

import numpy as np

from te_driver import TYPES, Drive, rounded

SIZES = (0, 1, 1, 2, 3, 7, 16, 33, 130, 300, 1100, 4133, 13001)
MOST = 60000
FLOATS = ("float32", "float16", "bfloat16")
WHOLE = ("int32", "int16", "int8", "uint8")
STEPS = {"relu": lambda a: np.maximum(a, 0), "abs": np.abs, "neg": np.negative}
WITH_Z = {"maximum": np.maximum, "minimum": np.minimum, "add": np.add, "mul": np.multiply}


def loops_of(sizes, axes):
    """How many runs of neighbours are all reduced or all kept; a dimension of one element is either."""
    kinds = [axis in axes for axis, size in enumerate(sizes) if size != 1]
    return len(list(itertools.groupby(kinds)))


class Program:
    def __init__(self, seed):
        r = self.random = random.Random(seed)
        self.type = r.choice(FLOATS if r.random() < 0.7 else (*WHOLE, "bool"))
        self.is_float = self.type in FLOATS
        self.draw_shape()
        self.is_list = len(self.axes) != 1 or r.random() < 0.5
        self.binding = "compile" if r.random() < 0.25 else "shape"
        self.keeps = r.random() < 0.5
        self.has_keep = self.keeps or r.random() < 0.7
        self.has_z = r.random() < 0.4 and self.type != "bool"
        self.before = [] if self.type == "bool" else r.choices(self.steps(), k=r.randint(0, 2))
        self.results = [(self.draw_kind(), None, self.draw_after())]
        if r.random() < 0.5:
            # The reduction on which the second one depends; of a sum, which may be large, and a mean only extremes are exact.
            first = r.choice((None, "max", "min", "sum", "mean")) if self.is_float else None
            kind = self.draw_kind() if first is None else r.choice(("max", "min") if first in ("sum", "mean") else ("max", "min", "sum"))
            self.results.append((kind, first, self.draw_after()))
        if self.type == "bool":
            self.has_z = False
        elif self.has_z:
            self.meets = r.choice(list(WITH_Z))

    def steps(self):
        return list(STEPS) if self.is_float else ["copy"]

    def draw_after(self):
        return self.random.choices(self.steps(), k=self.random.randint(0, 1)) if self.is_float else []

    def draw_kind(self):
        if self.type == "bool":
            return self.random.choice(("any", "all"))
        return self.random.choice(("sum", "max", "min", "prod", *(["mean"] if self.is_float else [])))

    def draw_shape(self):
        r = self.random
        while True:
            rank = r.choice((0, 1, 2, 2, 3, 3, 4, 5))
            self.sizes = [r.choice(SIZES) for _ in range(rank)]
            self.axes = sorted(r.sample(range(rank), r.randint(0, rank)))
            # No axes are all axes.
            reduced = self.axes or list(range(rank))
            if np.prod([max(size, 1) for size in self.sizes]) <= MOST and loops_of(self.sizes, reduced) <= 4:
                break
        self.reduced = tuple(reduced)
        self.given = [axis - rank if r.random() < 0.5 else axis for axis in self.axes]
        r.shuffle(self.given)

    def write(self, folder):
        tensor = lambda name: [f"  - name: {name}", f"    types: [{self.type}]"]  # noqa: E731
        lines = ["schema: 1", "op_type: Drawn", "version: 1.0.0", "summary: drawn", "inputs:"]
        for name in ("x", "z") if self.has_z else ("x",):
            lines += [*tensor(name), "    shape: [...S]"]
        lines.append("outputs:")
        for number in range(len(self.results)):
            lines += [*tensor(f"y{number}"), f"    reduces: {{input: x, axes: axes{', keep_dims: keep' if self.has_keep else ''}}}"]
        kind, default = ("list_int", "[]") if self.is_list else ("int", "0")
        lines += ["attributes:", f"  - {{name: axes, type: {kind}, bind: {self.binding}, default: {default}, range: {{minimum: -8, maximum: 7}}}}"]
        lines += [f"  - {{name: keep, type: bool, bind: {self.binding}, default: false}}"] * self.has_keep
        lines += ["precision:", *(["  compute: float32", "  accumulate: float32"] if self.is_float else ["  compute: storage"])]
        lines += ["  tolerance:", f"    - type: {self.type}", "      max_ulp: 0", "bodies:", "  - level: te", "    file: drawn.mlir"]
        (folder / "op_contract.yaml").write_text("\n".join([*lines, "reference: reference.py", ""]))
        (folder / "drawn.mlir").write_text("\n".join(self.body()))
        (folder / "reference.py").write_text('"""None: te_axes.py has the numbers."""\n')

    def body(self):
        names = [f"y{number}" for number in range(len(self.results))]
        types = ", ".join(f"!{name}" for name in names)
        lines = ["!T = f16", f"func.func @drawn(%x: !x{', %z: !z' * self.has_z}) -> ({types}) {{"]
        value = "%x"

        def define(name, text):
            lines.append(f"  {name} = te.{text}")
            return name

        if self.has_z:
            value = define("%m", f"{self.meets} %x, %z")
        for at, step in enumerate(self.before):
            value = define(f"%a{at}", f"maximum {value}, {value}" if step == "copy" else f"{step} {value}")
        for name, (kind, first, after) in zip(names, self.results):
            source = value
            if first:
                define(f"%k{name}", f"reduce_{first} {value} axes #axes keep")
                source = define(f"%d{name}", f"sub {value}, %k{name}")
            for at in range(len(after) + 1):
                last = f"%{name}" if at == len(after) else f"%{name}b{at}"
                source = define(last, f"{after[at - 1]} {source}" if at else f"reduce_{kind} {source} axes #axes")
        return [*lines, f"  return {', '.join('%' + name for name in names)} : {types}", "}", ""]

    def arrays(self):
        numbers = np.random.default_rng(self.random.getrandbits(32))
        least = 0 if self.type in ("uint8", "bool") else -1
        draw = lambda: numbers.integers(least, 2, self.sizes).astype(TYPES[self.type])  # noqa: E731
        return {"x": draw(), **({"z": draw()} if self.has_z else {})}

    def reduce(self, a, kind, keep):
        """In float32, in which all sums are exact, or in int64, which wraps to the type in the end."""
        if kind in ("any", "all"):
            return (np.any if kind == "any" else np.all)(a, axis=self.reduced, keepdims=keep)
        if kind == "mean":
            with np.errstate(all="ignore"):
                count = np.float32(np.prod([a.shape[axis] for axis in self.reduced]))
                return np.sum(a, axis=self.reduced, keepdims=keep) / count
        if kind in ("sum", "prod"):
            return (np.sum if kind == "sum" else np.prod)(a, axis=self.reduced, keepdims=keep)
        ends = (-np.inf, np.inf) if self.is_float else (np.iinfo(self.type).min, np.iinfo(self.type).max)
        return (np.max if kind == "max" else np.min)(a, axis=self.reduced, keepdims=keep, initial=ends[kind == "min"])

    def expected(self, arrays):
        a = arrays["x"] if self.type == "bool" else arrays["x"].astype("f4" if self.is_float else "i8")
        if self.has_z:
            a = WITH_Z[self.meets](a, arrays["z"].astype(a.dtype))
        for step in self.before:
            a = a if step == "copy" else STEPS[step](a)
        result = {}
        for number, (kind, first, after) in enumerate(self.results):
            value = self.reduce(a - self.reduce(a, first, True) if first else a, kind, self.keeps)
            for step in after:
                value = STEPS[step](value)
            with np.errstate(all="ignore"):
                result[f"y{number}"] = rounded(np.asarray(value), self.type)
        return result

    @property
    def bound(self):
        axes = str(self.given).replace(" ", "") if self.is_list else str(self.given[0])
        return {"axes": axes, **({"keep": str(self.keeps).lower()} if self.has_keep else {})}

    @property
    def attributes(self):
        return self.bound if self.binding == "compile" else {}

    @property
    def launch_attributes(self):
        return self.bound if self.binding == "shape" else {}

    @property
    def text(self):
        return f"{self.type} {self.sizes} {self.bound} at {self.binding}, {self.before}, {self.results}"

    @property
    def narrow(self):
        return ("x", "z", "y0", "y1") if self.type == "bfloat16" else ()

    refusal, may_lack_chip, chip_refusal = None, False, None


def main():
    return Drive(__doc__.splitlines()[0], Program).end()


if __name__ == "__main__":
    sys.exit(main())
