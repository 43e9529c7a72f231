"""Random operators whose tensors have parts of one list of dimensions, for te_programs.py: contract, body, reference.

A contract has one to five dimensions (symbols, perhaps a pack or a fixed size), one to four inputs that have all or some of
them, and outputs that have all, those that are reduced with size 1, or those that are kept. Inputs have their dimensions in
any order without reductions, and beside reductions what is around the last one. One dimension may have a size that the
contract gives: tensors then have products of it and a neighbour. Without reductions a body may take parts of all tensors
along that dimension, and its result is a stack of parts. Or it takes ranges along a dimension: of inputs that have more
before and behind, and its result has another input, or a number, behind it. Reductions of a body are over one random set of
the dimensions; some contracts have five to eight of them and reduce every second one. The reference gives each input all
dimensions, of size 1 where it has none, so that NumPy combines values by position; with each value goes a bound of what
rounding may have done so far.
"""

import math
import random

from te_programs import BINARY, UNARY

REDUCE = {
    "sum": ("total(a)", "total(ea) + EPS * n * total(np.abs(a))"),
    "mean": ("total(a) / n", "total(ea) / n + EPS * total(np.abs(a))"),
    "max": ("np.max(a, axis=axes, keepdims=True, initial=-np.inf)", "np.max(ea, axis=axes, keepdims=True, initial=0)"),
    "min": ("np.min(a, axis=axes, keepdims=True, initial=np.inf)", "np.max(ea, axis=axes, keepdims=True, initial=0)"),
}
DIVIDE = ("a / b", "(ea + np.abs(a / b) * eb) / np.abs(b)")
FIXED = (1, 2, 3, 8, 16, 33)
SIZES = (1, 2, 3, 5, 7, 16, 33)
LONG = (130, 257, 1031)
MOST = 40000
FORMS = (["full"], ["kept as 1"], ["left out"], ["full", "left out"], ["full", "kept as 1"], ["kept as 1", "left out"],
         ["left out", "left out"], ["full", "left out", "kept as 1"])
