"""Random bodies over numbers of all types: contracts and shapes by seed, run on both devices and compared with NumPy.

Inputs are two planes and a row, each of a type of its own. A body takes words that docs/reference/te-types.md (which test/language
holds against TableGen and every device) says to run: arithmetic of whole numbers, which wraps, logic, comparisons, casts with all
roundings, reductions of rows and positions in them. Of floats it takes casts, and what rounds nothing. All that it computed is added up as
int32, so that each bit counts. test/language says what a word means. Programs for the AI Core run under all sanitizers, in an order
of the pipes that is drawn.
"""

import functools
import pathlib
import random
import re
import sys

import numpy as np

from te_driver import TYPES, Drive

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "test" / "language"))
from meaning import ELEMENTWISE, REDUCTIONS  # noqa: E402
from numeric import FLOATS, MLIR, cast, limits, wrap  # noqa: E402

SIZES = (0, 1, 2, 3, 7, 16, 33, 130, 300)
MOST = 20000
# What rounds no float, and keeps it as small as it was.
EXACT = re.compile(r"neg|abs|relu|sign|maximum|minimum|floor|ceil|round|trunc|select|compare \w+|isnan|isinf|broadcast|reduce_(max|min)|arg_\w+( last)?")


@functools.cache
def words():
    """[(word, type)] of tensors that run, and [(word, from, to)] of casts."""
    found, casts = [], []
    for line in (ROOT / "docs/reference/te-types.md").read_text().splitlines():
        row = re.fullmatch(r"\| (.+) of (tensor(?:, tensor)*)(?:, (\w[\w ]*))? \| (.+) \| .* \|", line)
        if not row or row[3] not in (None, "row", "rows keep"):
            continue
        word = row[1]
        if word.split()[0] == "cast":
            for of in row[4].split("; "):
                source, _, to = of.partition(" to ")
                casts += [(word, source, type) for type in to.split(", ") if source in TYPES and type in TYPES]
        elif word in ELEMENTWISE or word in REDUCTIONS or word == "broadcast":
            found += [(word, type) for type in row[4].split(", ") if type in TYPES and (type not in FLOATS or EXACT.fullmatch(word))]
    return found, casts


