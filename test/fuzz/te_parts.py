"""Random bodies of parts, ranges and inputs with a count, in every type: contracts and shapes by seed, run on both devices and
compared with NumPy.

Parts of a dimension P*D meet each other or an input of D, and are a result or are stacked to one. Ranges of an input of A+B, or two
inputs, are a result or are joined to one, perhaps before what is computed with both. Both may then meet the largest of their
rows, or of their columns along L. An input that stands for one to four tensors is folded, in each way that its type has, and
meets another one, which may be a row. Programs for the AI Core run under all sanitizers, in an order of the pipes that is drawn.
"""

import functools
import random
import sys

import numpy as np

from te_driver import TYPES, Drive

SIZES = (0, 1, 2, 3, 7, 16, 33, 130, 300)
MOST = 40000
NUMBERS = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "maximum": np.maximum, "minimum": np.minimum}
TRUTHS = {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor}
FOLDS = {**{form: NUMBERS[form] for form in ("add", "mul", "maximum", "minimum")}, **{form: TRUTHS[form] for form in ("and", "or")}}


class Program:
    def __init__(self, seed):
        r = self.random = random.Random(seed)
        self.kind = r.choice(("parts", "ranges", "fold"))
        self.type = r.choice(list(TYPES))
        self.lead = ["L", "M"][: r.randint(0, 2)]
        self.words = TRUTHS if self.type == "bool" else NUMBERS
        self.fold = r.choice([form for form in FOLDS if form in self.words])
        self.count = r.randint(2, 4)
        self.joins = r.random() < 0.5
        # For each part or range: the word, and which other part it meets, or z.
        self.steps = [(r.choice(list(self.words)), r.randint(-1, self.count - 1)) for _ in range(self.count)]
        self.is_row = r.random() < 0.3
        # What parts and ranges are reduced along: their own dimension, or one around them.
        ways = [None] * 3 + ["own"] * 2 + (["L"] if self.lead else [])
        self.reduced = r.choice(ways) if self.kind != "fold" and self.type not in ("bool", "int8", "uint8") else None
        self.joins_first = self.kind == "ranges" and self.joins and self.type != "bool" and self.reduced != "own" and r.random() < 0.5
        while True:
            self.sizes = {dim: r.choice(SIZES) for dim in "LMDA"} | {"P": self.count, "B": r.choice(SIZES[1:])}
            if self.joins and self.kind == "ranges":
                self.sizes["A"] = max(self.sizes["A"], 1)
            if np.prod([max(self.sizes[dim], 1) for dim in [*self.lead, "P", "D"]]) <= MOST and (
                    np.prod([max(self.sizes[dim], 1) for dim in self.lead]) * (self.sizes["A"] + self.sizes["B"]) <= MOST):
                break

    def own(self):
        """The last dimension of x, z and y."""
        if self.kind == "fold":
            return "D", "D", "D"
        if self.kind == "parts":
            return "P*D", "D", "P*D" if self.joins else "D"
        return "A+B", "A", "A+B" if self.joins else "A"

    def write(self, folder):
        def tensor(name, dims, *more):
            return [f"  - name: {name}", f"    types: [{self.type}]", f"    shape: [{', '.join(dims)}]", *more]

        x, z, y = self.own()
        lines = ["schema: 1", "op_type: Drawn", "version: 1.0.0", "summary: drawn", "inputs:"]
        # What has a count is the last one.
        lines += tensor("z", [*([] if self.is_row else self.lead), z])
        lines += tensor("x", [*self.lead, x], *(["    count: n"] if self.kind == "fold" else []))
        lines += ["outputs:", *tensor("y", [*self.lead, y])]
        if self.kind == "fold":
            lines += ["attributes:", "  - {name: n, type: int, bind: compile, default: 2, range: {minimum: 1, maximum: 4}}"]
        else:
            given = "P" if self.kind == "parts" else "B"
            lines += ["dimensions:", f"  - name: {given}", f"    equals: {self.sizes[given]}"]
        lines += ["precision:", "  compute: storage", "  tolerance:", f"    - type: {self.type}", "      max_ulp: 0"]
        lines += ["bodies:", "  - level: te", "    file: drawn.mlir", "reference: reference.py", ""]
        (folder / "op_contract.yaml").write_text("\n".join(lines))
        body = ["!T = f16", "func.func @drawn(%z: !z, %x: !x) -> !y {", *getattr(self, f"body_of_{self.kind}")()]
        (folder / "drawn.mlir").write_text("\n".join([*body, "  return %y : !y", "}", ""]))
        (folder / "reference.py").write_text('"""None: te_parts.py has the numbers."""\n')

    def body_of_parts(self):
        lines = [f"  %x{part} = te.slice %x along P at {part}" for part in range(self.count)]
        for part, (word, other) in enumerate(self.steps):
            name = "y" if part == 0 and not self.joins else f"s{part}"
            lines += self.lines_of(name, f"te.{word} %x{part}, %{'z' if other < 0 else f'x{other}'}", "D")
        return lines + [f"  %y = te.stack {', '.join(f'%s{part}' for part in range(self.count))} along P"] * self.joins

    def body_of_ranges(self):
        if self.joins_first:
            joined = ["  %a = te.slice %x along A", f"  %s = te.{self.steps[0][0]} %a, %z", "  %b = te.slice %x along B", "  %t = te.concat %s, %b along A+B"]
            return joined + self.lines_of("y", "te.neg %t", "A")
        lines = ["  %a = te.slice %x along A"]
        lines += self.lines_of("s" if self.joins else "y", f"te.{self.steps[0][0]} %a, %z", "A")
        second = self.lines_of("t", "te.neg %b", "B") if self.reduced else []
        others = ["  %b = te.slice %x along B", *second, f"  %y = te.concat %s, %{'t' if self.reduced else 'b'} along A+B"]
        return lines + others * self.joins

    def lines_of(self, name, value, own):
        """The value, or the least of it and of the largest of each of its rows or columns less 1."""
        if not self.reduced:
            return [f"  %{name} = {value}"]
        axis = own if self.reduced == "own" else self.reduced
        one = "1.0" if "float" in self.type else "1"
        return [f"  %{name}_v = {value}", f"  %{name}_m = te.reduce_max %{name}_v axes [{axis}] keep", f"  %{name}_c = te.constant {one}",
                f"  %{name}_l = te.sub %{name}_m, %{name}_c", f"  %{name} = te.minimum %{name}_v, %{name}_l"]

    def bounded(self, value):
        """What lines_of computes."""
        if not self.reduced or not value.size:
            return value
        return np.minimum(value, value.max(-1 if self.reduced == "own" else 0, keepdims=True) - value.dtype.type(1))

    def body_of_fold(self):
        return [f"  %f = te.fold {self.fold} %x", f"  %y = te.{self.steps[0][0]} %f, %z"]

    def arrays(self):
        numbers = np.random.default_rng(self.random.getrandbits(32))

        def draw(dims, last):
            shape = [*(self.sizes[dim] for dim in dims), last]
            if self.type == "bool":
                return numbers.random(shape) < 0.5
            return numbers.integers(*((-3, 4) if "float" in self.type else (-200, 200)), shape).astype(TYPES[self.type])

        x = {"fold": self.sizes["D"], "parts": self.count * self.sizes["D"], "ranges": self.sizes["A"] + self.sizes["B"]}[self.kind]
        z = self.sizes["A" if self.kind == "ranges" else "D"]
        names = [f"x_{number}" for number in range(self.count)] if self.kind == "fold" else ["x"]
        return {**{name: draw(self.lead, x) for name in names}, "z": draw([] if self.is_row else self.lead, z)}

    def expected(self, arrays):
        z, word = arrays["z"], self.words[self.steps[0][0]]
        if self.kind == "fold":
            given = [arrays[f"x_{number}"] for number in range(self.count)]
            return {"y": word(functools.reduce(FOLDS[self.fold], given), z)}
        if self.kind == "ranges":
            a, b = np.split(arrays["x"], [self.sizes["A"]], axis=-1)
            if self.joins_first:
                return {"y": self.bounded(np.negative(np.concatenate([word(a, z), b], axis=-1)))}
            a = self.bounded(word(a, z))
            return {"y": np.concatenate([a, self.bounded(np.negative(b)) if self.reduced else b], axis=-1) if self.joins else a}
        parts = np.split(arrays["x"], self.count, axis=-1)
        found = [self.bounded(self.words[word](part, z if other < 0 else parts[other])) for part, (word, other) in zip(parts, self.steps)]
        return {"y": np.concatenate(found, axis=-1) if self.joins else found[0]}

    @property
    def attributes(self):
        return {"n": self.count} if self.kind == "fold" else {}

    @property
    def narrow(self):
        return ("x", "z", "y", *(f"x_{number}" for number in range(4))) if self.type == "bfloat16" else ()

    @property
    def text(self):
        return f"{self.kind} of {self.lead}, {self.type}, {self.sizes}, {self.fold}, {self.steps}, joins {self.joins}, row {self.is_row}, reduces {self.reduced}, joins first {self.joins_first}"

    refusal, chip_refusal, may_lack_chip = None, None, False


def main():
    return Drive(__doc__.splitlines()[0], Program).end()


if __name__ == "__main__":
    sys.exit(main())
