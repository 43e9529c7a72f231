"""Random bodies that scan, gather, take parts or pool, and reduce dimensions beside that: contracts and shapes by seed, run on
both devices and compared with NumPy.

A value is x as it is, a combination of its halves, rows or elements at places of an input or at computed places, the largest of
windows, a sum of x and w, neither of which has all dimensions, or x before w, with a size of its own, along the last dimension. Two to four steps follow: less its extreme over one or more dimensions, or a scan along one. The body returns
reductions of it, the value itself, or earlier values; a step that is not returned is between the nests of a launch. Numbers
are whole and few, so that every order of additions gives the same. Programs run under all sanitizers, in an order of the pipes
that is drawn.
"""

import random
import sys

import numpy as np

from te_driver import TYPES, Drive, rounded

SIZES = (1, 2, 3, 7, 16, 33, 70, 300, 1100)
MOST = 20000
KINDS = ("plain", "parts", "rows", "elements", "flip", "windows", "outer", "joined")
FORMS = {"max": np.max, "min": np.min, "sum": np.sum}


class Program:
    def __init__(self, seed):
        r = self.random = random.Random(seed)
        self.dims = list("ABC"[: r.choice((2, 2, 3))])
        self.type = r.choice(("float32", "float16", "bfloat16", "int32"))
        self.is_whole = self.type == "int32"
        self.kind = r.choice(KINDS)
        self.places = r.choice((1, 1, 2)) if len(self.dims) > 2 else 1
        while True:
            self.owners = {dim: r.choice(("x", "w", "xw")) for dim in self.dims}
            if {"x", "w"} <= set(self.owners.values()):
                break
        self.width, self.stride = r.choice((2, 3)), r.choice((1, 2))
        while True:
            self.sizes = {dim: r.choice(SIZES) for dim in self.dims}
            if np.prod(list(self.sizes.values())) <= MOST:
                break
        self.sizes["V"] = r.choice((1, 2, 5, 40))
        self.steps = [self.draw_step() for _ in range(r.randint(1, 3))]
        if not any(step[0] == "scan" for step in self.steps) and self.kind == "plain":
            self.steps[r.randrange(len(self.steps))] = ("scan", r.choice(self.dims), "max")
        if self.kind == "joined":
            self.steps = [("less", r.sample(self.dims, r.randint(1, len(self.dims))), r.choice(("max", "min"))) for _ in self.steps]
        self.sizes["E"] = r.choice(SIZES[:5])
        self.outputs = sorted(r.sample(range(len(self.steps)), r.randint(0, min(2, len(self.steps) - 1))))
        if self.kind in ("flip", "windows"):
            # A dimension that no input has is one of a result.
            self.outputs = self.outputs or [len(self.steps) - 1]
        self.last = (r.sample(self.dims, r.randint(1, len(self.dims))), r.choice(("max", "min")), r.random() < 0.5)
        if self.kind == "joined":
            # No result has the sum.
            self.outputs, self.last = [], (sorted({*self.last[0], self.dims[-1]}), *self.last[1:])
        # Sizes of 1 in the shapes of a body that gathers, at any place. Beside dropped dimensions, one would stand for them.
        units = self.kind in ("rows", "elements") and r.random() < 0.5
        named = ("x", "ids", "y0", "y1", "y2", *(["z"] if self.last[2] else []))
        self.units = {name: r.randint(0, 3) for name in named if units and r.random() < 0.5}

    def draw_step(self):
        r = self.random
        if r.random() < 0.35:
            return ("scan", r.choice(self.dims), r.choice(("max", "sum") if self.type in ("float32", "int32") else ("max",)))
        return ("less", r.sample(self.dims, r.randint(1, len(self.dims))), r.choice(("max", "min")))

    @property
    def shapes(self):
        """Of the inputs."""
        last = self.dims[-1]
        if self.kind == "parts":
            return {"x": [*self.dims[:-1], f"P*{last}"]}
        if self.kind == "rows":
            return {"x": ["V", *self.dims[self.places:]], "ids": self.dims[: self.places]}
        if self.kind == "elements":
            return {"x": [*self.dims[:-1], "V"], "ids": self.dims}
        if self.kind in ("flip", "windows"):
            return {"x": [*self.dims[:-1], "H"]}
        if self.kind == "outer":
            return {name: [dim for dim in self.dims if name in self.owners[dim]] for name in "xw"}
        if self.kind == "joined":
            return {"x": self.dims, "w": [*self.dims[:-1], "E"]}
        return {"x": self.dims}

    def names(self, dims):
        """Of reduced dimensions in the body."""
        return ", ".join(f"{dim}, E" if self.kind == "joined" and dim == self.dims[-1] else dim for dim in dims)

    def with_unit(self, name, shape, unit):
        shape = list(shape)
        return shape[: self.units[name]] + [unit] + shape[self.units[name]:] if name in self.units else shape

    def write(self, folder):
        tensor = lambda name, element, shape, more="": f"  - {{name: {name}, types: [{element}], shape: [{', '.join(self.with_unit(name, shape, '1'))}]{more}}}"  # noqa: E731
        lines = ["schema: 1", "op_type: Drawn", "version: 1.0.0", "summary: drawn", "inputs:"]
        for name, shape in self.shapes.items():
            lines.append(tensor(name, "int32", shape, ", values: {along: V}") if name == "ids" else tensor(name, self.type, shape))
        lines.append("outputs:")
        lines += [tensor(f"y{number}", self.type, self.dims) for number in self.outputs]
        reduced, _, keeps = self.last
        shape = [("1" if dim in reduced else dim) for dim in self.dims if keeps or dim not in reduced]
        lines += [tensor("z", self.type, shape)]
        last = self.dims[-1]
        dims = {"parts": ["  - {name: P, equals: 2}"], "flip": [f"  - {{name: {last}, equals: H}}"], "windows": [
            f"  - {{name: K, equals: {self.width}}}", f"  - {{name: {last}, window: {{over: H, size: K, stride: {self.stride}}}}}"]}
        lines += ["dimensions:", *dims[self.kind]] if self.kind in dims else []
        lines += ["boundary: {overflow: wrap}"] * self.is_whole
        lines += ["precision:", *(["  compute: storage"] if self.is_whole else ["  compute: float32", "  accumulate: float32"]), "  tolerance:",
                  f"    - {{type: {self.type}, max_ulp: 0}}"]
        lines += ["bodies:", "  - level: te", "    file: drawn.mlir", "reference: reference.py", ""]
        (folder / "op_contract.yaml").write_text("\n".join(lines))
        (folder / "drawn.mlir").write_text("\n".join(self.body()))
        (folder / "reference.py").write_text('"""None: te_apart.py has the numbers."""\n')

    def body(self):
        names = [*(f"y{number}" for number in self.outputs), "z"]
        types = ", ".join("!" + name for name in names)
        last = self.dims[-1]
        begin = {"plain": ["  %v = te.minimum %x, %one"],
                 "parts": ["  %a = te.slice %x along P at 0", "  %b = te.slice %x along P at 1", "  %v = te.sub %a, %b"],
                 "rows": ["  %v = te.gather %x, %ids along V"], "elements": ["  %v = te.gather %x, %ids along V"],
                 "flip": [f"  %place = te.iota along {last} to !y", "  %end = te.constant -1 : i32", "  %back = te.sub %end, %place",
                          "  %v = te.gather %x, %back along H beyond from_end"],
                 "windows": ["  %w = te.window %x over H", "  %v = te.reduce_max %w axes [K]"],
                 "outer": ["  %v = te.add %x, %w"], "joined": [f"  %v = te.concat %x, %w along {last}+E"]}[self.kind]
        lines = ["!T = f16", f"func.func @drawn({', '.join(f'%{name}: !{name}' for name in self.shapes)}) -> ({types}) {{"]
        begin = [line.replace("!y", f"!y{self.outputs[0]}") for line in begin if self.kind == "flip"] or begin
        lines += [f"  %one = te.constant 1{'' if self.is_whole else '.0'}"] * (self.kind == "plain") + begin
        value = "%v"
        for number, step in enumerate(self.steps):
            if step[0] == "scan":
                lines.append(f"  %y{number} = te.scan {step[2]} {value} along {step[1]}")
            else:
                lines += [f"  %r{number} = te.reduce_{step[2]} {value} axes [{self.names(step[1])}] keep", f"  %y{number} = te.sub {value}, %r{number}"]
            value = f"%y{number}"
        reduced, kind, keeps = self.last
        lines.append(f"  %z = te.reduce_{kind} {value} axes [{self.names(reduced)}]" + " keep" * keeps)
        return [*lines, f"  return {', '.join('%' + name for name in names)} : {types}", "}", ""]

    def arrays(self):
        numbers = np.random.default_rng(self.random.getrandbits(32))
        sizes = dict(self.sizes)
        sizes["H"] = sizes[self.dims[-1]] if self.kind == "flip" else (sizes[self.dims[-1]] - 1) * self.stride + self.width
        sizes[f"P*{self.dims[-1]}"] = 2 * sizes[self.dims[-1]]
        arrays = {name: numbers.integers(-1, 2, [sizes[dim] for dim in self.shapes[name]]).astype(TYPES[self.type]) for name in self.shapes if name != "ids"}
        if "ids" in self.shapes:
            arrays["ids"] = numbers.integers(-2, sizes["V"] + 2, [sizes[dim] for dim in self.shapes["ids"]]).astype("i4")
        return {name: array.reshape(self.with_unit(name, array.shape, 1)) for name, array in arrays.items()}

    def expected(self, arrays):
        arrays = {name: array.squeeze(min(self.units[name], array.ndim - 1)) if name in self.units else array for name, array in arrays.items()}
        x = arrays["x"].astype("f8")
        if self.kind == "plain":
            v = np.minimum(x, 1)
        elif self.kind == "parts":
            a, b = np.split(x, 2, axis=-1)
            v = a - b
        elif self.kind == "rows":
            v = x[np.clip(arrays["ids"], 0, self.sizes["V"] - 1)]
        elif self.kind == "elements":
            v = np.take_along_axis(x, np.clip(arrays["ids"], 0, self.sizes["V"] - 1), axis=-1)
        elif self.kind == "flip":
            v = x[..., ::-1]
        elif self.kind == "outer":
            whole = lambda name: arrays[name].astype("f8").reshape([self.sizes[dim] if name in self.owners[dim] else 1 for dim in self.dims])  # noqa: E731
            v = whole("x") + whole("w")
        elif self.kind == "joined":
            v = np.concatenate([x, arrays["w"].astype("f8")], axis=-1)
        else:
            v = np.lib.stride_tricks.sliding_window_view(x, self.width, axis=-1)[..., :: self.stride, :].max(axis=-1)
        result = {}
        for number, step in enumerate(self.steps):
            if step[0] == "scan":
                v = {"sum": np.add, "max": np.maximum, "min": np.minimum}[step[2]].accumulate(v, axis=self.dims.index(step[1]))
            else:
                v = v - FORMS[step[2]](v, axis=self.axes(step[1]), keepdims=True)
            if number in self.outputs:
                result[f"y{number}"] = self.fit(v)
        reduced, kind, keeps = self.last
        result["z"] = self.fit(FORMS[kind](v, axis=self.axes(reduced), keepdims=keeps))
        return {name: values.reshape(self.with_unit(name, values.shape, 1)) for name, values in result.items()}

    def fit(self, values):
        return values.astype("i4") if self.is_whole else rounded(values, self.type)

    def axes(self, dims):
        return tuple(self.dims.index(dim) for dim in dims)

    @property
    def text(self):
        return f"{self.kind} of {self.shapes}, {self.type}, {self.sizes}, width {self.width}, stride {self.stride}, {self.steps}, returned {self.outputs}, {self.last}, units {self.units}"

    @property
    def narrow(self):
        return ("x", "w", "z", *(f"y{number}" for number in range(3))) if self.type == "bfloat16" else ()

    # Scans and gathers are along inner loops, and a nest may have more flags, or instructions of whole numbers, than are proved.
    refusal, may_lack_chip, chip_refusal = ("OPC-E0312", "OPC-E0401", "OPC-E0402"), False, None


def main():
    drive = Drive(__doc__.splitlines()[0], Program)
    return drive.end()


if __name__ == "__main__":
    sys.exit(main())