class Program:
    def __init__(self, seed):
        r = self.random = random.Random(seed)
        names = ("x", "z", "g")
        self.types = {name: r.choice(list(TYPES)) for name in names}
        self.spread = {"x": "full", "z": "full", "g": "row"}
        self.lines, self.unread = [], set(names)
        for _ in range(r.randint(3, 9)):
            self.step()
        self.sizes = {"A": r.choice(SIZES), "N": r.choice(SIZES[1:])}
        while self.sizes["A"] * self.sizes["N"] > MOST:
            self.sizes["A"] = r.choice(SIZES)

    def take(self, types, full=False):
        """A value of one of the types; if there is none, one that is cast."""
        r = self.random
        names = [name for name, type in self.types.items() if type in types and (not full or self.spread[name] == "full")]
        fresh = [name for name in names if name in self.unread]
        if not names:
            casts = [(word, name, to) for word, of, to in words()[1] if to in types for name, type in self.types.items()
                     if type == of and (not full or self.spread[name] == "full")]
            return self.define(*r.choice(casts)) if casts else None
        name = r.choice(fresh if fresh and r.random() < 0.7 else names)
        self.unread.discard(name)
        return name

    def define(self, word, *operands):
        """A line: a word with names of values, or a cast with a name and a type."""
        name = f"v{len(self.lines)}"
        operand = operands[0]
        if word.startswith("cast"):
            self.types[name], operands = operands[1], operands[:1]
        elif word.startswith(("compare", "is")):
            self.types[name] = "bool"
        else:
            self.types[name] = "int32" if word.startswith("arg") else self.types[operands[-1]]
        is_column = word.startswith(("arg", "reduce"))
        spreads = {self.spread[each] for each in operands}
        self.spread[name] = "column" if is_column else spreads.pop() if len(spreads) == 1 and word != "broadcast" else "full"
        self.lines.append((name, word, operands, self.types[operand], self.types[name]))
        self.unread -= set(operands)
        self.unread.add(name)
        return name

    def step(self):
        r = self.random
        if r.random() < 0.25:
            word, of, to = r.choice(words()[1])
            operand = self.take([of])
            return operand and self.define(word, operand, to)
        word, type = r.choice(words()[0])
        is_column = word.startswith(("arg", "reduce"))
        first = self.take([type], is_column)
        if first is None:
            return None
        if word == "select":
            condition = self.take(["bool"])
            return condition and self.define(word, condition, first, self.take([type]))
        count = 2 if word.split()[0] in ("add", "sub", "mul", "div", "mod", "pow", "maximum", "minimum", "compare", "and", "or", "xor") else 1
        return self.define(word, first, *(self.take([type]) for _ in range(count - 1)))

    def text_of(self, line):
        name, word, operands, _, result = line
        given = ", ".join(f"%{operand}" for operand in operands)
        if word.startswith("cast"):
            first, *more = word.split()
            return f"  %{name} = te.{first} {given} to {MLIR[result]}{''.join(' ' + each for each in more)}"
        if word.startswith(("arg", "reduce")):
            first, *more = word.split()
            return f"  %{name} = te.{first} {given} axes [N] keep{''.join(' ' + each for each in more)}"
        return f"  %{name} = te.{word} {given}{' to %x' if word == 'broadcast' else ''}"

    def write(self, folder):
        def tensor(name, type, shape):
            return [f"  - name: {name}", f"    types: [{type}]", f"    shape: [{', '.join(shape)}]"]

        lines = ["schema: 1", "op_type: Drawn", "version: 1.0.0", "summary: drawn", "inputs:"]
        for name, shape in (("x", "AN"), ("z", "AN"), ("g", "N")):
            lines += tensor(name, self.types[name], shape)
        lines += ["outputs:", *tensor("y", "int32", "AN"), "dimensions:", "  - name: N", "    minimum: 1"]
        lines += ["precision:", "  compute: storage", "  tolerance:", "    - type: int32", "      max_ulp: 0"]
        lines += ["bodies:", "  - level: te", "    file: drawn.mlir", "reference: reference.py", ""]
        (folder / "op_contract.yaml").write_text("\n".join(lines))
        body = ["!T = f16", "func.func @drawn(%x: !x, %z: !z, %g: !g) -> !y {", *map(self.text_of, self.lines)]
        total = "%s"
        body.append(f"  {total} = te.cast %x to i32")
        for number, name in enumerate(sorted(self.unread | {"z"})):
            body += [f"  %i{number} = te.cast %{name} to i32", f"  %s{number} = te.add {total}, %i{number}"]
            total = f"%s{number}"
        body += [f"  return {total} : !y", "}", ""]
        (folder / "drawn.mlir").write_text("\n".join(body))
        (folder / "reference.py").write_text('"""None: te_numbers.py has the numbers."""\n')

    @property
    def narrow(self):
        return {name for name in "xzg" if self.types[name] == "bfloat16"}

    def arrays(self):
        numbers = np.random.default_rng(self.random.getrandbits(32))

        def draw(name):
            type, shape = self.types[name], [self.sizes[dim] for dim in ("N" if name == "g" else "AN")]
            if type in FLOATS:
                return numbers.integers(-120, 121, shape) / 2.0
            if type == "bool":
                return numbers.random(shape) < 0.5
            low, high = limits(type)
            wide = numbers.integers(low, high + 1, shape)
            few = numbers.integers(max(low, -3), 4, shape)
            at = numbers.random(shape)
            return np.where(at < 0.2, numbers.choice([low, high], shape), np.where(at < 0.6, few, wide))

        return {name: draw(name).astype(TYPES[self.types[name]]) for name in "xzg"}

    def expected(self, arrays):
        def wide(array):
            return array if array.dtype.kind == "b" else array.astype("f8" if array.dtype.kind == "f" else "i8")

        with np.errstate(all="ignore"):
            values = {name: wide(array) for name, array in arrays.items()}
            for name, word, operands, of, to in self.lines:
                given = [values[operand] for operand in operands]
                if word.startswith("cast"):
                    rounding = word.split("round ")[1].split()[0] if "round " in word else "nearest_even"
                    # By way of float32, which rounds twice.
                    if of == "int32" and to in ("float16", "bfloat16"):
                        given, of = [cast(given[0], of, "float32")], "float32"
                    values[name] = cast(given[0], of, to, rounding, "saturate" in word)
                elif word == "broadcast":
                    values[name] = np.broadcast_to(given[0], arrays["x"].shape)
                elif word in REDUCTIONS:
                    found = REDUCTIONS[word](given[0], of, -1)
                    values[name] = np.asarray(found)[..., None]
                else:
                    values[name] = ELEMENTWISE[word](of if word != "select" else to, *given)
            total = cast(values["x"], self.types["x"], "int32")
            for name in sorted(self.unread | {"z"}):
                total = wrap(total + cast(values[name], self.types[name], "int32"), "int32")
        return {"y": total.astype("i4")}

    @property
    def text(self):
        return "; ".join([f"{self.sizes} {[self.types[name] for name in 'xzg']}", *(self.text_of(line).strip() for line in self.lines)])

    refusal, chip_refusal, may_lack_chip = None, None, False


def main():
    return Drive(__doc__.splitlines()[0], Program).end()


if __name__ == "__main__":
    sys.exit(main())
