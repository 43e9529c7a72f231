"""Random matrix products, convolutions and pools: contracts and shapes by seed, run on both devices and compared with NumPy.

A product has operands in every order of their dimensions, with and without batches or heads that share a matrix, of each type
that products have, and one of them may be computed before the product. A window is along one to three dimensions,
with a stride, a dilation and padding of its own along each; it is reduced, or multiplied by filters in groups. What follows
computes with an input of some of the result's dimensions, and the result may be a truth value or another type. Rows of a
product may be reduced, once or twice, before that. Numbers are
whole and so few that all sums are exact, in every order; numbers of 8 bits are all that there are. Programs
for the AI Core run under all sanitizers, in an order of the pipes that is drawn.
"""

import random
import sys

import numpy as np

from te_driver import CPU_TYPES, TYPES, Drive, rounded

SIZES = (1, 2, 3, 7, 16, 17, 33, 70)
MOST = 40000
# Products of one result: bfloat16 has whole numbers up to 256, float16 up to 2048.
MOST_SUMMED = {"bfloat16": 200, "float16": 1500}
FLOATS, BYTES = ("float16", "bfloat16", "float32"), ("int8", "uint8")
WHOLE = ("int32", "int8", "uint8", "int16")
NUMPY = TYPES | CPU_TYPES
AFTER = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "maximum": np.maximum, "minimum": np.minimum}
COMPARE = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal}


def spread(array, own, result, sizes):
    """The array with all dimensions of the result."""
    order = [dim for dim in result if dim in own]
    array = np.transpose(array, [own.index(dim) for dim in order])
    return array.reshape([sizes[dim] if dim in own else 1 for dim in result])


def merged(array):
    """The second and third dimension as one."""
    return array.reshape(array.shape[0], array.shape[1] * array.shape[2], *array.shape[3:])


BEFORE = {"neg": np.negative, "abs": np.abs, "maximum": np.maximum, "minimum": np.minimum, "mul": np.multiply}
SHORT = {"float16": "f16", "bfloat16": "bf16", "float32": "f32"}


class Before:
    """What an operand is computed with before a product: perhaps bytes that are cast, steps with a number or with an element of
    each column of the right matrix. All values stay -1, 0 or 1."""

    def __init__(self, r, name, type, row=None):
        self.name, self.type = name, type
        self.stored = r.choice(("int8", "uint8", "bool")) if r.random() < 0.5 else type
        steps = r.randint(0 if self.stored != type else 1, 2)
        self.steps = [(r.choice(list(BEFORE)), row if row and r.random() < 0.5 else r.choice((-1, 0, 1))) for _ in range(steps)]
        self.rows = any(with_what == row for _, with_what in self.steps) if row else False

    def lines(self):
        """Lines that compute %<name>0 and so on; the last value."""
        value, lines = f"%{self.name}", []

        def add(text):
            nonlocal value
            value = f"%{self.name}{len(lines)}"
            lines.append(f"  {value} = {text}")

        if self.stored != self.type:
            add(f"te.cast {value} to {SHORT[self.type]}")
        for i, (step, what) in enumerate(self.steps):
            source = value
            if step in ("neg", "abs"):
                add(f"te.{step} {source}")
            elif isinstance(what, str):
                add(f"te.{step} {source}, %{what}")
            else:
                lines.append(f"  %{self.name}number{i} = te.constant {what}.0")
                add(f"te.{step} {source}, %{self.name}number{i}")
        return lines, value

    def of(self, x, row):
        for step, what in self.steps:
            x = BEFORE[step](x) if step in ("neg", "abs") else BEFORE[step](x, row if isinstance(what, str) else what)
        return x


