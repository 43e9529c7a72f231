#!/usr/bin/env python3
"""Random te bodies, compiled and run on both devices, against NumPy.

te_programs.py --opc=OPC --count=N --seed=S --folder=DIR [--words=te.json | --domains]

Each program is a contract, a body of 3 to 12 operations over two tensors of rows and a row, and a reference: the same
operations in NumPy, in float64, each with a bound of what rounding may have done so far. `opc test` compares. The
reference is written from the program's list of operations; nothing of the compiler takes part in it. Where a value leaves
the range in which that bound means something, the element is left open. The bounds count roundings, so numerics are exact.

With --words programs draw from all operations, enum cases and roundings that TableGen knows (test/language): one that has
no bound here is an error. Without it from a list that stays, so that a seed stays the program that it was.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys

# name in te: operands, NumPy over (values, errors) -> value, and the error that operands bring; EPS is added to each.
UNARY = {
    "neg": ("-a", "ea"), "abs": ("np.abs(a)", "ea"), "relu": ("np.maximum(a, 0)", "ea"),
    "tanh": ("np.tanh(a)", "ea"), "sigmoid": ("1 / (1 + np.exp(-a))", "ea"), "erf": ("erf(a)", "1.2 * ea"),
}
BINARY = {
    "add": ("a + b", "ea + eb"), "sub": ("a - b", "ea + eb"), "mul": ("a * b", "np.abs(a) * eb + np.abs(b) * ea + ea * eb"),
    "maximum": ("np.maximum(a, b)", "np.maximum(ea, eb)"), "minimum": ("np.minimum(a, b)", "np.maximum(ea, eb)"),
}
REDUCE = {
    "sum": ("np.sum(a, axis=-1, keepdims=True)", "np.sum(ea, axis=-1, keepdims=True) + EPS * n * np.sum(np.abs(a), axis=-1, keepdims=True)"),
    "mean": ("np.mean(a, axis=-1, keepdims=True)", "np.mean(ea, axis=-1, keepdims=True) + EPS * n * np.mean(np.abs(a), axis=-1, keepdims=True)"),
    "max": ("np.max(a, axis=-1, keepdims=True)", "np.max(ea, axis=-1, keepdims=True)"),
    "min": ("np.min(a, axis=-1, keepdims=True)", "np.max(ea, axis=-1, keepdims=True)"),
}
# Of full operands, an element for each row; with lines and names as below.
ROWS = {
    # Factors near 1, so that many of them leave a number.
    "reduce_prod": ("{v}0 = te.tanh {a}; {v}1 = te.constant 0.015625; {v}2 = te.mul {v}0, {v}1; {v}3 = te.add {v}2, %one; "
                    "te.reduce_prod {v}3 axes [-1] keep", "np.prod(1 + np.tanh(a) / 64, axis=-1, keepdims=True)",
                    "1.1 * np.prod(1 + np.tanh(a) / 64, axis=-1, keepdims=True) * (2 * EPS * n + np.sum(ea, axis=-1, keepdims=True) / 63)"),
    "reduce_any": ("{v}0 = te.compare gt {a}, %one; {v}1 = te.reduce_any {v}0 axes [-1] keep; te.cast {v}1 to !T",
                   "np.any(a > 1, axis=-1, keepdims=True) * 1.0", "np.any(np.abs(a - 1) <= ea, axis=-1, keepdims=True) * 1.0"),
    "reduce_all": ("{v}0 = te.compare lt {a}, %one; {v}1 = te.reduce_all {v}0 axes [-1] keep; te.cast {v}1 to !T",
                   "np.all(a < 1, axis=-1, keepdims=True) * 1.0", "np.any(np.abs(a - 1) <= ea, axis=-1, keepdims=True) * 1.0"),
    # A position is open where another element comes as near as both errors, or where the type of 16 bits does not hold it.
    "arg_max": ("{v}0 = te.arg_max {a} axes [-1] keep; te.cast {v}0 to !T", "np.argmax(a, axis=-1, keepdims=True) * 1.0",
                "np.where(np.sum(a + ea >= np.max(a - ea, axis=-1, keepdims=True), axis=-1, keepdims=True) > 1, np.inf, "
                "np.where(np.argmax(a, axis=-1, keepdims=True) < 2000, 0.0, np.inf))"),
    "arg_min": ("{v}0 = te.arg_min {a} axes [-1] keep last; te.cast {v}0 to !T", "np.argmin(a, axis=-1, keepdims=True) * 1.0",
                "np.where(np.sum(a - ea <= np.min(a + ea, axis=-1, keepdims=True), axis=-1, keepdims=True) > 1, np.inf, "
                "np.where(np.argmin(a, axis=-1, keepdims=True) < 2000, 0.0, np.inf))"),
}
# The whole language: lines with {a}, {b} for operands and {v} for names of their own, the value, the error. A name with a
# case of an enum stands for that case, one without for all of them.
WORDS = {
    **{name: (f"te.{name} {{a}}", value, error) for name, (value, error) in UNARY.items()},
    **{name: (f"te.{name} {{a}}, {{b}}", value, error) for name, (value, error) in BINARY.items()},
    # Divisors, roots and logarithms of what is at least 1.
    "div": ("{v}0 = te.abs {b}; {v}1 = te.add {v}0, %one; te.div {a}, {v}1", "a / (np.abs(b) + 1)", "ea + np.abs(a) * eb"),
    "reciprocal": ("{v}0 = te.abs {a}; {v}1 = te.add {v}0, %one; te.reciprocal {v}1", "1 / (np.abs(a) + 1)", "ea + EPS"),
    "rsqrt": ("{v}0 = te.abs {a}; {v}1 = te.add {v}0, %one; te.rsqrt {v}1", "1 / np.sqrt(np.abs(a) + 1)", "ea + EPS"),
    "log": ("{v}0 = te.abs {a}; {v}1 = te.add {v}0, %one; te.log {v}1", "np.log(np.abs(a) + 1)", "ea + EPS"),
    "sqrt": ("{v}0 = te.abs {a}; {v}1 = te.add {v}0, %one; te.sqrt {v}1", "np.sqrt(np.abs(a) + 1)", "ea"),
    "exp": ("{v}0 = te.tanh {a}; te.exp {v}0", "np.exp(np.tanh(a))", "np.e * (ea + EPS)"),
    "gelu erf": ("te.gelu erf {a}", "0.5 * a * (1 + erf(a * 0.5**0.5))", "1.2 * ea + 1e-6"),
    "gelu tanh": ("te.gelu tanh {a}", "0.5 * a * (1 + np.tanh((2 / np.pi)**0.5 * (a + 0.044715 * a**3)))", "1.2 * ea + 1e-6"),
    "swish": ("te.swish {a}, {b}", "a / (1 + np.exp(-a * b))", "1.1 * ea + 0.25 * a * a * (eb + EPS * np.abs(b))"),
    "leaky_relu": ("te.leaky_relu {a}, {b}", "np.where(a >= 0, a, a * b)", "np.maximum(1, np.abs(b) + eb) * ea + np.abs(a) * eb"),
    # Where both sides are as near as their errors either may be taken.
    "compare": ("{v}0 = te.{word} {a}, {b}; te.select {v}0, {a}, {b}", "np.where(COMPARE['{case}'](a, b), a, b)",
                "np.where(np.abs(a - b) <= ea + eb, np.abs(a - b), 0) + np.maximum(ea, eb)"),
    "select": ("{v}0 = te.compare ge {a}, {b}; te.select {v}0, {b}, {a}", "np.where(a >= b, b, a)",
               "np.where(np.abs(a - b) <= ea + eb, np.abs(a - b), 0) + np.maximum(ea, eb)"),
    # Whole numbers that 16 bits hold; what lies nearer to where it jumps than its error may be one off.
    "cast": ("{v}0 = te.cast {a} to i32 {case}; te.cast {v}0 to !T", "WHOLE['{case}'](a)",
             "np.where(np.abs(a) < 2000, ((jump(a) <= ea) & (ea > 0)) * 1.0, np.inf)"),
    **{name: (f"te.{name} {{a}}", f"np.{of}(a)", "ea + ((jump(a) <= ea) & (ea > 0)) * 1.0")
       for name, of in (("floor", "floor"), ("ceil", "ceil"), ("round", "rint"), ("trunc", "trunc"))},
    "sign": ("te.sign {a}", "np.sign(a)", "np.where(np.abs(a) <= ea, (ea > 0) * 2.0, 0)"),
    # By what is at least 1. Near a multiple the remainder jumps by the divisor.
    **{f"mod {form}": (f"{{v}}0 = te.abs {{b}}; {{v}}1 = te.add {{v}}0, %one; te.mod {form} {{a}}, {{v}}1", f"np.{of}(a, np.abs(b) + 1)",
                       "remainder_error(a, ea, np.abs(b) + 1, eb + EPS * (np.abs(b) + 1))") for form, of in (("floor", "mod"), ("trunc", "fmod"))},
    "pow": ("{v}0 = te.abs {a}; {v}1 = te.add {v}0, %one; {v}2 = te.tanh {b}; te.pow {v}1, {v}2", "(np.abs(a) + 1) ** np.tanh(b)",
            "(np.abs(a) + 1) ** np.tanh(b) * ((ea + EPS) / (np.abs(a) + 1) + (eb + 3 * EPS) * np.log(np.abs(a) + 1) + EPS)"),
    "expm1": ("{v}0 = te.tanh {a}; te.expm1 {v}0", "np.expm1(np.tanh(a))", "np.e * (ea + EPS)"),
    "log1p": ("{v}0 = te.abs {a}; te.log1p {v}0", "np.log1p(np.abs(a))", "ea"),
    "sin": ("te.sin {a}", "np.sin(a)", "np.where(np.abs(a) < 1e5, ea + 1e-9, np.inf)"),
    "cos": ("te.cos {a}", "np.cos(a)", "np.where(np.abs(a) < 1e5, ea + 1e-9, np.inf)"),
    "softplus": ("te.softplus {a}", "np.logaddexp(0, a)", "ea"),
    "isnan": ("{v}0 = te.isnan {a}; te.select {v}0, {b}, {a}", "np.where(np.isnan(a), b, a)", "ea + 0 * eb"),
    "isinf": ("{v}0 = te.isinf {a}; te.select {v}0, {b}, {a}", "np.where(np.isinf(a), b, a)", "ea + 0 * eb"),
    **{name: (f"{{v}}0 = te.compare ge {{a}}, {{b}}; {{v}}1 = te.compare lt {{a}}, %one; {{v}}2 = te.{name} {{v}}0, {{v}}1; "
              "te.select {v}2, {a}, {b}", f"np.where((a >= b) {sign} (a < 1), a, b)",
              "np.where((np.abs(a - b) <= ea + eb) | (np.abs(a - 1) <= ea), np.abs(a - b), 0) + np.maximum(ea, eb)")
       for name, sign in (("and", "&"), ("or", "|"), ("xor", "^"))},
    "not": ("{v}0 = te.compare ge {a}, {b}; {v}1 = te.not {v}0; te.select {v}1, {a}, {b}", "np.where(a >= b, b, a)",
            "np.where(np.abs(a - b) <= ea + eb, np.abs(a - b), 0) + np.maximum(ea, eb)"),
    "broadcast": ("te.broadcast {a} to %x1", "a + np.zeros(open_.shape)", "ea + np.zeros(open_.shape)"),
    "constant": ("{v}0 = te.constant 0.375; te.sub {v}0, {a}", "0.375 - a", "ea"),
}


# Of dimensions that a contract has for them, or of inputs with a count: other generators draw them (te_drawn.py).
OF_DIMENSIONS = {"fold", "slice", "stack", "concat", "gather", "iota", "matmul", "scan", "scatter", "sort", "window"}


def words_of(path):
    """(name, case) of all that the language offers; an operation that has no bound here ends the test."""
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "language"))
    from words import read_operations

    words = []
    for operation in read_operations(path):
        if operation.name.startswith("reduce_") and operation.name.removeprefix("reduce_") in REDUCE:
            words.append((operation.name, ""))
            continue
        if operation.name in OF_DIMENSIONS:
            continue
        if operation.name in ROWS:
            words.append((operation.name, ""))
            continue
        for case in [case for _, cases in operation.enums for case in cases] or [""]:
            name = " ".join(filter(None, (operation.name, case)))
            if name not in WORDS and operation.name not in WORDS:
                sys.exit(f"te.{name} has no bound in te_programs.py")
            words.append((name if name in WORDS else operation.name, case))
    return words


CONTRACT = """schema: 1
op_type: {op_type}
version: 1.0.0
summary: A random program
inputs:
  - name: x1
    types:
      - {narrow}
      - float32
    shape:
      - ...S
      - N
  - name: x2
    types:
      - {narrow}
      - float32
    shape:
      - ...S
      - N
  - name: g
    types:
      - {narrow}
      - float32
    shape:
      - N
{presence}outputs:
  - name: y
    types:
      - {narrow}
      - float32
    shape:
      - ...S
      - N
{attributes}dimensions:
  - name: N
    minimum: 1
