"""Random bodies that scan along a dimension: contracts and shapes by seed, run on both devices and compared with NumPy.

The result has up to two dimensions around N and M, or M alone; the operand may have N before them. A second input has some of
its dimensions and is added before the scans or behind them. One or two scans, of sums, products or maxima, have one direction;
the second one is of the input or of what the first one gave. Numbers are whole and few, so that every order of combination
gives the same. Programs for the AI Core run under all sanitizers, in an order of the pipes that is drawn.
"""

import random
import sys

import numpy as np

from te_driver import TYPES, Drive

SIZES = (0, 1, 2, 3, 7, 16, 33, 130, 300, 1100, 4133, 13001)
MOST = 60000
SCANNED = ("float32", "float16", "bfloat16", "int32", "int16")  # the chip scans no bytes
FORMS = {"sum": (np.add, 0), "product": (np.multiply, 1), "max": (np.maximum, None)}


class Program:
    def __init__(self, seed):
        r = self.random = random.Random(seed)
        self.result = list("AB")[: r.randint(0, 2)] + (["N", "M"] if r.random() < 0.85 else ["M"])
        self.type = r.choice(SCANNED)
        self.dim = "N" if "N" in self.result and r.random() < 0.7 else "M"
        # In memory the operand may have N first: its elements along N are apart even if there is one column.
        self.x = ["N", *(d for d in self.result if d != "N")] if self.dim == "N" and r.random() < 0.5 else self.result
        inner = self.result[-2:]
        # What has no inner dimension has none of the others.
        self.z = [d for d in self.result if r.random() < 0.6]
        self.z = self.z if set(self.z) & set(inner) else inner[:1]
        self.reverse = r.random() < 0.5
        self.scans = [(r.choice(list(FORMS)), r.random() < 0.5) for _ in range(r.randint(1, 2))]
        self.of_first = r.random() < 0.3
        self.before = r.random() < 0.5
        while True:
            self.sizes = {dim: r.choice(SIZES) for dim in "ABNM"}
            # Products of more numbers leave the types.
            if any(form == "product" for form, _ in self.scans):
                self.sizes[self.dim] = min(self.sizes[self.dim], 9)
            # Sums of more leave what bfloat16 holds exactly.
            if self.type == "bfloat16":
                self.sizes[self.dim] = min(self.sizes[self.dim], 7 if self.of_first else 120)
            # A single column, or row, is a case of its own.
            if len(self.result) > 1 and r.random() < 0.3:
                self.sizes[inner[1] if self.dim == "N" else inner[0]] = 1
            if np.prod([self.sizes[dim] for dim in self.result]) <= MOST:
                break
        # Two of them in a row grow faster than float16 holds exactly.
        if self.of_first:
            self.scans = [("max", exclusive) if form == "product" else (form, exclusive) for form, exclusive in self.scans]
            self.sizes[self.dim] = min(self.sizes[self.dim], 16)

    def write(self, folder):
        def tensor(name, shape):
            return [f"  - name: {name}", f"    types: [{self.type}]", f"    shape: [{', '.join(shape)}]"]

        lines = ["schema: 1", "op_type: Drawn", "version: 1.0.0", "summary: drawn", "inputs:"]
        lines += tensor("x", self.x) + tensor("z", self.z)
        lines += ["outputs:", *(line for number in range(len(self.scans)) for line in tensor(f"y{number}", self.result))]
        lines += ["precision:", "  compute: float32", "  accumulate: float32", "  tolerance:", f"    - type: {self.type}", "      max_ulp: 0"]
        lines += ["bodies:", "  - level: te", "    file: drawn.mlir", "reference: reference.py", ""]
        (folder / "op_contract.yaml").write_text("\n".join(lines))
        names = [f"y{number}" for number in range(len(self.scans))]
        types = ", ".join(f"!{name}" for name in names)
        body = ["!T = f16", f"func.func @drawn(%x: !x, %z: !z) -> {types if len(names) == 1 else f'({types})'} {{"]
        body += ["  %a = te.add %x, %z"] if self.before else []
        source = "%a" if self.before else "%x"
        for number, (form, exclusive) in enumerate(self.scans):
            operand = "%s0" if number and self.of_first else source
            words = (" exclusive" if exclusive else "") + (" reverse" if self.reverse else "")
            body.append(f"  %s{number} = te.scan {form} {operand} along {self.dim}{words}")
            body.append(f"  %y{number} = te.{'maximum' if self.before else 'add'} %s{number}, %z")
        body += [f"  return {', '.join('%' + name for name in names)} : {types}", "}", ""]
        (folder / "drawn.mlir").write_text("\n".join(body))
        (folder / "reference.py").write_text('"""None: te_scans.py has the numbers."""\n')

    def arrays(self):
        numbers = np.random.default_rng(self.random.getrandbits(32))
        draw = lambda shape: numbers.integers(-1, 2, [self.sizes[dim] for dim in shape]).astype(TYPES[self.type])  # noqa: E731
        return {"x": draw(self.x), "z": draw(self.z)}

    def expected(self, arrays):
        type = np.dtype(TYPES[self.type])
        is_whole = type.kind == "i"
        x = arrays["x"].astype("i8" if is_whole else "f8")
        x = x.transpose([self.x.index(dim) for dim in self.result])
        z = arrays["z"].astype(x.dtype).reshape([self.sizes[dim] if dim in self.z else 1 for dim in self.result])
        axis, source, first, result = self.result.index(self.dim), x + z if self.before else x, None, {}
        for number, (form, exclusive) in enumerate(self.scans):
            combine, start = FORMS[form]
            if start is None:
                start = np.iinfo(type).min if is_whole else -np.inf
            of = first if number and self.of_first else source
            of = np.flip(of, axis) if self.reverse else of
            scanned = combine.accumulate(of, axis=axis) if of.size else of
            if exclusive and of.size:
                scanned = np.roll(scanned, 1, axis=axis)
                np.moveaxis(scanned, axis, 0)[0] = start
            scanned = np.flip(scanned, axis) if self.reverse else scanned
            if is_whole:
                scanned = scanned.astype(type).astype("i8")
            first = scanned if first is None else first
            result[f"y{number}"] = (np.maximum if self.before else np.add)(scanned, z).astype(type)
        return result

    @property
    def text(self):
        return f"x {self.x}, z {self.z}, y {self.result}, {self.type}, {self.sizes}, along {self.dim}, {self.scans}"

    @property
    def narrow(self):
        return ("x", "z", "y0", "y1") if self.type == "bfloat16" else ()

    refusal, chip_refusal, may_lack_chip = None, None, False


def main():
    return Drive(__doc__.splitlines()[0], Program).end()


if __name__ == "__main__":
    sys.exit(main())