REFERENCE = '''"""Made by te_programs.py: {name}."""

import math

import numpy as np

EPS = 2.0 ** -21  # four times half an ulp of float32, for functions of several ulp
DIMS = {dims}
SHAPES = {shapes}
REDUCED = {reduced}
OUTPUTS = {outputs}
GIVEN = {given}  # sizes
PRODUCTS = {products}  # for each tensor its dimensions as the contract has them, each a list of factors
RANGED = {ranged}  # the dimension along which there are ranges
CUT = {cut}  # inputs that have elements before and behind the range
TAIL = {tail}  # an input with another range, or a number of elements, or none


def erf(x):
    return np.vectorize(math.erf, otypes=[np.float64])(x) if x.size else x


def is_pack(dim):
    return dim.startswith("...")


def cut(name, array):
    """The range of an input."""
    before, behind = CUT.get(name, (0, 0))
    shape = SHAPES[name]
    at = shape.index(RANGED) if name in CUT else 0
    at -= len(shape) if any(map(is_pack, shape[:at])) else 0
    return np.take(array, range(before, array.shape[at] - behind), axis=at) if name in CUT else array


def split(array, dims):
    """An input with a dimension for each factor of a product, all but one of which are given."""
    rank = array.ndim - len(dims) + 1
    sizes, at = [], 0
    for factors in dims:
        if is_pack(factors[0]):
            sizes += array.shape[at:at + rank]
            at += rank
            continue
        given = math.prod(GIVEN[dim] for dim in factors if dim in GIVEN) if len(factors) > 1 else 1
        sizes += [array.shape[at] // given if dim not in GIVEN or len(factors) == 1 else GIVEN[dim] for dim in factors]
        at += 1
    return array.reshape(sizes)


def form(inputs):
    """How many dimensions each name stands for, and the axes that are reduced."""
    rank = 0
    for name, shape in SHAPES.items():
        if any(map(is_pack, shape)):
            rank = inputs[name].ndim - len(shape) + 1
    counts = [rank if is_pack(dim) else 1 for dim in DIMS]
    starts = [sum(counts[:i]) for i in range(len(counts))]
    axes = [axis for dim, at, count in zip(DIMS, starts, counts) if dim in REDUCED for axis in range(at, at + count)]
    return counts, tuple(axes)


def spread(array, shape, counts):
    """An input with all dimensions in order, of size 1 where it has none."""
    count = dict(zip(DIMS, counts))
    starts = {{dim: sum(count[other] for other in shape[:i] if other in count) for i, dim in enumerate(shape)}}
    if set(shape) <= set(DIMS):
        array = array.transpose([axis for dim in DIMS if dim in shape for axis in range(starts[dim], starts[dim] + count[dim])])
    sizes, at = [], 0
    for dim, count in zip(DIMS, counts):
        if dim in shape:
            sizes += array.shape[at:at + count]
            at += count
        else:
            sizes += [1] * count
            at += len(shape) == len(DIMS)
    return array.reshape(sizes)


def merge(array, dims, rank):
    """A result with the products that the contract says."""
    packed = rank - sum(len(factors) for factors in dims) + 1
    sizes, at = [], 0
    for factors in dims:
        count = packed if is_pack(factors[0]) else len(factors)
        own = array.shape[at:at + count]
        sizes += own if is_pack(factors[0]) else [math.prod(own)]
        at += count
    return array.reshape(sizes)


def both(inputs):
    with np.errstate(all="ignore"):
        tail = inputs.get("r")
        inputs = {{name: split(cut(name, array), PRODUCTS[name]) for name, array in inputs.items() if name != "r"}}
        counts, axes = form(inputs)
        values = {{name: spread(array, SHAPES[name], counts) for name, array in inputs.items()}}
        errors = {{name: np.zeros_like(array) for name, array in values.items()}}
        shape = np.broadcast_shapes(*(array.shape for array in values.values()))
        values["r"], errors["r"] = tail, tail if tail is None else np.zeros_like(tail)
        n = float(np.prod([shape[axis] for axis in axes]))
        at = sum(counts[:{parted}])  # the axis along which there are parts
        part = [1 if axis == at else size for axis, size in enumerate(shape)]

        def total(array):
            return np.sum(array, axis=axes, keepdims=True)

        def define(name, value, error):
            error = error + EPS * np.abs(value) + 1e-37
            # Beyond this float32 may overflow, or cancel what is left of it.
            good = (np.abs(value) < 1e18) & (error < 1e-3 * (1 + np.abs(value)))
            values[name], errors[name] = value, np.where(good, error, np.inf)

{steps}
        results = {{}}
        for name, (value, kind) in OUTPUTS.items():
            target = [1 if axis in axes and kind != "full" else size for axis, size in enumerate(shape)]
            target = values[value].shape if TAIL is not None else target
            parts = [np.broadcast_to(part[value], target) for part in (values, errors)]
            parts = [np.squeeze(part, axis=axes) for part in parts] if kind == "left out" else parts
            results[name] = [merge(part, PRODUCTS[name], len(part.shape)) for part in parts]
        return results


def reference(inputs, attributes):
    return {{name: y for name, (y, error) in both(inputs).items()}}


def scale(inputs, attributes):
    return {{name: np.where(np.isfinite(error), np.abs(y) + error * 2.0 ** 23, np.inf)
            for name, (y, error) in both(inputs).items()}}
'''


def is_pack(dim):
    return dim.startswith("...")