boundary:
  overflow: infinity
  rounding: nearest_even
  empty: allowed
  nan: reference
  infinity: reference
precision:
  compute: float32
  accumulate: float32
  tolerance:
    - type: {narrow}
      max_ulp: 1
    - type: float32
      max_ulp: 1
bodies:
  - level: te
    file: body.mlir
reference: reference.py
"""
REFERENCE = '''"""Made by te_programs.py: {name}."""

import math

import numpy as np

EPS = 2.0 ** -21  # four times half an ulp of float32, for functions of several ulp
COMPARE = {{"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal}}
WHOLE = {{"nearest_even": np.rint, "nearest_away": lambda x: np.trunc(x + np.copysign(0.5, x)), "floor": np.floor,
         "ceil": np.ceil, "trunc": np.trunc}}


def jump(x):
    return np.minimum(np.abs(x - np.rint(x)), np.abs(x - np.floor(x) - 0.5))


def erf(x):
    return np.vectorize(math.erf, otypes=[np.float64])(x) if x.size else x


def remainder_error(a, ea, b, eb):
    # What the quotient does to an error of the divisor; from a million on the AI Core may have no remainder.
    error = ea + (np.abs(a) / b + 1) * eb
    near = np.fmod(np.abs(a), b)
    error = np.where(np.minimum(near, b - near) <= error, b, error)
    return np.where(np.abs(a) < 1e6, error, np.inf)


def both(inputs):
    inputs = {{"g": np.full(inputs["x1"].shape[-1:], {absent}), **inputs}}
    with np.errstate(all="ignore"):
        zero = {{name: np.zeros_like(value) for name, value in inputs.items()}}
        n = inputs["x1"].shape[-1]
        open_ = np.zeros(inputs["x1"].shape, dtype=bool)
{steps}
        return values["y"], errors["y"], open_


def reference(inputs, attributes):
    return {{"y": both(inputs)[0]}}


def scale(inputs, attributes):
    y, error, open_ = both(inputs)
    return {{"y": np.where(open_ | ~np.isfinite(error), np.inf, np.abs(y) + error * 2.0 ** 23)}}
'''


class Program:
    """Values are x1, x2, g and v0, v1, ...; each is full, a row or a column, told by `spread`."""

    def __init__(self, seed, words=()):
        self.random = random.Random(seed)
        self.words, self.used = words, set()
        # Of a random state of its own, so that a seed stays the program that it was: whether the row may be absent, and the number
        # in its place, which is neutral to some operations. `opc test` compiles the program without it too.
        own = random.Random(f"absent {seed}")
        self.absent = own.choice([0.0, 1.0, 0.375, -2.0]) if own.random() < 0.3 else None
        # The other type beside float32, and up to where it has whole numbers.
        self.narrow, self.whole = random.Random(f"type {seed}").choice((("float16", "2000"), ("bfloat16", "250")))
        self.spread = {"x1": "full", "x2": "full", "g": "row"}
        self.body, self.steps, self.unread = [], [], {"x1", "x2", "g"}
        for _ in range(self.random.randint(3, 12)):
            self.step()
        self.finish()

    def take(self, spreads=("full", "row", "column")):
        names = [name for name in self.spread if self.spread[name] in spreads]
        fresh = [name for name in names if name in self.unread]
        name = self.random.choice(fresh or names) if self.random.random() < 0.6 else self.random.choice(names)
        self.unread.discard(name)
        return name

    def define(self, text, spread, value, error, operands):
        name = f"v{len(self.body)}"
        *before, last = text.replace("{v}", f"%{name}_").split("; ")
        self.body.append("".join(f"  {line}\n" for line in before) + f"  %{name} = te.{last.removeprefix('te.')}")
        self.steps.append(f"        # {name} = {text}")
        for letter, operand in zip("ab", operands):
            self.steps.append(f"        {letter}, e{letter} = values['{operand}'], errors['{operand}']")
        self.steps.append(f"        values['{name}'] = {value}")
        error = error.replace("< 2000", f"< {self.whole}")
        self.steps.append(f"        errors['{name}'] = {error} + EPS * np.abs(values['{name}']) + 1e-37")
        # Beyond this float32 may overflow, or cancel what is left of it.
        self.steps.append(f"        open_ = open_ | ~(np.abs(values['{name}']) < 1e18) | ~(errors['{name}'] < 1e-3 * (1 + np.abs(values['{name}'])))")
        self.spread[name] = spread
        self.unread.add(name)
        return name

    def draw(self):
        """A word of the whole language."""
        name, case = self.random.choice(self.words)
        self.used.add((name, case))
        if name in ROWS:
            a = self.take(("full",))
            text, value, error = ROWS[name]
            return self.define(text.replace("{a}", f"%{a}"), "column", value, error, [a])
        if name.startswith("reduce_"):
            a = self.take(("full",))
            return self.define(f"{name} %{a} axes [-1] keep", "column", *REDUCE[name.removeprefix("reduce_")], [a])
        text, value, error = WORDS[name]
        operands = [self.take() for letter in "ab" if "{" + letter + "}" in text]
        spreads = {self.spread[operand] for operand in operands}
        spread = "full" if name == "broadcast" or len(spreads) > 1 else self.spread[operands[0]]
        rounding = "" if case in ("", "nearest_even") else f"round {case}"
        text = text.format(v="{v}", word=f"{name} {case}", case=rounding, **{letter: f"%{operand}" for letter, operand in zip("ab", operands)})
        return self.define(text, spread, value.replace("{case}", case), error, operands)

    def step(self):
        if self.words:
            return self.draw()
        kind = self.random.random()
        if kind < 0.3:
            a = self.take()
            name = self.random.choice(list(UNARY))
            return self.define(f"{name} %{a}", self.spread[a], *UNARY[name], [a])
        if kind < 0.5:
            a = self.take(("full",))
            name = self.random.choice(list(REDUCE))
            return self.define(f"reduce_{name} %{a} axes [-1] keep", "column", *REDUCE[name], [a])
        a, b = self.take(), self.take()
        spread = self.spread[a] if self.spread[a] == self.spread[b] else "full"
        if kind < 0.6:
            # A divisor away from zero.
            d = self.define(f"abs %{b}", self.spread[b], *UNARY["abs"], [b])
            one = self.define(f"add %{d}, %one", self.spread[b], "a + 1.0", "ea", [d])
            return self.define(f"div %{a}, %{one}", spread, "a / b", "(ea + np.abs(a / b) * eb) / np.abs(b)", [a, one])
        name = self.random.choice(list(BINARY))
        return self.define(f"{name} %{a}, %{b}", spread, *BINARY[name], [a, b])

    def finish(self):
        """All that nobody read takes part in the result, which is full."""
        self.take(("full",))
        result = None
        rest = sorted(self.unread) + ["x1"]
        for name in rest:
            self.unread.discard(name)
            if result is None:
                result = name
                continue
            spread = self.spread[name] if self.spread[name] == self.spread[result] else "full"
            result = self.define(f"add %{result}, %{name}", spread, *BINARY["add"], [result, name])
        self.result = result

    def write(self, folder, name):
        folder.mkdir(parents=True, exist_ok=True)
        presence = "" if self.absent is None else f"    present: has_g\n    absent: {self.absent}\n"
        attributes = "" if self.absent is None else "attributes:\n  - name: has_g\n    type: bool\n    bind: compile\n    default: true\n"
        (folder / "op_contract.yaml").write_text(CONTRACT.format(op_type=name, narrow=self.narrow, presence=presence, attributes=attributes))
        lines = ["!T = f16", "func.func @" + name.lower() + "(%x1: !x1, %x2: !x2, %g: !g) -> !y {", "  %one = te.constant 1.0"]
        if not any("%one" in line for line in self.body):
            lines.pop()
        (folder / "body.mlir").write_text("\n".join(lines + self.body + [f"  return %{self.result} : !y", "}", ""]))
        steps = ["        values, errors = dict(inputs), {k: v for k, v in zero.items()}"] + self.steps
        steps += [f"        values['y'], errors['y'] = (np.broadcast_to(part['{self.result}'], open_.shape) for part in (values, errors))"]
        (folder / "reference.py").write_text(REFERENCE.format(name=name, absent=self.absent, steps="\n".join(steps)))


def checked(options, folder, sizes, seeds):
    """Runs `opc test`: the process, and the records of what was compared."""
    done = subprocess.run([options.opc, "test", str(folder / "op_contract.yaml"), f"--python={sys.executable}",
                           f"--sizes={sizes}", f"--seeds={seeds}", "--numerics=exact", "--format=json"], capture_output=True, text=True)
    return done, [json.loads(line) for line in done.stdout.splitlines()]


def is_refused(records):
    """Limits of kernels, each told with a fix: loops (OPC-E0312) and event ids (OPC-E0401)."""
    errors = [record for record in records if record.get("severity") == "error"]
    return bool(errors) and all(record["code"] in ("OPC-E0312", "OPC-E0401") and record["fix"] for record in errors)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--opc", default="opc")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--words", help="draw from all operations of this file")
    parser.add_argument("--domains", action="store_true", help="draw contracts whose tensors have parts of one list of dimensions")
    options = parser.parse_args()
    words = words_of(options.words) if options.words else ()
    if options.domains:
        from te_domains import DomainProgram
    failures = []
    compared = refused = 0
    for number in range(options.seed, options.seed + options.count):
        folder = options.folder / f"p{number}"
        program = DomainProgram(number) if options.domains else Program(number, words)
        program.write(folder, f"Probe{number}")
        done, records = checked(options, folder, *(("0,3", 1) if options.domains else ("0,1,33,4100", 2)))
        if options.domains and done.returncode != 0 and is_refused(records):
            refused += 1
            continue
        results = [record for record in records if "elements" in record]
        compared += sum(record["elements"] for record in results)
        seen = {(record["type_row"], record["device"]) for record in results}
        if done.returncode != 0 or len(seen) != 4:
            failures.append(f"{folder}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    print(f"{options.count} programs from seed {options.seed}, {compared} elements compared, {refused} refused, {len(failures)} failed")
    if refused * 2 > options.count:
        failures.append(f"{refused} of {options.count} programs were refused")
    if failures or not compared:
        sys.exit("\n".join(failures) or "nothing was compared")


if __name__ == "__main__":
    main()
