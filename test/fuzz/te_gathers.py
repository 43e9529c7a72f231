"""Random bodies that gather: contracts, shapes and indices by seed, run on both devices and compared with NumPy.

A table has a dimension V among up to three others in any order, indices have up to two dimensions of their own and perhaps
one of the table's, and the result has them all in an order of its own. Another input has some of the result's dimensions.
Some indices are no places: the nearest place counts, and -1 is the last one where the contract says so. A contract that no
kernel serves is refused by OPC-E0312; most are served. The program of the AI Core runs under all sanitizers, in an order of the
pipes that is drawn.
"""

import random
import sys

import numpy as np

from te_driver import TYPES, Drive

SIZES = (1, 2, 3, 7, 16, 33, 130)
MOST = 60000


class Program:
    def __init__(self, seed):
        r = self.random = random.Random(seed)
        others = list("ABC")[: r.randint(0, 3)]
        own = list("IJ")[: r.randint(0, 2)]
        self.table = r.sample(others + ["V"], len(others) + 1)
        # Results end as the table does, or with a dimension of the indices.
        shared = [dim for dim in others if r.random() < 0.25]
        self.indices = r.sample(own + shared, len(own + shared))
        self.result = others + own
        if r.random() < 0.5:
            r.shuffle(self.result)
        # Rows: the table and the result end alike, and indices do not.
        if others and r.random() < 0.5:
            self.table.remove(others[-1])
            self.table.append(others[-1])
            self.result.remove(others[-1])
            self.result.append(others[-1])
            self.indices = [dim for dim in self.indices if dim != others[-1]]
        self.factor = [dim for dim in self.result if r.random() < 0.5]
        self.type = r.choice(list(TYPES))
        self.places = r.choice(("int32", "int64"))
        self.from_end = r.random() < 0.5
        self.ops = r.choice((["add"], ["mul"], ["maximum"], [], ["add", "mul"])) if self.type != "bool" else []
        self.narrow = "tgy" if self.type == "bfloat16" else ""
        while True:
            self.sizes = {dim: r.choice(SIZES) for dim in "ABCIJV"}
            if all(self.count(shape) <= MOST for shape in (self.table, self.indices, self.result)):
                break

    def count(self, shape):
        return int(np.prod([self.sizes[dim] for dim in shape], dtype=np.int64))

    def write(self, folder):
        def tensor(name, type, shape, *more):
            return [f"  - name: {name}", f"    types: [{type}]", f"    shape: [{', '.join(shape)}]", *more]

        values = ["    values:", "      along: V", *(["      negative: from_end"] if self.from_end else [])]
        lines = ["schema: 1", "op_type: Drawn", "version: 1.0.0", "summary: drawn", "inputs:"]
        lines += tensor("t", self.type, self.table) + tensor("p", self.places, self.indices, *values)
        lines += tensor("g", self.type, self.factor) if self.ops else []
        lines += ["outputs:", *tensor("y", self.type, self.result)]
        lines += ["precision:", "  compute: storage", "  tolerance:", f"    - type: {self.type}", "      max_ulp: 0"]
        lines += ["bodies:", "  - level: te", "    file: drawn.mlir", "reference: reference.py", ""]
        (folder / "op_contract.yaml").write_text("\n".join(lines))
        arguments = ", ".join(f"%{name}: !{name}" for name in ("tpg" if self.ops else "tp"))
        body = ["!T = f16", f"func.func @drawn({arguments}) -> !y {{", "  %v0 = te.gather %t, %p along V"]
        body += [f"  %v{i + 1} = te.{op} %v{i}, %g" for i, op in enumerate(self.ops)]
        body += [f"  return %v{len(self.ops)} : !y", "}", ""]
        (folder / "drawn.mlir").write_text("\n".join(body))
        (folder / "reference.py").write_text('"""None: te_gathers.py has the numbers."""\n')

    def arrays(self):
        numbers = np.random.default_rng(self.random.getrandbits(32))

        def draw(shape):  # small whole numbers: every operation on them is exact in every type
            return numbers.integers(-4, 5, [self.sizes[dim] for dim in shape]).astype(TYPES[self.type])

        count = self.sizes["V"]
        places = numbers.integers(-count - 2, count + 2, [self.sizes[dim] for dim in self.indices])
        wide = np.array([np.iinfo(self.places).min, np.iinfo(self.places).max])
        places = np.where(numbers.random(places.shape) < 0.1, wide[numbers.integers(0, 2, places.shape)], places)
        return {"t": draw(self.table), "p": places.astype(self.places), **({"g": draw(self.factor)} if self.ops else {})}

    def expected(self, arrays):
        def spread(array, shape):
            """The array with all dimensions of the result."""
            order = [dim for dim in self.result if dim in shape]
            array = np.transpose(array, [shape.index(dim) for dim in order])
            return array.reshape([self.sizes[dim] if dim in shape else 1 for dim in self.result])

        places, count = arrays["p"].astype(object), self.sizes["V"]
        places = np.where(places < 0, places + count, places) if self.from_end else places
        places = spread(np.asarray(np.clip(places, 0, count - 1), np.int64), self.indices)
        along = {dim: spread(np.arange(self.sizes[dim]), [dim]) for dim in self.result}
        y = arrays["t"][tuple(places if dim == "V" else along[dim] for dim in self.table)] if self.table else arrays["t"]
        y = np.broadcast_to(y, [self.sizes[dim] for dim in self.result])
        for op in self.ops:
            factor = spread(arrays["g"], self.factor)
            y = {"add": np.add, "mul": np.multiply, "maximum": np.maximum}[op](y, factor)
        return {"y": y}

    @property
    def text(self):
        return f"t {self.table}, p {self.indices}, y {self.result}, {self.sizes}"

    refusal, chip_refusal, may_lack_chip = "OPC-E0312", None, False


def main():
    drive = Drive(__doc__.splitlines()[0], Program)
    print(f"{drive.served} of {drive.count} contracts have a kernel, {drive.on_chip} have one for the AI Core")
    if drive.served * 2 < drive.count:
        drive.failures.append("fewer than half of the contracts have a kernel")
    return drive.end()


if __name__ == "__main__":
    sys.exit(main())
