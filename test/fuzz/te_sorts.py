"""Random bodies that sort or scatter: contracts and shapes by seed, run on both devices and compared with NumPy.

A sort has lines along the last dimension or one before it, of few different numbers, so that most are equal, and NaN and
zeros of both signs; its elements, their places or both are computed with. A scatter is of rows or elements, into data with
dimensions around the one of its places, of updates that may be computed with an input of some of their dimensions; some
indices are no places. Programs for the AI Core run under all sanitizers, in an order of the pipes that is drawn.
"""

import random
import sys

import numpy as np

from te_driver import CPU_TYPES, TYPES, Drive

SIZES = (0, 1, 2, 3, 7, 16, 33, 130, 300, 1100, 4133, 13001)
MOST = 60000
# A line takes the simulator as long as 2000 elements, however short it is.
MOST_LINES = 100
FORMS = {"set": None, "add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}


class Sort:
    chip_refusal = None

    @property
    def may_lack_chip(self):
        return self.type in CPU_TYPES

    def __init__(self, r):
        self.around = list("AB")[: r.randint(0, 2)], list("M")[: r.randint(0, 1)]
        self.type = r.choice([*(type for type in TYPES if type != "bool"), "uint16", "uint32", "int64", "uint64"])
        self.descending = r.random() < 0.5
        self.results = r.choice((("values",), ("places",), ("values", "places")))
        self.doubles = r.random() < 0.5
        while True:
            self.sizes = {dim: r.choice(SIZES) for dim in "ABNM"}
            lines = np.prod([1, *(self.sizes[dim] for dim in [*self.around[0], *self.around[1]])])
            if lines <= MOST_LINES and lines * self.sizes["N"] <= MOST:
                break
        self.sizes["K"] = r.choice((0, 1, 2, 10, 24, 25, 63, 300, 4096, 5000, self.sizes["N"]))
        self.few = r.choice((3, 40, 100000)) if self.type != "bfloat16" else r.choice((3, 40))
        self.narrow = ("x", "values_of") if self.type == "bfloat16" else ()

    def shape(self, dim):
        return [*self.around[0], dim, *self.around[1]]

    def contract(self):
        x = [("x", self.type, self.shape("N"), None)]
        y = [(f"{name}_of", self.type if name == "values" else "int32", self.shape("K"), None) for name in self.results]
        return x, y, ["dimensions:", "  - name: K", "    equals:", "      min:", f"        - {self.sizes['K']}", "        - N"]

    def body(self):
        word = "te.sort %x along N to K" + (" descending" if self.descending else "")
        lines = []
        for name in self.results:
            lines.append(f"  %{name}{'' if self.doubles else '_of'} = {word}{' places' if name == 'places' else ''}")
            lines += [f"  %{name}_of = te.add %{name}, %{name}"] if self.doubles else []
        return lines

    def arrays(self, numbers):
        shape = [self.sizes[dim] for dim in self.shape("N")]
        x = numbers.integers(0 if self.type.startswith("u") else -self.few, self.few, shape).astype((TYPES | CPU_TYPES)[self.type])
        if self.type.startswith("float"):
            x = np.where(x == 1, x.dtype.type(-0.0), np.where(x == 2, x.dtype.type(np.nan), x))
        return {"x": x}

    def expected(self, arrays):
        x, axis = arrays["x"], len(self.around[0])
        wide = x.astype("f8")
        order = np.where(np.isnan(wide), np.inf, wide)
        places = np.argsort(-order if self.descending else order, axis=axis, kind="stable")
        places = np.take(places, np.arange(min(self.sizes["K"], self.sizes["N"])), axis=axis)
        values = np.take_along_axis(x, places, axis=axis)
        found = {"values": values + values if self.doubles else values, "places": (places * (2 if self.doubles else 1)).astype("i4")}
        return {f"{name}_of": found[name] for name in self.results}


class Scatter:
    chip_refusal, may_lack_chip = None, False

    def __init__(self, r):
        self.form = r.choice(list(FORMS))
        self.type = r.choice(list(TYPES))
        # Truth values are set alone, and not computed with.
        self.form = "set" if self.type == "bool" else self.form
        self.narrow = "xugy" if self.type == "bfloat16" else ""
        self.before, self.behind = list("A")[: r.randint(0, 1)], list("M")[: r.randint(0, 1)]
        # Rows have one index, and elements one each.
        self.of_rows = r.random() < 0.5 and bool(self.behind)
        self.index_type = r.choice(("int32", "int64"))
        self.from_end = r.random() < 0.5
        self.computed = r.choice((None, "neg", "add", "add")) if self.type != "bool" else None
        inner = self.shape("I")[-2:]
        self.factor = r.choice([inner, inner[:1], inner[1:] or inner]) if self.computed == "add" else None
        while True:
            self.sizes = {dim: r.choice(SIZES) for dim in "AVIM"}
            self.sizes["V"] = max(self.sizes["V"], 1)
            # Sums of more leave what bfloat16 holds exactly.
            if self.type == "bfloat16" and self.form == "add":
                self.sizes["I"] = min(self.sizes["I"], 120)
            if all(np.prod([self.sizes[dim] for dim in self.shape(own)]) <= MOST for own in "VI"):
                break

    def shape(self, dim):
        return [*self.before, dim, *self.behind]

    def indices(self):
        return [*self.before, "I"] if self.of_rows else self.shape("I")

    def contract(self):
        x = [("x", self.type, self.shape("V"), None), ("p", self.index_type, self.indices(), self.from_end), ("u", self.type, self.shape("I"), None)]
        x += [("g", self.type, self.factor, None)] if self.factor else []
        return x, [("y", self.type, self.shape("V"), None)], ["dimensions:", "  - name: V", "    minimum: 1"]

    def body(self):
        lines = [f"  %v = te.{self.computed} %u{', %g' if self.factor else ''}"] if self.computed else []
        return [*lines, f"  %y = te.scatter {self.form} {'%v' if self.computed else '%u'} into %x by %p along V"]

    def arrays(self, numbers):
        of = lambda shape: [self.sizes[dim] for dim in shape]  # noqa: E731
        type = TYPES[self.type]
        most = 1 if self.form in ("add", "mul") else 100
        x, u = (numbers.integers(-most, most + 1, of(self.shape(dim))).astype(type) for dim in "VI")
        p = numbers.integers(-self.sizes["V"] - 2, self.sizes["V"] + 2, of(self.indices()))
        ends = np.iinfo(self.index_type)
        p = np.where(numbers.random(p.shape) < 0.1, np.array([ends.min, ends.max])[numbers.integers(0, 2, p.shape)], p).astype(self.index_type)
        g = {"g": numbers.integers(-1, 2, of(self.factor)).astype(type)} if self.factor else {}
        return {"x": x, "p": p, "u": u, **g}

    def expected(self, arrays):
        y, axis, count = arrays["x"].copy(), len(self.before), self.sizes["V"]
        u = -arrays["u"] if self.computed == "neg" else arrays["u"]
        if self.factor:
            u = u + arrays["g"].reshape([self.sizes[dim] if dim in self.factor else 1 for dim in self.shape("I")])
        p = arrays["p"].astype(object)
        p = np.clip(np.where(p < 0, p + count, p) if self.from_end else p, 0, count - 1).astype("i8")
        p = np.broadcast_to(p[..., None], u.shape) if self.of_rows else p
        lines, combine = np.moveaxis(y, axis, 0), FORMS[self.form]
        others = np.indices(lines.shape[1:])
        for place, update in zip(np.moveaxis(p, axis, 0), np.moveaxis(u, axis, 0)):
            at = (place, *others)
            lines[at] = combine(lines[at], update) if combine else update
        return {"y": y}


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.drawn = (Sort if self.random.random() < 0.6 else Scatter)(self.random)

    def write(self, folder):
        inputs, outputs, dimensions = self.drawn.contract()

        def tensor(name, type, shape, from_end):
            values = ["    values:", "      along: V", *(["      negative: from_end"] if from_end else [])] if from_end is not None else []
            return [f"  - name: {name}", f"    types: [{type}]", f"    shape: [{', '.join(shape)}]", *values]

        lines = ["schema: 1", "op_type: Drawn", "version: 1.0.0", "summary: drawn", "inputs:", *(line for x in inputs for line in tensor(*x))]
        lines += ["outputs:", *(line for y in outputs for line in tensor(*y)), *dimensions, "precision:", "  tolerance:"]
        for type in dict.fromkeys(type for _, type, _, _ in outputs):
            lines += [f"    - type: {type}", "      max_ulp: 0"]
        lines += ["bodies:", "  - level: te", "    file: drawn.mlir", *(["    devices: cpu"] if self.may_lack_chip else []), "reference: reference.py", ""]
        (folder / "op_contract.yaml").write_text("\n".join(lines))
        arguments = ", ".join(f"%{name}: !{name}" for name, *_ in inputs)
        names, types = (", ".join(f"{sign}{name}" for name, *_ in outputs) for sign in "%!")
        body = ["!T = f16", f"func.func @drawn({arguments}) -> {types if len(outputs) == 1 else f'({types})'} {{", *self.drawn.body()]
        (folder / "drawn.mlir").write_text("\n".join([*body, f"  return {names} : {types}", "}", ""]))
        (folder / "reference.py").write_text('"""None: te_sorts.py has the numbers."""\n')

    def arrays(self):
        with np.errstate(all="ignore"):  # some numbers of float16 are infinite
            return self.drawn.arrays(np.random.default_rng(self.random.getrandbits(32)))

    def expected(self, arrays):
        with np.errstate(all="ignore"):
            return self.drawn.expected(arrays)

    @property
    def narrow(self):
        return self.drawn.narrow

    @property
    def text(self):
        return f"{vars(self.drawn)}"

    refusal = None

    @property
    def may_lack_chip(self):
        return self.drawn.may_lack_chip

    @property
    def chip_refusal(self):
        return self.drawn.chip_refusal


def main():
    return Drive(__doc__.splitlines()[0], Program).end()


if __name__ == "__main__":
    sys.exit(main())
