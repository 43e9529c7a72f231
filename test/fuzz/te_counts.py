"""Random bodies that count along dimensions: contracts and shapes by seed, run on both devices and compared with NumPy.

The result has up to two dimensions around N and M, or M alone. Inputs have some of its dimensions, or broadcast as numbers
do not. A body compares positions along N and M with each other, with an input of int32 and with numbers, selects by that
between inputs, and adds positions to what comes of it. Programs for the AI Core run under all sanitizers, in an order of the
pipes that is drawn.
"""

import random
import sys

import numpy as np

from te_driver import TYPES, Drive

SIZES = (1, 2, 3, 7, 16, 33, 130, 300)
MOST = 60000
COMPARE = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal}


class Program:
    def __init__(self, seed):
        r = self.random = random.Random(seed)
        self.result = list("AB")[: r.randint(0, 2)] + (["N", "M"] if r.random() < 0.8 else ["M"])
        self.type = r.choice(list(TYPES))
        self.narrow = "wxy" if self.type == "bfloat16" else ""
        inner = self.result[-2:]
        # What has no inner dimension has none of the others.
        self.x = self.result if r.random() < 0.6 else [d for d in self.result if d not in inner or r.random() < 0.6]
        self.x = self.x if set(self.x) & set(inner) else []
        self.i = [d for d in self.result if r.random() < 0.5]
        self.i = self.i if set(self.i) & set(inner) else inner[:1]
        self.dims = r.sample(inner, r.randint(1, len(inner))) if "N" in inner else ["M"]
        self.words = [r.choice(list(COMPARE)), r.choice(("input", "other", "number")), r.choice(("type", "int32"))]
        self.number = r.randint(-3, 40)
        while True:
            self.sizes = {dim: r.choice(SIZES) for dim in "ABNM"}
            if np.prod([self.sizes[dim] for dim in self.result]) <= MOST:
                break

    def write(self, folder):
        def tensor(name, type, shape):
            return [f"  - name: {name}", f"    types: [{type}]", f"    shape: [{', '.join(shape)}]"]

        lines = ["schema: 1", "op_type: Drawn", "version: 1.0.0", "summary: drawn", "inputs:"]
        lines += tensor("w", self.type, self.result) + tensor("x", self.type, self.x) + tensor("i", "int32", self.i)
        lines += ["outputs:", *tensor("y", self.type, self.result), *tensor("p", "int32", self.result)]
        lines += ["precision:", "  compute: storage", "  tolerance:"]
        for type in dict.fromkeys((self.type, "int32")):
            lines += [f"    - type: {type}", "      max_ulp: 0"]
        lines += ["bodies:", "  - level: te", "    file: drawn.mlir", "reference: reference.py", ""]
        (folder / "op_contract.yaml").write_text("\n".join(lines))
        first, last = self.dims[0], self.dims[-1]
        body = ["!T = f16", "func.func @drawn(%w: !w, %x: !x, %i: !i) -> (!y, !p) {", f"  %a = te.iota along {first} to !y",
                f"  %b = te.iota along {last} to %w", f"  %n = te.constant {self.number} : i32"]
        other = {"input": "%i", "other": "%b", "number": "%n"}[self.words[1]]
        body += [f"  %c = te.compare {self.words[0]} %a, {other}", "  %y = te.select %c, %w, %x", "  %s = te.add %b, %i"]
        body += ["  %p = te.mul %s, %n", "  return %y, %p : !y, !p", "}", ""]
        (folder / "drawn.mlir").write_text("\n".join(body))
        (folder / "reference.py").write_text('"""None: te_counts.py has the numbers."""\n')

    def arrays(self):
        numbers = np.random.default_rng(self.random.getrandbits(32))
        draw = lambda shape, type: numbers.integers(0, 100, [self.sizes[dim] for dim in shape]).astype(type)  # noqa: E731
        return {"w": draw(self.result, TYPES[self.type]), "x": draw(self.x, TYPES[self.type]), "i": draw(self.i, "i4")}

    def expected(self, arrays):
        shape = [self.sizes[dim] for dim in self.result]

        def spread(array, own):
            return np.broadcast_to(array.reshape([self.sizes[dim] if dim in own else 1 for dim in self.result]), shape)

        a, b = (spread(np.arange(self.sizes[dim], dtype=np.int32), [dim]) for dim in (self.dims[0], self.dims[-1]))
        i = spread(arrays["i"], self.i)
        other = {"input": i, "other": b, "number": self.number}[self.words[1]]
        chosen = COMPARE[self.words[0]](a, other)
        return {"y": np.where(chosen, arrays["w"], spread(arrays["x"], self.x)), "p": (b + i) * np.int32(self.number)}

    @property
    def text(self):
        return f"x {self.x}, i {self.i}, y {self.result}, {self.type}, {self.sizes}, {self.dims}, {self.words}"

    refusal, chip_refusal, may_lack_chip = None, None, False


def main():
    return Drive(__doc__.splitlines()[0], Program).end()


if __name__ == "__main__":
    sys.exit(main())