class Drawn:
    """What follows a product or a reduction: steps with an input of some dimensions, then perhaps another type."""

    def draw_after(self, r, computed, names):
        self.computed = computed
        self.steps = [r.choice(list(AFTER)) for _ in range(r.randint(0, 2))]
        self.other = [name for name in names if r.random() < 0.5]
        self.sign = r.random() < 0.3
        self.compared = r.choice(list(COMPARE)) if r.random() < 0.15 else None
        self.output = "bool" if self.compared else "float32" if computed == "int32" and r.random() < 0.3 else computed
        self.has_other = bool(self.steps or self.compared)

    def after(self, value):
        """Lines that compute %y of the value."""
        lines = []
        for step in self.steps:
            lines.append(f"  {value}s = te.{step} {value}, %c")
            value += "s"
        if self.sign:
            lines.append(f"  {value}n = te.neg {value}")
            value += "n"
        if self.compared:
            return [*lines, f"  %y = te.compare {self.compared} {value}, %c"]
        return [*lines, f"  %y = te.cast {value} to !y" if self.output != self.computed else f"  %y = te.abs {value}"]

    def expected_after(self, y, c):
        whole = self.computed == "int32"
        for step in self.steps:
            y = AFTER[step](y, c)
            y = y.astype("i4").astype("i8") if whole else y
        y = -y if self.sign else y
        if self.compared:
            return COMPARE[self.compared](y, c)
        return (np.abs(y) if self.output == self.computed else y).astype(NUMPY[self.output])

    def other_type(self):
        return self.computed

    def draw_other(self, numbers, shape):
        return numbers.integers(-1, 2, shape).astype(TYPES[self.other_type()])


class Rows:
    """Reductions of a product's rows: each of what the steps before it left, which it is then taken from or compared with. Sums
    come last, so that all numbers are exact. All results have whole rows (docs/reference/scope.md)."""

    def __init__(self, r):
        self.steps = [(r.choice(("max", "min")), r.choice(("sub", "maximum", "minimum"))) for _ in range(r.randint(0, 1))]
        self.steps.append((r.choice(("sum", "max", "min")), r.choice(("sub", "maximum", "minimum"))))

    def lines(self, value):
        """Lines that compute with a value, and the value that they leave."""
        lines = []
        for at, (kind, step) in enumerate(self.steps):
            lines += [f"  %r{at} = te.reduce_{kind} {value} axes [N] keep", f"  %q{at} = te.{step} {value}, %r{at}"]
            value = f"%q{at}"
        return lines, value

    def of(self, y):
        """What the steps leave of [..., M, N]."""
        for kind, step in self.steps:
            most = np.inf if y.dtype.kind == "f" else np.iinfo("i4").max
            least = -np.inf if y.dtype.kind == "f" else np.iinfo("i4").min
            first = {"sum": 0, "max": least, "min": most}[kind]
            row = {"sum": np.sum, "max": np.max, "min": np.min}[kind](y, axis=-1, keepdims=True, initial=first)
            y = AFTER[step](y, row)
        return y


