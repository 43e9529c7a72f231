"""Random bodies whose results reduce different dimensions: contracts and shapes by seed, run on both devices and compared with
NumPy.

x has two to four dimensions, of which one may stand for several (`...S`), and a second input z has some of them. Two or three
results reduce different sets of dimensions, in one step or as a value less what was reduced of it; they drop what they reduce
or have size 1 there. A further result may reduce nothing. Others are computed from one of these, as it is stored, and
reduce another set: a later nest reads it. Outputs then have any order, and what is read may be no output: it is in the workspace
of the launch. One result reads a position, a truth value or a count there, whatever the type; another one has positions along a
dimension, in its loops or in what it reads. Whole numbers wrap. z may be absent, with a number in its place and an input v behind it, or represent up to three
tensors, of which the body takes the largest or the sum. Numbers are whole and few, so that every order of additions gives
the same. Programs run under all sanitizers, in an order of the pipes that is drawn.
"""

import itertools
import random
import sys

import numpy as np

from te_driver import TYPES, Drive, rounded

SIZES = (0, 1, 2, 3, 7, 16, 33, 130, 300, 1100, 4133, 13001)
MOST = 60000
FLOATS = ("float32", "float16", "bfloat16")
WHOLE = ("int32", "int16", "int8", "uint8")
FORMS = {"sum": np.sum, "max": np.max, "min": np.min}


def lines_of_tensor(name, element, shape):
    return [f"  - name: {name}", f"    types: [{element}]", f"    shape: [{', '.join(shape)}]"]


