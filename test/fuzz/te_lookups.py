"""Random bodies that gather at places which they compute: contracts and shapes by seed, run on both devices and compared with
NumPy.

A table has one or two dimensions that are gathered, in any place among up to two others. Places are positions along a dimension
of the result times a number plus another one, or an input of int32 or int64 likewise; a part of them is beyond the table, in the
way that is drawn. The result has an order of its own, and something is computed from what is gathered, perhaps twice, and then perhaps with the places of the two
dimensions exchanged. The AI Core has no kernel for places that are computed of int64.
"""

import random
import sys

import numpy as np

from te_driver import CPU_TYPES, TYPES, Drive

SIZES = (1, 2, 3, 7, 16, 33, 130)
NONE = 0.05  # the share of programs with a dimension of size 0, which is one of the result or of the table beside what is gathered
MOST = 60000
BEYOND = ("nearest", "from_end", "reflect", "wrap")


def place_of(index, count, beyond):
    if beyond == "wrap":
        return index % count
    if beyond == "reflect":
        turn = index % max(2 * (count - 1), 1)
        return np.where(turn >= count, 2 * (count - 1) - turn, turn)
    return np.clip(np.where(index < 0, index + count, index) if beyond == "from_end" else index, 0, count - 1)


class Program:
    def __init__(self, seed):
        r = self.random = random.Random(seed)
        others = list("AB")[: r.randint(0, 2)]
        self.gathered = ["V", "U"][: r.randint(1, 2)]
        self.table = r.sample(others + self.gathered, len(others) + len(self.gathered))
        # A place of the result for each dimension that is gathered, or one for both.
        self.along = ["N", "M"][: r.randint(1, 2)]
        self.result = others + self.along
        self.kinds = {dim: (r.choice(self.along), r.choice(("position", "int32", "int64")), r.randint(-3, 3), r.randint(-9, 9))
                      for dim in self.gathered}
        # Results have what places have.
        for dim in self.along:
            if all(kind[0] != dim for kind in self.kinds.values()):
                self.kinds[self.gathered[-1]] = (dim, *self.kinds[self.gathered[-1]][1:])
        self.along = [dim for dim in self.along if any(kind[0] == dim for kind in self.kinds.values())]
        self.result = others + self.along
        self.beyond = r.choice(BEYOND)
        self.type = r.choice(list(TYPES) if r.random() < 0.8 else list(CPU_TYPES))
        self.narrow = "ty" if self.type == "bfloat16" else ""
        self.twice = self.type != "bool" and r.random() < 0.5
        self.crossed = self.twice and r.random() < 0.5
        while True:
            self.sizes = {dim: r.choice(SIZES) for dim in "ABVUNM"}
            if r.random() < NONE:
                self.sizes[r.choice(self.result)] = 0
            if all(np.prod([self.sizes[dim] for dim in shape]) <= MOST for shape in (self.table, self.result)):
                break

    def write(self, folder):
        def tensor(name, type, shape):
            return [f"  - name: {name}", f"    types: [{type}]", f"    shape: [{', '.join(shape)}]"]

        lines = ["schema: 1", "op_type: Drawn", "version: 1.0.0", "summary: drawn", "inputs:", *tensor("t", self.type, self.table)]
        given = [dim for dim in self.gathered if self.kinds[dim][1] != "position"]
        for dim in given:
            lines += tensor(f"p{dim}", self.kinds[dim][1], [self.kinds[dim][0]])
        lines += ["outputs:", *tensor("y", self.type, self.result), "dimensions:"]
        for dim in self.along:
            if all(self.kinds[other][0] != dim for other in given):
                lines += [f"  - name: {dim}", f"    equals: {self.sizes[dim]}"]
        if lines[-1] == "dimensions:":
            lines.pop()
        lines += ["precision:", "  compute: storage", "  tolerance:", f"    - type: {self.type}", "      max_ulp: 0"]
        lines += ["bodies:", "  - level: te", "    file: drawn.mlir", "reference: reference.py", ""]
        (folder / "op_contract.yaml").write_text("\n".join(lines))
        body = ["!T = f16", f"func.func @drawn({', '.join(['%t: !t', *(f'%p{dim}: !p{dim}' for dim in given)])}) -> !y {{"]
        for dim in self.gathered:
            along, kind, step, start = self.kinds[dim]
            type = "i64" if kind == "int64" else "i32"
            body += [f"  %i{dim} = te.iota along {along} to !y"] if kind == "position" else []
            body += [f"  %k{dim} = te.constant {step} : {type}", f"  %s{dim} = te.constant {start} : {type}"]
            body += [f"  %m{dim} = te.mul %{'i' if kind == 'position' else 'p'}{dim}, %k{dim}", f"  %q{dim} = te.add %m{dim}, %s{dim}"]
        places = f"{', '.join(f'%q{dim}' for dim in self.gathered)} along {', '.join(self.gathered)}"
        word = "" if self.beyond == "nearest" else f" beyond {self.beyond}"
        body += [f"  %a = te.gather %t, {places}{word}"]
        if self.crossed:
            places = f"{', '.join(f'%q{dim}' for dim in reversed(self.gathered))} along {', '.join(self.gathered)}"
        body += [f"  %b = te.gather %t, {places} beyond wrap", "  %y = te.maximum %a, %b"] if self.twice else []
        body += [f"  return %{'y' if self.twice else 'a'} : !y", "}", ""]
        (folder / "drawn.mlir").write_text("\n".join(body))
        (folder / "reference.py").write_text('"""None: te_lookups.py has the numbers."""\n')

    def arrays(self):
        numbers = np.random.default_rng(self.random.getrandbits(32))
        arrays = {"t": numbers.integers(0, 2 if self.type == "bool" else 100, [self.sizes[dim] for dim in self.table]).astype((TYPES | CPU_TYPES)[self.type])}
        for dim in self.gathered:
            along, kind, _, _ = self.kinds[dim]
            if kind != "position":
                count = self.sizes[dim]
                arrays[f"p{dim}"] = numbers.integers(-2 * count - 2, 2 * count + 2, [self.sizes[along]]).astype(kind)
        return arrays

    def expected(self, arrays):
        def spread(array, dim):
            return np.reshape(array, [-1 if each == dim else 1 for each in self.result])

        def gathered(beyond, order):
            at = []
            for dim in self.table:
                if dim not in self.gathered:
                    at.append(spread(np.arange(self.sizes[dim]), dim))
                    continue
                places = order[self.gathered.index(dim)]
                along, kind, step, start = self.kinds[places]
                index = np.arange(self.sizes[along]) if kind == "position" else arrays[f"p{places}"].astype(np.int64)
                at.append(spread(place_of(index * step + start, self.sizes[dim], beyond), along))
            return np.broadcast_to(arrays["t"][tuple(at)], [self.sizes[dim] for dim in self.result])

        y = gathered(self.beyond, self.gathered)
        again = self.gathered[::-1] if self.crossed else self.gathered
        return {"y": np.maximum(y, gathered("wrap", again)) if self.twice else y}

    @property
    def text(self):
        return f"t {self.table}, y {self.result}, {self.type}, {self.sizes}, {self.kinds}, {self.beyond}"

    refusal, chip_refusal = "OPC-E0312", None

    @property
    def may_lack_chip(self):
        return self.type in CPU_TYPES or any(kind[1] == "int64" for kind in self.kinds.values())


def main():
    drive = Drive(__doc__.splitlines()[0], Program)
    print(f"{drive.served} of {drive.count} contracts have a kernel")
    if drive.served * 3 < drive.count * 2:
        drive.failures.append("fewer than two thirds of the contracts have a kernel")
    # Places of int64 and some types are for the CPU alone.
    if drive.on_chip * 6 < drive.served:
        drive.failures.append("fewer than a sixth of the kernels are there for the AI Core too")
    return drive.end()


if __name__ == "__main__":
    sys.exit(main())