class Product(Drawn):
    rows = None  # what is reduced of its rows

    def draw_rows(self, r):
        """By a random state of its own, so that a seed of the others stays the product that it was."""
        # What is compared is no number, and columns that are summed are those of the result.
        if r.random() < 0.4 and not self.compared:
            self.rows = Rows(r)

    def __init__(self, r):
        self.types = r.choice((("float16",) * 2, ("bfloat16",) * 2, ("float32",) * 2, (r.choice(BYTES), r.choice(BYTES))))
        self.form = r.choice(("one", "shared", "batch", "heads"))
        turned = [r.random() < 0.5, r.random() < 0.5]
        before = {"one": ([], []), "shared": (["B"], []), "batch": (["B"], ["B"]), "heads": (["B", "G", "R"], ["B", "G"])}[self.form]
        self.a = before[0] + (["K", "M"] if turned[0] else ["M", "K"])
        self.b = before[1] + (["N", "K"] if turned[1] else ["K", "N"])
        self.result = before[0] + ["M", "N"]
        computed = "int32" if self.types[0] in BYTES else self.types[0]
        # Heads are one dimension of the contract.
        self.draw_after(r, computed, [dim for dim in self.result if dim not in "GR"])
        while True:
            self.sizes = {dim: r.choice(SIZES) for dim in "MNK"} | {dim: r.choice((1, 2, 3)) for dim in "BGR"}
            if r.random() < 0.06:
                self.sizes[r.choice("BMNK")] = 0
            if all(self.count(shape) <= MOST for shape in (self.a, self.b, self.result)):
                break
        self.before = {}
        if computed in FLOATS and r.random() < 0.4:
            for name in r.choice(("a", "b", "ab")):
                row = "d" if name == "b" and self.b[-1] == "N" else None
                self.before[name] = Before(r, name, computed, row)
        self.has_row = any(before.rows for before in self.before.values())
        # The cube multiplies 16 bits in every order, and signed bytes with the left ones along the sum.
        self.has_chip = {"float32": False, "int8": self.types[1] == "int8" and not turned[0], "uint8": False}.get(
            self.types[0], True) and not self.before

    def count(self, shape):
        return int(np.prod([self.sizes[dim] for dim in shape], dtype=np.int64))

    def contract(self):
        heads = lambda shape: ["G*R" if dim == "G" and "R" in shape else dim for dim in shape if dim != "R"]  # noqa: E731
        stored = [self.before[name].stored if name in self.before else type for name, type in zip("ab", self.types)]
        inputs = [("a", stored[0], heads(self.a)), ("b", stored[1], self.b)]
        if self.has_row:
            inputs.append(("d", self.computed, ["N"]))
        dimensions = [f"  - name: G\n    equals: {self.sizes['G']}"] if self.form == "heads" else []
        return inputs, heads(self.result), dimensions

    def body(self):
        lines, values = [], []
        for name in "ab":
            own, value = self.before[name].lines() if name in self.before else ([], f"%{name}")
            lines += own
            values.append(value)
        lines.append(f"  %p = te.matmul {', '.join(values)} axes [K]")
        own, value = self.rows.lines("%p") if self.rows else ([], "%p")
        return [*lines, *own, *self.after(value)]

    def arrays(self, numbers):
        def draw(name, shape, type):
            sizes = [self.sizes[dim] for dim in shape]
            if type in BYTES:
                ends = np.iinfo(type)
                values = numbers.integers(ends.min, ends.max + 1, sizes)
                values = np.where(numbers.random(sizes) < 0.3, numbers.choice([ends.min, ends.max], sizes), values)
            else:
                stored = self.before[name].stored if name in self.before else type
                values = numbers.integers(0 if stored in ("uint8", "bool") else -1, 2, sizes)
                type = stored
            return values.astype(TYPES[type])

        a, b = draw("a", self.a, self.types[0]), draw("b", self.b, self.types[1])
        if self.form == "heads":
            a = merged(a)
        row = {"d": self.draw_other(numbers, [self.sizes["N"]])} if self.has_row else {}
        return {"a": a, "b": b, **row, **({"c": self.draw_other(numbers, [self.sizes[dim] for dim in self.other])} if self.has_other else {})}

    def expected(self, arrays):
        wide = "i8" if self.computed == "int32" else "f8"
        a = arrays["a"].astype(wide).reshape([self.sizes[dim] for dim in self.a])
        b = arrays["b"].astype(wide)
        row = arrays["d"].astype(wide) if self.has_row else None
        a, b = (self.before[name].of(x, row) if name in self.before else x for name, x in (("a", a), ("b", b)))
        names = [str.lower("".join(shape)) for shape in (self.a, self.b, self.result)]
        y = np.einsum(f"{names[0]},{names[1]}->{names[2]}", a, b)
        c = spread(arrays["c"].astype(wide), self.other, self.result, self.sizes) if self.has_other else None
        y = self.rows.of(y) if self.rows else y
        y = self.expected_after(y, c)
        y = np.broadcast_to(y, [self.sizes[dim] for dim in self.result])
        # Of rows bfloat16 does not have all numbers.
        y = rounded(y, self.output) if self.rows else y
        return merged(y) if self.form == "heads" else y