class Program:
    def __init__(self, seed):
        r = self.random = random.Random(seed)
        self.dims = list("ABCD"[: r.choice((2, 3, 3, 4))])
        if r.random() < 0.3:
            self.dims[r.randrange(len(self.dims))] = "...S"
        self.type = r.choice(FLOATS)
        kinds = random.Random(f"whole {seed}")
        self.type = kinds.choice(WHOLE) if kinds.random() < 0.4 else self.type
        self.is_whole = self.type in WHOLE
        sets = [set(dims) for count in range(1, len(self.dims) + 1) for dims in itertools.combinations(self.dims, count)]
        self.sets = r.sample(sets, min(r.choice((2, 2, 3)), len(sets)))
        self.draw_z()
        self.results = [self.draw_result(reduced) for reduced in self.sets]
        if r.random() < 0.3:
            self.results.insert(r.randrange(len(self.results) + 1), (set(), None, "whole"))
        self.draw_sizes()
        self.draw_operands(random.Random(f"operands {seed}"))
        self.draw_chains(random.Random(f"chains {seed}"))
        self.draw_dropped(random.Random(f"dropped {seed}"))
        self.draw_between(random.Random(f"between {seed}"))
        self.draw_counted(random.Random(f"counted {seed}"))

    def draw_operands(self, r):
        """How many tensors z is; the number in its place if it may be absent, which is another case than a count."""
        kind = r.choice(("one", "absent", "given", "count")) if self.meets else "one"
        self.count = r.randint(1, 3) if kind == "count" else 0
        self.fold = r.choice(("maximum", "add"))
        self.absent = max(r.randint(-1, 1), -(self.type != "uint8")) if kind in ("absent", "given") else None
        self.is_there = kind != "absent"
        self.attributes = {"n": self.count} if self.count else {"has_z": str(kind == "given").lower()} if self.absent is not None else {}

    def draw_chains(self, r):
        """Results that read another one: its number, then as of those. Where that is a sum, which may be large, they are
        extremes, so that every number is exact."""
        self.chains = []
        pairs = [(number, reduced) for number, (own, _, form) in enumerate(self.results) for reduced in self.sets
                 if own and reduced != own and (form == "whole" or reduced <= own or not reduced & own)]
        for number, reduced in r.sample(pairs, min(len(pairs), r.choice((0, 1, 1, 2)))):
            kind = r.choice(("max", "min")) if self.results[number][1] == "sum" else r.choice(list(FORMS))
            packed = any(dim.startswith("...") for dim in reduced) or reduced == set(self.dims)
            self.chains.append((number, reduced, kind, r.choice(("left out", "whole") if packed else ("left out", "whole", "kept as 1"))))
        self.order = list(range(len(self.results) + len(self.chains)))
        if self.chains:
            r.shuffle(self.order)

    def draw_dropped(self, r):
        """Results that others read, and which the body does not return."""
        read = sorted({source for source, *_ in self.chains})
        self.dropped = {source for source in read if r.random() < 0.5}
        self.order = [number for number in self.order if number not in self.dropped]

    def draw_between(self, r):
        """What is not returned and of another type than x, over one dimension, and the set that its reader reduces."""
        self.between = None
        named = [dim for dim in self.dims if not dim.startswith("...")]
        pairs = [(dim, reduced) for dim in named for reduced in self.sets if reduced != {dim} and (dim not in reduced or reduced <= {dim})]
        if not pairs or r.random() < 0.4:
            return
        dim, reduced = r.choice(pairs)
        kinds = ("any", "count", "position") if self.sizes[dim][0] else ("any", "count")
        self.between = (r.choice(kinds), dim, reduced, r.choice(("max", "min")))
        self.order.append(len(self.results) + len(self.chains))

    def draw_counted(self, r):
        """Positions along a dimension, added to x; what is reduced of that, not returned, and the set that its reader reduces."""
        self.counted = None
        named = [dim for dim in self.dims if not dim.startswith("...")]
        if not named or r.random() < 0.6:
            return
        reduced = r.choice([*self.sets, set()])
        first = [dim for dim in named if reduced != {dim} and (dim not in reduced or reduced <= {dim})]
        self.counted = (r.choice(named), r.choice(("%x", "value", "result")), r.choice([None, *first]), reduced, r.choice(("max", "min")))
        self.order.append(len(self.results) + len(self.chains) + 1)
        # Positions along none of the inner loops; a nest with more flags, or more instructions of whole numbers, than are proved.
        self.refusal = ("OPC-E0312", "OPC-E0401", "OPC-E0402")

    def draw_z(self):
        """Some dimensions, of what is reduced together too."""
        fitting = [list(dims) for count in range(len(self.dims)) for dims in itertools.combinations(self.dims, count)]
        self.z = self.random.choice(fitting)
        # Beside results an input of all dimensions but the last would be an element of each row.
        self.meets = self.z != self.dims[:-1]

    def draw_result(self, reduced):
        r = self.random
        kept = [dim for dim in self.dims if dim not in reduced]
        forms = ["left out", "whole"]
        if not any(dim.startswith("...") for dim in reduced) and kept:
            forms.append("kept as 1")
        return reduced, r.choice(list(FORMS)), r.choice(forms)

    def draw_sizes(self):
        while True:
            self.sizes = {dim: [self.random.choice(SIZES)] for dim in self.dims}
            for dim in self.dims:
                if dim.startswith("..."):
                    self.sizes[dim] = [self.random.choice(SIZES) for _ in range(self.random.randint(0, 2))]
            # What drops a dimension of size 0 has elements.
            if np.prod([max(size, 1) for own in self.sizes.values() for size in own]) <= MOST:
                return

    def shape_of(self, reduced, form):
        if form == "whole":
            return self.dims
        one = ["1"] if form == "kept as 1" else []
        return [part for dim in self.dims for part in (one if dim in reduced else [dim])]

    def write(self, folder):
        lines = ["schema: 1", "op_type: Drawn", "version: 1.0.0", "summary: drawn", "inputs:"]
        lines += lines_of_tensor("x", self.type, self.dims)
        lines += lines_of_tensor("z", self.type, self.z) if self.meets else []
        if self.count:
            lines += ["    count: n", "attributes:", "  - {name: n, type: int, bind: compile, default: 2, range: {minimum: 1, maximum: 3}}"]
        elif self.absent is not None:
            lines += ["    present: has_z", f"    absent: {self.absent}{'' if self.is_whole else '.0'}", *lines_of_tensor("v", self.type, self.z), "attributes:", "  - {name: has_z, type: bool, bind: compile, default: true}"]
        lines.append("outputs:")
        shapes = [self.shape_of(reduced, form) for reduced, _, form in self.results]
        shapes += [self.shape_of(reduced, form) for _, reduced, _, form in self.chains]
        shapes += [self.shape_of(self.between[2], "left out")] if self.between else []
        if self.counted:
            shapes += [self.dims] * (not self.between) + [self.shape_of(self.counted[3], "left out")]
        for number in self.order:
            lines += lines_of_tensor(f"y{number}", self.type, shapes[number])
        computed = [] if self.is_whole else ["  compute: float32", "  accumulate: float32"]
        lines += ["boundary: {overflow: wrap}"] * self.is_whole
        lines += ["precision:", *(computed or ["  compute: storage"]), "  tolerance:", f"    - type: {self.type}", "      max_ulp: 0"]
        lines += ["bodies:", "  - level: te", "    file: drawn.mlir", "reference: reference.py", ""]
        (folder / "op_contract.yaml").write_text("\n".join(lines))
        (folder / "drawn.mlir").write_text("\n".join(self.body()))
        (folder / "reference.py").write_text('"""None: te_sets.py has the numbers."""\n')

    def body(self):
        names = [f"y{number}" for number in self.order]
        types = ", ".join(f"!{name}" for name in names)
        has_v = self.absent is not None
        arguments = ("%x: !x, %z: !z" if self.meets else "%x: !x") + ", %v: !v" * has_v
        lines = ["!T = f16", f"func.func @drawn({arguments}) -> ({types}) {{"]
        lines += [f"  %f = te.fold {self.fold} %z"] * bool(self.count)
        other = "%f" if self.count else "%z"
        first = "%b" if has_v else "%a"
        lines += [f"  %zero = te.constant 0{'' if self.is_whole else '.0'}"]
        relu = lambda value: f"te.maximum {value}, %zero" if self.is_whole else f"te.relu {value}"  # noqa: E731
        lines += [f"  {first} = te.maximum %x, {other}" if self.meets else f"  %a = {relu('%x')}"]
        lines += ["  %a = te.minimum %b, %v"] * has_v
        axes_of = lambda reduced: ", ".join(dim.lstrip(".") for dim in self.dims if dim in reduced)  # noqa: E731
        for number, (reduced, kind, form) in enumerate(self.results):
            name, axes = f"y{number}", axes_of(reduced)
            if not reduced:
                lines.append(f"  %{name} = " + ("te.sub %zero, %a" if self.is_whole else "te.neg %a"))
            elif form == "whole":
                lines += [f"  %r{name} = te.reduce_{kind} %a axes [{axes}] keep", f"  %{name} = te.sub %a, %r{name}"]
            else:
                lines.append(f"  %{name} = te.reduce_{kind} %a axes [{axes}]" + " keep" * (form == "kept as 1"))
        for number, (source, reduced, kind, form) in enumerate(self.chains, len(self.results)):
            own, first, of = self.results[source]
            read = f"y{source}"
            if of == "left out":
                # With the dimensions that it drops: the same value.
                read = f"k{number}"
                lines.append(f"  %{read} = te.reduce_{first} %a axes [{axes_of(own)}] keep")
            lines += [f"  %d{number} = {relu(f'%{read}')}" if of == "whole" else f"  %d{number} = te.sub %a, %{read}"]
            line = f"te.reduce_{kind} %d{number} axes [{axes_of(reduced)}]"
            if form == "whole":
                lines += [f"  %t{number} = {line} keep", f"  %y{number} = te.sub %d{number}, %t{number}"]
            else:
                lines.append(f"  %y{number} = {line}" + " keep" * (form == "kept as 1"))
        lines += self.lines_between(axes_of) if self.between else []
        lines += self.lines_counted(axes_of) if self.counted else []
        return [*lines, f"  return {', '.join('%' + name for name in names)} : {types}", "}", ""]

    def lines_between(self, axes_of):
        kind, dim, reduced, extreme = self.between
        own = f"axes [{dim}] keep"
        up = [] if kind == "position" else ["  %up = te.compare gt %a, %zero"]
        one = ["  %ones = te.cast %up to i32"] if kind == "count" else []
        reduction = {"position": "arg_max %a", "any": "reduce_any %up", "count": "reduce_sum %ones"}[kind]
        return [*up, *one, f"  %between = te.{reduction} {own}", "  %typed = te.cast %between to !T", "  %less = te.sub %a, %typed",
                f"  %y{len(self.results) + len(self.chains)} = te.reduce_{extreme} %less axes [{axes_of(reduced)}]"]

    def lines_counted(self, axes_of):
        dim, like, first, reduced, extreme = self.counted
        name = f"%y{len(self.results) + len(self.chains) + 1}"
        whole = [f"!y{number}" for number in self.order if self.is_whole_result(number)]
        like = {"%x": "%x", "value": "%a"}.get(like) or (whole or ["%a"])[0]
        lines = [f"  %place = te.iota along {dim} to {like}", "  %places = te.cast %place to !T", "  %moved = te.add %a, %places"]
        if first:
            lines += [f"  %firstmoved = te.reduce_{extreme} %moved axes [{first}] keep", "  %rest = te.sub %moved, %firstmoved"]
        value = "%rest" if first else "%moved"
        return [*lines, f"  {name} = te.reduce_{extreme} {value} axes [{axes_of(reduced)}]" if reduced else f"  {name} = te.neg {value}" if not self.is_whole else f"  {name} = te.sub %zero, {value}"]

    def is_whole_result(self, number):
        """Whether a result has all dimensions."""
        if number < len(self.results):
            return not self.results[number][0] or self.results[number][2] == "whole"
        chain = number - len(self.results)
        return chain < len(self.chains) and self.chains[chain][3] == "whole"

    def value_between(self, a):
        kind, dim, _, _ = self.between
        axis = self.axes_of({dim})[0]
        if kind == "position":
            return np.expand_dims(np.argmax(a, axis=axis), axis) if a.size else np.zeros([1 if i == axis else n for i, n in enumerate(a.shape)])
        return (np.any if kind == "any" else np.sum)(a > 0, axis=axis, keepdims=True)

    def fit(self, values, type=None):
        """As the type stores it: floats are rounded, whole numbers wrap."""
        if not self.is_whole:
            return rounded(values, type or self.type)
        return np.where(np.isfinite(values), values, 0).astype("i8").astype(TYPES[self.type])

    def axes_of(self, reduced):
        starts = np.cumsum([0] + [len(self.sizes[dim]) for dim in self.dims])
        return tuple(axis for dim, begin, end in zip(self.dims, starts, starts[1:]) if dim in reduced for axis in range(begin, end))

    def arrays(self):
        numbers = np.random.default_rng(self.random.getrandbits(32))
        least = 0 if self.type == "uint8" else -1
        draw = lambda shape: numbers.integers(least, least + 3, [size for dim in shape for size in self.sizes[dim]]).astype(TYPES[self.type])  # noqa: E731
        names = [f"z_{number}" for number in range(self.count)] or ["z"] * (self.meets and self.is_there) + ["v"] * (self.absent is not None)
        return {"x": draw(self.dims), **{name: draw(self.z) for name in names}}

    def expected(self, arrays):
        a = arrays["x"].astype("f8")
        if self.meets:
            full = [size if dim in self.z else 1 for dim in self.dims for size in self.sizes[dim]]
            given = [array.astype("f8").reshape(full) for name, array in arrays.items() if name.startswith("z")]
            z = (np.maximum if self.fold == "maximum" else np.add).reduce(given) if given else self.absent
            a = np.maximum(a, z)
            a = np.minimum(a, arrays["v"].reshape(full)) if "v" in arrays else a
        else:
            a = np.maximum(a, 0)
        result = {}
        limits = np.iinfo(TYPES[self.type]) if self.is_whole else None
        least, most = (limits.min, limits.max) if limits else (-np.inf, np.inf)
        wrap = lambda values: self.fit(values).astype("f8") if self.is_whole else values  # noqa: E731
        reduce = lambda a, reduced, kind, keep: FORMS[kind](  # noqa: E731
            a, axis=self.axes_of(reduced), keepdims=keep, **{} if kind == "sum" else {"initial": least if kind == "max" else most})
        for number, (reduced, kind, form) in enumerate(self.results):
            if not reduced:
                value = -a
            else:
                value = wrap(reduce(a, reduced, kind, form != "left out"))
                value = a - value if form == "whole" else value
            result[f"y{number}"] = self.fit(value, "float32" if number in self.dropped else self.type)
        for number, (source, reduced, kind, form) in enumerate(self.chains, len(self.results)):
            own, _, of = self.results[source]
            read = result[f"y{source}"].astype("f8")
            read = np.expand_dims(read, self.axes_of(own)) if of == "left out" else read
            d = np.maximum(read, 0) if of == "whole" else wrap(a - read)
            value = wrap(reduce(d, reduced, kind, form != "left out"))
            result[f"y{number}"] = self.fit(d - value if form == "whole" else value)
        if self.between:
            _, _, reduced, extreme = self.between
            less = wrap(a - self.fit(self.value_between(a)).astype("f8"))
            result[f"y{len(self.results) + len(self.chains)}"] = self.fit(reduce(less, reduced, extreme, False))
        if self.counted:
            dim, _, first, reduced, extreme = self.counted
            axis = self.axes_of({dim})[0]
            places = self.fit(np.arange(a.shape[axis], dtype="f8")).astype("f8").reshape([-1 if i == axis else 1 for i in range(a.ndim)])
            moved = wrap(a + places)
            rest = wrap(moved - reduce(moved, {first}, extreme, True)) if first else moved
            result[f"y{len(self.results) + len(self.chains) + 1}"] = self.fit(reduce(rest, reduced, extreme, False) if reduced else -rest)
        return {f"y{number}": result[f"y{number}"] for number in self.order}

    @property
    def text(self):
        results = ", ".join(f"{kind} over {sorted(reduced)} {form}" for reduced, kind, form in self.results)
        results += "".join(f", {kind} of y{source} over {sorted(reduced)} {form}" for source, reduced, kind, form in self.chains)
        results += f", not returned {sorted(self.dropped)}" * bool(self.dropped)
        results += f", between {self.between}" * bool(self.between) + f", counted {self.counted}" * bool(self.counted)
        return f"x {self.dims}, z {self.z if self.meets else None}, {self.type}, {self.sizes}, {self.attributes}, {results}"

    @property
    def narrow(self):
        return ("x", "v", *(f"z{end}" for end in ("", "_0", "_1", "_2")), *(f"y{number}" for number in range(8))) if self.type == "bfloat16" else ()

    refusal, may_lack_chip, chip_refusal = None, False, None


def main():
    return Drive(__doc__.splitlines()[0], Program).end()


if __name__ == "__main__":
    sys.exit(main())