class DomainProgram:
    """Values are x0, x1, ... and v0, v1, ...; `spread` tells which dimensions each has."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.draw_dims()
        self.scatter(random.Random(f"scattered {seed}"))
        self.ordered = random.Random(f"ordered {seed}")
        self.draw_shapes()
        self.body, self.steps = [], []
        self.kept = set()  # values of which a reduction with 'keep' is a part
        self.draw_ranges()
        self.spread = {name: frozenset(dim for dim in shape if dim in self.dims) for name, shape in self.shapes.items()}
        self.unread = set(self.shapes)
        self.chained = False
        self.take_parts()
        self.take_ranges()
        for _ in range(self.random.randint(2, 9)):
            self.step()
        self.finish()

    def draw_dims(self):
        r = self.random
        count = r.choice((1, 2, 2, 3, 3, 3, 4, 4, 5))
        self.dims = list("ABCDE"[:count])
        if r.random() < 0.4:
            self.dims[r.randrange(count)] = "...S"
        self.fixed = {}
        at = r.randrange(count)
        if count > 1 and r.random() < 0.2 and not is_pack(self.dims[at]):
            size = r.choice(FIXED)
            self.dims[at] = str(size)
            self.fixed[str(size)] = size
        self.reduced = [] if r.random() < 0.25 else r.sample(self.dims, r.randint(1, min(count, 3)))
        self.forms = r.choice(FORMS) if self.reduced else ["full"]
        # A pack that is reduced has no fixed 1.
        if any(map(is_pack, self.reduced)):
            self.forms = ["left out" if form == "kept as 1" else form for form in self.forms]
        # Where all tensors are [...S] the operator is elementwise, and has no dimension to reduce (axes_c3).
        if self.dims == ["...S"] and self.forms == ["full"]:
            self.reduced = []
        self.minimum = r.random() < 0.8
        # A size that the contract gives: products of this dimension and a neighbour are known from either.
        self.given = {}
        symbols = [dim for dim in self.dims if dim not in self.fixed and not is_pack(dim)]
        # Beside products numbers are no axes, and a fixed size has no name.
        self.wants_ranges = not self.reduced and r.random() < 0.4
        if not self.wants_ranges and len(symbols) > 1 and not set(self.fixed) & set(self.reduced) and r.random() < (0.4 if self.reduced else 0.8):
            self.given[r.choice(symbols)] = r.choice((2, 3, 5))
        # Parts are no single elements, so the dimension is not the last.
        self.parted = None
        if not self.reduced and self.given and self.dims[-1] not in self.given and r.random() < 0.7:
            self.parted = next(iter(self.given))

    def scatter(self, r):
        """Every second of five to eight dimensions is reduced, in some programs; by a random state of its own, so that a seed of
        the others stays the program that it was."""
        self.scattered = r.random() < 0.15
        if not self.scattered:
            return
        count, first = r.choice(((5, 0), (6, 0), (6, 1), (7, 0), (7, 1), (8, 0), (8, 1)))
        self.dims = list("ABCDEFGH"[:count])
        self.reduced = self.dims[first::2]
        self.fixed, self.given, self.parted, self.wants_ranges = {}, {}, None, False
        self.forms = r.choice(FORMS)

    def draw_shapes(self):
        r = self.random
        self.shapes = {}
        inputs = r.randint(1, 4)
        whole = r.randrange(inputs)
        self.whole = f"x{whole}"
        for i in range(inputs):
            shape = list(self.dims)
            if i != whole and self.scattered:
                shape = [dim for dim in self.dims if r.random() < 0.5]
            elif i != whole and r.random() < 0.8:
                shape = [dim for dim in self.dims if r.random() < 0.5]
                if r.random() < 0.15 and not any(map(is_pack, self.dims)):
                    shape = [dim if r.random() < 0.6 else "1" for dim in self.dims]
            self.shapes[f"x{i}"] = shape
        # Without reductions inputs may have their dimensions in another order. Those that do not end as the results
        # all end with the same dimension.
        if not self.reduced and r.random() < 0.7:
            last = r.choice(self.dims)
            for shape in self.shapes.values():
                if r.random() < 0.7 and all(dim in self.dims for dim in shape):
                    r.shuffle(shape)
                    end = self.dims[-1] if self.dims[-1] in shape and (last not in shape or r.random() < 0.3) else last
                    if end in shape:
                        shape.append(shape.pop(shape.index(end)))
        if self.reduced and self.ordered.random() < 0.3:
            self.shuffle_around(self.ordered)
        for shape in self.shapes.values():
            if shape and shape[-1] == self.parted:
                shape.insert(0, shape.pop())
        self.types = r.sample(("float16", "float32", "bfloat16"), 2)

    def shuffle_around(self, r):
        """Beside reductions the dimensions of inputs around the last one are in any order. If no result has all dimensions, the
        order is that of the largest input."""
        for name, shape in self.shapes.items():
            if all(dim in self.dims for dim in shape) and ("full" in self.forms or name != self.whole and len(shape) < len(self.dims)):
                r.shuffle(shape)
                if self.dims[-1] in shape:
                    shape.append(shape.pop(shape.index(self.dims[-1])))

    def draw_ranges(self):
        r = self.random
        self.ranged, self.cut, self.tail = None, {}, None
        symbols = [dim for dim in self.dims if dim not in self.fixed and not is_pack(dim)]
        if not self.wants_ranges or not symbols:
            return
        dim = r.choice(symbols)
        for name, shape in self.shapes.items():
            if dim in shape and r.random() < 0.4:
                self.cut[name] = (r.choice((1, 2, 7)), r.choice((1, 3)))
        if r.random() < 0.6:
            self.tail = r.choice(("r", 1, 5))
        if self.cut or self.tail:
            self.ranged = dim

    def take_ranges(self):
        """Ranges in the place of the inputs that have more."""
        for name in self.cut:
            part = self.define(f"slice %{name} along {self.ranged}", self.spread[name], ("a", "ea"), [name])
            if name == self.whole:
                self.whole_range = part
            del self.spread[name]
            self.unread.discard(name)

    def concat(self, whole):
        """What was computed, with another range behind it."""
        tail = "one" if self.tail != "r" else self.unary("abs", "r")
        name = f"v{len(self.body)}"
        terms = f"{self.ranged}+{'R' if self.tail == 'r' else self.tail}"
        self.body.append(f"  %{name} = te.concat %{whole}, %{tail} along {terms}")
        size = "values['r'].shape" if self.tail == "r" else f"[{self.tail} if axis == at else size for axis, size in enumerate(shape)]"
        self.steps.append(f"        at = sum(counts[:{self.dims.index(self.ranged)}])")
        ends = f"values['{tail}'], errors['{tail}']" if self.tail == "r" else f"np.ones({size}), np.zeros({size})"
        self.steps.append(f"        ends = {ends}")
        self.steps.append(f"        define('{name}', *(np.concatenate([np.broadcast_to(kind['{whole}'], shape), end], axis=at)"
                          " for kind, end in zip((values, errors), ends)))")
        return name

    def take_parts(self):
        """Parts in the place of the inputs that have the dimension."""
        self.whole_parts = []
        for name, shape in self.shapes.items():
            if self.parted not in shape:
                continue
            for index in range(self.given[self.parted]):
                rule = (f"np.take(a, [{index}], axis=at)", f"np.take(ea, [{index}], axis=at)")
                part = self.define(f"slice %{name} along {self.parted} at {index}", self.spread[name] - {self.parted}, rule, [name])
                if name == self.whole:
                    self.whole_parts.append(part)
            del self.spread[name]
            self.unread.discard(name)

    def stack(self, parts):
        name = f"v{len(self.body)}"
        self.body.append(f"  %{name} = te.stack {', '.join(f'%{part}' for part in parts)} along {self.parted}")
        whole = f"np.concatenate([np.broadcast_to(kind[name], part) for name in {parts}], axis=at)"
        self.steps.append(f"        define('{name}', *({whole} for kind in (values, errors)))")
        return name

    def products(self, shape):
        """The dimensions of a tensor, some of them a product of the given one and a neighbour."""
        dims = []
        for dim in shape:
            factors = dims[-1] + [dim] if dims else []
            if (len(factors) == 2 and set(factors) & set(self.given) and not any(map(is_pack, factors))
                    and all(part not in self.fixed and part != "1" for part in factors) and self.random.random() < 0.7):
                dims[-1] = factors
            else:
                dims.append([dim])
        return dims

    def take(self, want=lambda spread: True):
        names = [name for name in self.spread if want(self.spread[name])]
        fresh = [name for name in names if name in self.unread]
        name = self.random.choice(fresh) if fresh and self.random.random() < 0.6 else self.random.choice(names)
        self.unread.discard(name)
        return name

    def define(self, text, spread, rule, operands):
        value, error = rule
        name = f"v{len(self.body)}"
        self.body.append(f"  %{name} = te.{text}")
        self.steps.append(f"        # {name} = {text}")
        for letter, operand in zip("ab", operands):
            self.steps.append(f"        {letter}, e{letter} = values['{operand}'], errors['{operand}']")
        self.steps.append(f"        define('{name}', {value}, {error})")
        self.spread[name] = frozenset(spread)
        self.unread.add(name)
        if " keep" in text or self.kept & set(operands):
            self.kept.add(name)
        return name

    def unary(self, name, a):
        return self.define(f"{name} %{a}", self.spread[a], UNARY[name], [a])

    def binary(self, name, a, b):
        return self.define(f"{name} %{a}, %{b}", self.spread[a] | self.spread[b], BINARY[name], [a, b])

    def divide(self, a, b):
        """By what is at least 1."""
        size = self.unary("abs", b)
        divisor = self.define(f"add %{size}, %one", self.spread[b], ("a + 1.0", "ea"), [size])
        self.unread -= {size, divisor}
        return self.define(f"div %{a}, %{divisor}", self.spread[a] | self.spread[b], DIVIDE, [a, divisor])

    def axis(self, dim):
        """By name, or by a number from the side on which no pack stands."""
        at = self.dims.index(dim)
        packs = [i for i, other in enumerate(self.dims) if is_pack(other)]
        numbers = [at] if not packs or at < packs[0] else []
        if not packs or at > packs[0]:
            numbers.append(at - len(self.dims))
        if dim in self.fixed or (not self.given and numbers and self.random.random() < 0.3):
            return str(self.random.choice(numbers))
        return dim.lstrip(".")

    def reduce(self, a, keep=True, kinds=tuple(REDUCE)):
        kind = self.random.choice(kinds)
        axes = ", ".join(map(self.axis, self.reduced))
        result = self.define(f"reduce_{kind} %{a} axes [{axes}]" + " keep" * keep, self.spread[a] - set(self.reduced), REDUCE[kind], [a])
        return result

    def parameters(self, result, form):
        """A result of a reduction with some of the values that have none of the reduced dimensions, and never had."""
        for name in [name for name, spread in self.spread.items() if not spread & set(self.reduced)]:
            if name != result and (form == "kept as 1" or name not in self.kept) and self.random.random() < 0.3:
                result = self.binary(self.random.choice(list(BINARY)), *self.random.sample((result, name), 2))
        return result

    def reducible(self):
        return self.take(lambda spread: spread >= set(self.reduced))

    def chain(self):
        """As softmax and norms do: what was reduced meets its operand again."""
        self.chained = True
        a = self.reducible()
        largest = self.reduce(a, kinds=("max", "mean"))
        below = self.binary("sub", a, largest)
        part = self.unary("sigmoid", below)
        total = self.reduce(part, kinds=("sum", "mean", "max"))
        self.unread -= {largest, below, part, total}
        return self.divide(part, total)

    def step(self):
        r = self.random
        kind = r.random()
        if kind < 0.2:
            a = self.take()
            return self.unary(r.choice(list(UNARY)), a)
        if kind < 0.45 and self.reduced:
            return self.reduce(self.reducible())
        if kind < 0.55 and self.reduced and not self.chained:
            return self.chain()
        a, b = self.take(), self.take()
        return self.divide(a, b) if kind < 0.62 else self.binary(r.choice(list(BINARY)), a, b)

    def finish(self):
        """All that nobody read takes part in the results."""
        whole = getattr(self, "whole_range", self.whole)
        rest = sorted(self.unread - {whole, *self.whole_parts})
        wholes = self.whole_parts or [whole]
        for name in rest:
            at = self.random.randrange(len(wholes))
            wholes[at] = self.binary("add", wholes[at], name)
        whole = self.stack(wholes) if self.parted else wholes[0]
        if self.tail:
            self.spread["r"] = frozenset(self.dims)
            whole = self.concat(whole)
        self.outputs = {}
        for number, form in enumerate(self.forms):
            value = whole
            if form != "full":
                known = set(self.spread)
                value = self.parameters(self.reduce(whole, keep=form == "kept as 1"), form)
                # It meets no other result: its dimensions are not those of values that keep them.
                self.spread = {name: spread for name, spread in self.spread.items() if name in known}
            elif not self.parted and not self.tail and self.random.random() < 0.3:
                value = self.unary("tanh", whole)
            self.outputs[f"y{number}"] = (value, form)
        self.factors = {name: self.products(shape) for name, shape in self.shapes.items()}
        self.factors |= {name: self.products(self.shape_of(form)) for name, (_, form) in self.outputs.items()}
        if self.tail == "r":
            self.shapes["r"] = ["R" if dim == self.ranged else dim for dim in self.dims]
            self.factors["r"] = [[dim] for dim in self.shapes["r"]]

    def shape_of(self, form):
        if form == "full":
            return self.dims
        one = ["1"] if form == "kept as 1" else []
        return [part for dim in self.dims for part in (one if dim in self.reduced else [dim])]

    def test_shapes(self):
        r = self.random
        for turn in range(4):
            sizes = {}
            for dim in self.dims:
                given = self.fixed | self.given
                sizes[dim] = [given[dim]] if dim in given else [r.choice(SIZES[:4] if self.scattered else SIZES) for _ in range(turn % 3 if is_pack(dim) else 1)]
            free = [dim for dim in self.dims if dim not in self.fixed and dim not in self.given]
            if turn == 3 and free:
                sizes[r.choice(free)] = [r.choice(LONG)]
            # Sizes of 1 from the front, until few elements are left: NumPy and simulator then take a moment.
            for dim in self.dims:
                if math.prod(size for part in sizes.values() for size in part) > MOST and dim in free:
                    sizes[dim] = [1] * len(sizes[dim])
            sizes["R"] = [r.choice(SIZES)]
            dash = "- "
            for name in self.shapes:
                flat = []
                for factors in self.factors[name]:
                    own = [size for dim in factors for size in sizes.get(dim, [1])]
                    own = [size + sum(self.cut[name]) for size in own] if name in self.cut and factors == [self.ranged] else own
                    flat += map(str, own if is_pack(factors[0]) else [math.prod(own)])
                yield f"  {dash}{name}: [{', '.join(flat)}]"
                dash = "  "

    def contract(self, name):
        def written(tensor):
            dims = ["*".join(factors) for factors in self.factors[tensor]]
            if tensor in self.cut:
                before, behind = self.cut[tensor]
                dims = [f"{before}+{dim}+{behind}" if dim == self.ranged else dim for dim in dims]
            if tensor in self.outputs and self.tail:
                dims = [f"{dim}+{'R' if self.tail == 'r' else self.tail}" if dim == self.ranged else dim for dim in dims]
            return ", ".join(dims)

        tensors = lambda names: [f"  - {{name: {tensor}, types: [{', '.join(self.types)}], shape: [{written(tensor)}]}}" for tensor in names]
        lines = ["schema: 1", f"op_type: {name}", "version: 1.0.0", "summary: A random program", "inputs:"]
        lines += tensors(self.shapes) + ["outputs:"]
        lines += tensors(self.outputs)
        named = [dim for dim in self.reduced if dim not in self.fixed and dim not in self.given and self.minimum]
        entries = [f"  - {{name: {dim}, minimum: 1}}" for dim in named] + [f"  - {{name: {dim}, equals: {size}}}" for dim, size in self.given.items()]
        lines += ["dimensions:"] * bool(entries) + entries
        lines += ["boundary: {overflow: infinity, rounding: nearest_even, empty: allowed, nan: reference, infinity: reference}",
                  "precision:", "  compute: float32", "  accumulate: float32", "  tolerance:"]
        lines += [f"    - {{type: {element}, max_ulp: 1}}" for element in self.types]
        lines += ["bodies:", "  - {level: te, file: body.mlir}", "reference: reference.py", "test_shapes:", *self.test_shapes()]
        return "\n".join(lines) + "\n"

    def write(self, folder, name):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "op_contract.yaml").write_text(self.contract(name))
        arguments = ", ".join(f"%{tensor}: !{tensor}" for tensor in self.shapes)
        types = ", ".join(f"!{output}" for output in self.outputs)
        results = ", ".join(f"%{value}" for value, _ in self.outputs.values())
        lines = ["!T = f16", f"func.func @{name.lower()}({arguments}) -> ({types}) {{"]
        lines += ["  %one = te.constant 1.0"] * any("%one" in line for line in self.body)
        (folder / "body.mlir").write_text("\n".join(lines + self.body + [f"  return {results} : {types}", "}", ""]))
        (folder / "reference.py").write_text(REFERENCE.format(name=name, shapes={name: shape for name, shape in self.shapes.items() if name != "r"}, dims=self.dims, reduced=self.reduced,
                                                              outputs=self.outputs, given=self.given | self.fixed, products=self.factors,
                                                              parted=self.dims.index(self.parted) if self.parted else 0,
                                                              ranged=repr(self.ranged), cut=self.cut, tail=repr(self.tail),
                                                              steps="\n".join(self.steps)))