class Windows(Drawn):
    """A pool or a convolution; the places of windows over D, H and W are O, P and Q, and the elements in them are U, I and J."""

    def __init__(self, r):
        self.is_product = r.random() < 0.6
        rank = r.choice((1, 2, 3))
        self.over, self.inner, self.made = (list(names[-rank:]) for names in ("DHW", "UIJ", "OPQ"))
        self.type = r.choice(FLOATS) if self.is_product else r.choice([*FLOATS, *WHOLE]) if r.random() < 0.8 else r.choice(list(CPU_TYPES))
        self.is_float, self.is_unsigned = "float" in self.type, self.type.startswith("u")
        self.kind = r.choice(("max", "min", "sum")) if self.is_float else r.choice(("max", "min"))
        self.squares = r.random() < 0.3
        self.depthwise = self.is_product and r.random() < 0.3
        self.draw_after(r, self.type, [])
        # Of whole numbers nothing leaves their range.
        if not self.is_float:
            self.steps, self.sign = [step for step in self.steps if step[:2] in ("ma", "mi")], False
        self.output, self.compared = self.type, None
        # No input stands beside what a pool drops (docs/reference/scope.md): it computes with a number.
        self.number = None if self.is_product or not self.steps else r.choice((0, 1) if self.is_unsigned else (-1, 1))
        self.has_other = self.is_product and bool(self.steps)
        while True:
            self.sizes = {"N": r.choice((1, 2)), "C": r.choice((1, 2, 3, 5, 17)), "M": r.choice((1, 2, 5, 16, 19)), "G": r.choice((1, 1, 2, 3))}
            self.steps_along = {}
            for dim, inner in zip(self.over, self.inner):
                self.sizes[dim], self.sizes[inner] = r.choice(SIZES), r.choice((1, 1, 2, 3, 3, 4, 5))
                self.steps_along[dim] = r.choice((1, 1, 2, 3)), r.choice((1, 1, 2)), r.randint(0, 2), r.randint(0, 2), int(r.random() < 0.2)
            counts = [self.places(dim) for dim in self.over]
            self.sizes |= dict(zip(self.made, counts))
            if self.depthwise:
                self.sizes["C"] = 1
            channels = self.sizes["G"] * self.sizes["C"]
            summed = np.prod([self.sizes[inner] for inner in self.inner]) * (self.sizes["C"] if self.is_product else 1)
            elements = self.sizes["N"] * max(channels, self.sizes["G"] * self.sizes["M"])
            # Windows that are all padding would load what nothing reads, which the sanitizers refuse.
            is_read = all(self.indices(dim)[1].any() for dim in self.over)
            if is_read and min(counts) >= 1 and elements * max(np.prod(counts), np.prod([self.sizes[dim] for dim in self.over])) <= MOST and (
                    summed <= MOST_SUMMED.get(self.type, MOST)):
                break
        self.result = ["N", "F", *self.made]
        filters = self.sizes["G"] if self.depthwise else self.sizes["G"] * self.sizes["M"]
        self.sizes["F"] = filters if self.is_product else self.sizes["C"]
        # All places or none: otherwise they would be two loops.
        self.other = ["F"] * (r.random() < 0.6) + self.result[2:] * (r.random() < 0.4) if self.has_other else []
        self.before = Before(r, "w", self.type) if self.is_product and r.random() < 0.25 else None
        self.has_chip = self.type not in CPU_TYPES and not self.before

    def inner_of(self, dim):
        return self.inner[self.over.index(dim)]

    def places(self, dim):
        """By the definition, one after the other: while the last element is within the padding. Rounded up, one more if elements
        are left, and none that begins behind the input."""
        stride, dilation, before, behind, up = self.steps_along[dim]
        span, count, end = dilation * (self.sizes[self.inner_of(dim)] - 1) + 1, 0, self.sizes[dim] + before + behind
        while count * stride + span <= end:
            count += 1
        if not up:
            return count
        count += (count - 1) * stride + span < end
        while (count - 1) * stride >= self.sizes[dim] + before:
            count -= 1
        return count

    def contract(self):
        channel = "F" if not self.is_product or self.depthwise else "G*C"
        x = ["N", channel, *self.over]
        filters = (["F", "1"] if self.depthwise else ["G*M", "C"]) + self.inner
        inputs = [("x", self.type, x)] + ([("w", self.before.stored if self.before else self.type, filters)] if self.is_product else [])
        dimensions = [f"  - name: G\n    equals: {self.sizes['G']}"] if self.is_product and not self.depthwise else []
        for dim, inner, place in zip(self.over, self.inner, self.result[2:]):
            stride, dilation, before, behind, up = self.steps_along[dim]
            if not self.is_product:
                dimensions.append(f"  - name: {inner}\n    equals: {self.sizes[inner]}")
            dimensions.append(f"  - name: {place}\n    window: {{over: {dim}, size: {inner}, stride: {stride}, dilation: {dilation}, "
                              f"pad_begin: {before}, pad_end: {behind}, round_up: {up}}}")
        return inputs, [self.name_of(dim) for dim in self.result], dimensions

    def name_of(self, dim):
        return "G*M" if dim == "F" and self.is_product and not self.depthwise else dim

    def body(self):
        axes = ", ".join((["C"] if self.is_product and not self.depthwise else []) + self.inner)
        lines = [f"  %k = te.window %x over {', '.join(self.over)}"]
        if self.is_product:
            before, filters = self.before.lines() if self.before else ([], "%w")
            return [*before, *lines, f"  %p = te.matmul {filters}, %k axes [{axes}]", *self.after("%p")]
        if self.number is not None:
            lines = [f"  %c = te.constant {self.number}{'.0' if self.is_float else ''}", *lines]
        source = "%k"
        if self.squares:
            source, lines = "%q", [*lines, "  %q = te.mul %k, %k"]
        return [*lines, f"  %p = te.reduce_{self.kind} {source} axes [{axes}]", *self.after_pool()]

    def after_pool(self):
        """As behind a product, but whole numbers have no sign to drop."""
        lines = self.after("%p")
        if not self.is_float:
            last = lines.pop().split()[-1]
            lines.append(f"  %y = te.maximum {last}, {last}")
        return lines

    def arrays(self, numbers):
        most = 9 if self.squares else 100
        x = numbers.integers(0 if self.is_unsigned else -1 if self.is_float else -most, 2 if self.is_float else most,
                             [self.sizes["N"], self.channels(), *(self.sizes[dim] for dim in self.over)])
        given = {"x": x.astype(NUMPY[self.type])}
        if self.is_product:
            stored = self.before.stored if self.before else self.type
            w = numbers.integers(0 if stored in ("uint8", "bool") else -1, 2,
                                 [self.sizes["F"], self.sizes["C"], *(self.sizes[inner] for inner in self.inner)])
            given["w"] = w.astype(TYPES[stored])
        if self.has_other:
            given["c"] = self.draw_other(numbers, [self.sizes[dim] for dim in self.other])
        return given

    def channels(self):
        return self.sizes["G"] * self.sizes["C"] if self.is_product else self.sizes["C"]

    def indices(self, dim):
        """Of the elements of each window along a dimension, [places, elements], and whether the input has them."""
        stride, dilation, before, _, _ = self.steps_along[dim]
        inner = self.sizes[self.inner_of(dim)]
        at = np.arange(self.places(dim))[:, None] * stride - before + np.arange(inner)[None] * dilation
        return at, (at >= 0) & (at < self.sizes[dim])

    def elements(self, x):
        """[N, channels, places, elements of a window], and whether the input has them."""
        has = np.ones(x.shape, bool)
        for axis, dim in enumerate(self.over, 2):
            at, inside = self.indices(dim)
            # The axis of places stands where the dimension stood; that of elements goes to the end.
            x, has = (np.moveaxis(np.take(each, np.clip(at, 0, self.sizes[dim] - 1), axis=axis), axis + 1, -1) for each in (x, has))
            own = [1] * x.ndim
            own[axis], own[-1] = inside.shape
            has = has & inside.reshape(own)
        return x, has

    def expected(self, arrays):
        k, has = self.elements(arrays["x"].astype("f8") if self.is_float else arrays["x"])
        last = tuple(range(k.ndim - len(self.over), k.ndim))
        if self.is_product:
            groups = self.sizes["G"]
            k = np.where(has, k, 0).reshape(k.shape[0], groups, self.sizes["C"], *k.shape[2:])
            w = arrays["w"].astype("f8")
            w = (self.before.of(w, None) if self.before else w).reshape(groups, -1, *arrays["w"].shape[1:])
            names = "pqr"[: len(self.over)], "ijk"[: len(self.over)]
            y = merged(np.einsum(f"ngc{names[0]}{names[1]},gmc{names[1]}->ngm{names[0]}", k, w))
        else:
            k = k * k if self.squares else k
            ends = (-np.inf, np.inf) if self.is_float else (np.iinfo(k.dtype).min, np.iinfo(k.dtype).max)
            none = {"max": ends[0], "min": ends[1], "sum": 0}[self.kind]
            y = {"max": np.max, "min": np.min, "sum": np.sum}[self.kind](np.where(has, k, np.array(none, k.dtype)), axis=last)
        c = spread(arrays["c"].astype("f8"), self.other, self.result, self.sizes) if self.has_other else self.number
        if self.is_float:
            return np.broadcast_to(self.expected_after(y, c), y.shape)
        for step in self.steps:
            y = AFTER[step](y, np.array(c, y.dtype))
        return y


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.drawn = (Product if self.random.random() < 0.5 else Windows)(self.random)
        if isinstance(self.drawn, Product):
            self.drawn.draw_rows(random.Random(f"rows {seed}"))
        inputs, _, _ = self.drawn.contract()
        types = [(name, type) for name, type, _ in inputs] + [("c", self.drawn.other_type()), ("y", self.drawn.output)]
        self.narrow = {name for name, type in types if type == "bfloat16"}

    def write(self, folder):
        drawn = self.drawn
        inputs, result, dimensions = drawn.contract()
        if drawn.has_other:
            own = [dim if isinstance(drawn, Product) else drawn.name_of(dim) for dim in drawn.other]
            inputs = [*inputs, ("c", drawn.other_type(), own)]

        def tensor(name, type, shape):
            return [f"  - name: {name}", f"    types: [{type}]", f"    shape: [{', '.join(shape)}]"]

        lines = ["schema: 1", "op_type: Drawn", "version: 1.0.0", "summary: drawn", "inputs:", *(line for x in inputs for line in tensor(*x))]
        lines += ["outputs:", *tensor("y", drawn.output, result)]
        lines += ["dimensions:", *dimensions] if dimensions else []
        lines += ["precision:", *(["  compute: float32", "  accumulate: float32"] if drawn.computed in FLOATS else ["  compute: storage"])]
        lines += ["  tolerance:", f"    - type: {drawn.output}", "      max_ulp: 0", "bodies:", "  - level: te", "    file: drawn.mlir"]
        lines += [] if drawn.has_chip else ["    devices: cpu"]
        (folder / "op_contract.yaml").write_text("\n".join([*lines, "reference: reference.py", ""]))
        arguments = ", ".join(f"%{name}: !{name}" for name, *_ in inputs)
        body = ["!T = f16", f"func.func @drawn({arguments}) -> !y {{", *drawn.body(), "  return %y : !y", "}", ""]
        (folder / "drawn.mlir").write_text("\n".join(body))
        (folder / "reference.py").write_text('"""None: te_products.py has the numbers."""\n')

    def arrays(self):
        return self.drawn.arrays(np.random.default_rng(self.random.getrandbits(32)))

    def expected(self, arrays):
        return {"y": self.drawn.expected(arrays)}

    @property
    def text(self):
        return f"{vars(self.drawn)}"

    # What an operator is added with may split its loops.
    refusal, chip_refusal = "OPC-E0312", None

    @property
    def may_lack_chip(self):
        return not self.drawn.has_chip


def main():
    drive = Drive(__doc__.splitlines()[0], Program)
    print(f"{drive.served} of {drive.count} contracts have a kernel, {drive.on_chip} have one for the AI Core")
    if drive.served * 4 < drive.count * 3:
        drive.failures.append("fewer than three quarters of the contracts have a kernel")
    return drive.end()


if __name__ == "__main__":
    sys.exit(main())
