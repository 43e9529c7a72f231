#!/usr/bin/env python3
"""Faults put into emitted kernel sources and tiling headers, one at a time: the strict stand-in refuses every one.

The faults are enumerated from the text and from the target's tables, and equal ones are tried once: a call in the same types is
the same call to the stand-in, whichever operator has it. By default a sample that OPC_TEST_SEED draws, a share of each kind; all
of them with OPC_TEST_FULL=1. Left out, for they make another well-formed kernel, which numbers and proofs tell apart
(ascendc.<operator>, mutants.*): a rounding mode, a call, a type or a pair of pipes that both versions have in the same place,
and text that the preprocessor makes the same of.
"""

import argparse
import collections
import dataclasses
import itertools
import os
import pathlib
import re
import shutil
import sys
import tempfile

import strict

TYPES = ["half", "float", "bfloat16_t", "int8_t", "uint8_t", "int16_t", "uint16_t", "int32_t", "uint32_t", "int64_t"]
WORDS = dict(zip(TYPES, ["f16", "f32", "bf16", "i8", "ui8", "i16", "ui16", "i32", "ui32", "i64"]))
MODES = ["NONE", "RINT", "FLOOR", "CEIL", "ROUND", "TRUNC", "ODD"]
#: Calls whose operands look alike: one in place of another compiles wherever the table has its types.
ALIKE = [["Exp", "Ln", "Sqrt", "Rsqrt", "Reciprocal", "Relu", "Abs", "Not"],
         ["Add", "Sub", "Mul", "Div", "Max", "Min", "And", "Or", "AddRelu", "SubRelu", "FusedMulAdd", "FusedMulAddRelu"],
         ["Adds", "Muls", "Maxs", "Mins", "LeakyRelu", "ShiftLeft", "ShiftRight"]]
SAMPLE = {"name": 6, "type": 8, "mode": 4, "field": 6, "guard": 4, "assert": 3, "register": 1, "pipe": 2}


class Table:
    """KernelCalls.def as this test reads it."""

    def __init__(self):
        text = (strict.SOURCE / "runtime/target/toolkit/KernelCalls.def").read_text(encoding="utf-8")
        text = re.sub(r"^//.*$", "", text, flags=re.MULTILINE)
        self.calls = collections.defaultdict(list)
        self.modes, self.both = {}, {}
        for macro, body in re.findall(r'^(OPC_\w+)\(((?:\s*"[^"]*"\s*,?|\s*\w+)+)\)', text, re.MULTILINE):
            parts = re.findall(r'((?:"[^"]*"\s*)+)', body)
            parts = ["".join(re.findall(r'"([^"]*)"', part)) for part in parts]
            if macro == "OPC_CALL":
                name, forms, old, now = parts[:4]
                self.calls[name].append((forms.split(), old.split(), (old if now == "=" else now).split()))
            elif macro == "OPC_CAST_MODES":
                old, now = parts[2], parts[2] if parts[3] == "=" else parts[3]
                self.modes[parts[0], parts[1]] = set(old.upper().split()) & set(now.upper().split())
            else:
                self.both[parts[0]] = parts[1]

    def has(self, name, form, row):
        return any(form in forms and row in old and row in now for forms, old, now in self.calls[name])

    def one_version(self):
        """Names that no version or one alone makes instructions of."""
        def emits(words):
            return not {"absent", "nothing", "refused"} & set(words)
        return sorted(name for name, rows in self.calls.items()
                      if not any(emits(old) and emits(now) for _, old, now in rows))


@dataclasses.dataclass
class Mutant:
    kind: str
    key: tuple  # equal ones are tried once
    what: str
    kernels: strict.Kernels
    in_header: bool
    edits: list  # (start, end, new text), in order

    def text(self):
        text = (self.kernels.header() if self.in_header else self.kernels.source()).read_text(encoding="utf-8")
        for start, end, new in reversed(self.edits):
            text = text[:start] + new + text[end:]
        return text


def classes_of(text):
    """The classes of a kernel source: name, start, end."""
    starts = [(match[1], match.start()) for match in re.finditer(r"^class (Kernel\w+) \{", text, re.MULTILINE)]
    for name, start in starts:
        yield name, start, text.index("\n};", start)


def tiles_of(body):
    """Types of the tiles that a class declares, by name; one name has one type throughout."""
    return dict(reversed(pair) for pair in re.findall(r"AscendC::LocalTensor<(\w+)> (\w+) =", body))


def name_mutants(kernels, text, table):
    for match in re.finditer(r"AscendC::(\w+)(?:<[^;(]*>)?\(", text):
        callee = match[1]
        for other, instead in table.both.items():
            if re.search(rf"\b{callee}\b", instead):
                yield "name", (callee, other), f"{callee} becomes {other}", False, edit(match.span(1), other)
        yield "name", (callee, ""), f"{callee} loses a letter", False, edit(match.span(1), callee[:-1])
    first = re.search(r"AscendC::(Adds|Muls|Exp|Add|Cast|Mul)\(", text)
    if first:
        for other in table.one_version():
            yield "name", (other,), f"{first[1]} becomes {other}", False, edit(first.span(1), other)


def edit(span, new, offset=0):
    return [(span[0] + offset, span[1] + offset, new)]


def calls_of(body, tiles):
    """Calls on tiles: what is called, the tiles in their order, and the rest of the text."""
    found = []
    for callee, arguments in re.findall(r"(?:AscendC::)?(\w+)(?:<[^;(]*>)?\((.*)\);", body):
        operands = [word for word in re.findall(r"\w+", arguments) if word in tiles]
        if operands and not arguments.startswith("ub."):
            found.append((callee, operands, arguments))
    return found


def type_mutants(kernels, text, table):
    for _, start, end in classes_of(text):
        body = text[start:end]
        tiles = tiles_of(body)
        calls = calls_of(body, tiles)
        for name, kind in tiles.items():
            uses = [call for call in calls if name in call[1]]
            key = tuple(sorted({(callee, *(("*" if word == name else "") + tiles[word] for word in operands))
                                for callee, operands, _ in uses}))
            for other in TYPES:
                if other != kind and not is_well_formed(name, uses, {**tiles, name: other}, table):
                    edits = [(match.start() + start, match.end() + start,
                              f"LocalTensor<{other}> {name} = ub.GetWithOffset<{other}>")
                             for match in re.finditer(rf"LocalTensor<{kind}> {name} = ub.GetWithOffset<{kind}>", body)] \
                        if key else []
                    if edits:
                        yield "type", ("tile", other, key), f"tile {name} of {kind} becomes {other}", False, edits
        for match in re.finditer(r"AscendC::GlobalTensor<(\w+)> (\w+);", body):
            for other in TYPES:
                if other != match[1]:
                    yield "type", ("tensor", match[1], other), f"tensor {match[2]} of {match[1]} becomes {other}", False, \
                        edit(match.span(1), other, start)
        for match in re.finditer(r"AscendC::(\w+)\((\w+)[^;]*;", body):
            kind = tiles.get(match[2])
            for group in ALIKE:
                for other in group if kind and match[1] in group else ():
                    if other != match[1] and not table.has(other, "count", WORDS[kind]):
                        yield "type", ("call", match[1], other, kind), f"{match[1]} of {kind} becomes {other}", False, \
                            edit(match.span(1), other, start)


def is_well_formed(name, calls, tiles, table):
    """Whether a tile may have its type in every call: in a cast that the table has, read by the scalar unit, as a mask."""
    for callee, operands, arguments in calls:
        kinds = [WORDS[tiles[operand]] for operand in operands]
        if callee == "Cast" and len(operands) == 2:
            fits = re.search(r"CAST_(\w+)", arguments)[1] in table.modes.get((kinds[1], kinds[0]), ())
        elif callee in ("Compare", "CompareScalar"):
            fits = operands.index(name) == 0 and table.has(callee, "count", f"{kinds[1]}>{kinds[0]}")
        elif callee == "Select":
            form = "scalar_count" if "SCALAR" in arguments else "tensor_count"
            fits = operands.index(name) == 1 and table.has(callee, form, f"{kinds[0]}:{kinds[1]}")
        else:
            fits = callee == "Read"
        if not fits:
            return False
    return True


def mode_mutants(kernels, text, table):
    for _, start, end in classes_of(text):
        body = text[start:end]
        tiles = tiles_of(body)
        for match in re.finditer(r"AscendC::Cast\((\w+)(?:\[[^\]]*\])?, (\w+)(?:\[[^\]]*\])?, AscendC::RoundMode::CAST_(\w+),", body):
            if match[1] not in tiles or match[2] not in tiles:
                continue
            row = (WORDS[tiles[match[2]]], WORDS[tiles[match[1]]])
            for mode in MODES:
                if mode not in table.modes.get(row, ()):
                    yield "mode", (*row, mode), f"{row[0]} to {row[1]} by {mode}", False, \
                        edit(match.span(3), mode, start)
        for match in re.finditer(r"SELMODE::(VSEL_\w+)", body):
            for mode in ("VSEL_CMPMASK_SPR", "VSEL_TENSOR_SCALAR_MODE", "VSEL_TENSOR_TENSOR_MODE"):
                if mode != match[1]:
                    yield "mode", (match[1], mode), f"{match[1]} becomes {mode}", False, \
                        edit(match.span(1), mode, start)


def pipe_mutants(kernels, text, table):
    for match in re.finditer(r"HardEvent::(\w+)>", text):
        yield "pipe", (match[1],), f"{match[1]} becomes V_V", False, edit(match.span(1), "V_V")
    for match in re.finditer(r"PipeBarrier<(PIPE_\w+)>", text):
        for pipe in ("PIPE_V", "PIPE_S"):
            yield "pipe", (match[1], pipe), f"barrier of {match[1]} becomes {pipe}", False, edit(match.span(1), pipe)
    if "PipeBarrier" not in text:  # no emitted kernel may have one: then one is put in
        match = re.search(r"^( +)AscendC::DataCopyPad", text, re.MULTILINE)
        for pipe in ("PIPE_V", "PIPE_S"):
            yield "pipe", ("", pipe), f"a barrier of {pipe} appears", False, \
                edit((match.start(), match.start()), f"{match[1]}AscendC::PipeBarrier<{pipe}>();\n")


def layout(fields):
    """Offsets of fields, and the size of the structure."""
    at, places = 0, []
    for kind, _ in fields:
        size = 8 if kind in ("uint64_t", "int64_t") else 4
        at = (at + size - 1) // size * size
        places.append(at)
        at += size
    widest = 8 if any(kind in ("uint64_t", "int64_t") for kind, _ in fields) else 4
    return places, (at + widest - 1) // widest * widest


def field_mutants(kernels, text, header):
    struct = re.search(r"struct \w+TilingData \{\n(.*?)\n\};", header, re.DOTALL)
    lines = struct[1].split("\n")
    fields = [re.match(r"\s*(\w+) (\w+);", line).groups() for line in lines]

    def with_lines(changed):
        return edit(struct.span(1), "\n".join(changed))

    for i, (kind, name) in enumerate(fields):
        is_read = re.search(rf"tiling\.{name}\b", text) is not None
        for other in ("block_num", "block_idx", "NORM", "DT_MAX", "opc_renamed"):
            if other != name:
                yield "field", ("rename", other, is_read, kernels.name if i == 0 else ""), f"field {name} becomes {other}", True, \
                    with_lines(lines[:i] + [f"  {kind} {other};"] + lines[i + 1:])
        # The macro, not the emitter, takes the field away: everything moves, and nobody said so.
        yield "field", ("macro", is_read, i == len(fields) - 1), f"field {name} becomes a call by a macro", True, \
            edit((struct.start(), struct.start()), f"#define {name} get_{name}()\n")
        yield "field", ("delete", is_read), f"field {name} goes", True, with_lines(lines[:i] + lines[i + 1:])
        yield "field", ("insert", i == 0), f"a field appears before {name}", True, \
            with_lines(lines[:i] + ["  uint64_t opc_more;"] + lines[i:])
        if i + 1 < len(fields):
            yield "field", ("swap", kind, fields[i + 1][0]), f"{name} changes places with the next", True, \
                with_lines(lines[:i] + [lines[i + 1], lines[i]] + lines[i + 2:])
        for other in ("uint32_t", "uint64_t"):
            changed = fields[:i] + [(other, name)] + fields[i + 1:]
            if layout(changed) != layout(fields):
                yield "field", ("type", kind, other), f"field {name} of {kind} becomes {other}", True, \
                    with_lines(lines[:i] + [f"  {other} {name};"] + lines[i + 1:])
        match = re.search(rf"tiling\.({name})\b", text)
        if match:
            yield "field", ("use",), f"the kernel reads another field than {name}", False, edit(match.span(1), name + "_x")


def guard_mutants(kernels, text):
    for match in re.finditer(r"^#(if|elif) (.*)$", text, re.MULTILINE):
        for value in ("0", "1"):
            yield "guard", (kernels.name, match.start(), value), f"'{match[0]}' becomes {value}", False, \
                edit(match.span(2), value)
        for a, b in (("&&", "||"), ("DT_FLOAT16", "DT_FLOAT"), ("== DT_", "!= DT_")):
            if a in match[2]:
                yield "guard", (kernels.name, match.start(), a), f"'{match[0]}': {a} becomes {b}", False, \
                    edit(match.span(2), match[2].replace(a, b, 1))
    for match in re.finditer(r"^#if OPC_ROW\(\d+\)\n(.*?)^#endif\n", text, re.MULTILINE | re.DOTALL):
        yield "guard", (kernels.name, match.start(), "gone"), "a guard goes", False, edit(match.span(), match[1])


def assert_mutants(kernels, header):
    for match in re.finditer(r"^static_assert\(.*?== (\d+).*$\n", header, re.MULTILINE):
        kind = "sizeof" if "sizeof" in match[0] else "offset"
        yield "assert", (kind, "gone"), f"'{match[0].strip()}' goes", True, edit(match.span(), "")
        yield "assert", (kind, "other"), f"'{match[0].strip()}' with another number", True, \
            edit(match.span(1), str(int(match[1]) + 4))


def register_mutants(kernels, text):
    match = re.search(r"^ *REGISTER_TILING_DEFAULT\(.*$\n", text, re.MULTILINE)
    if match:
        yield "register", (), "REGISTER_TILING_DEFAULT goes", False, edit(match.span(), "")


def enumerate_mutants(package):
    """Distinct faults, each in the smallest source that has it."""
    table = Table()
    found = {}
    sources = sorted(strict.find_kernels(package), key=lambda kernels: kernels.source().stat().st_size)
    for kernels in sources:
        text, header = (path.read_text(encoding="utf-8") for path in (kernels.source(), kernels.header()))
        for kind, key, what, in_header, edits in itertools.chain(
                name_mutants(kernels, text, table), type_mutants(kernels, text, table), mode_mutants(kernels, text, table),
                pipe_mutants(kernels, text, table), field_mutants(kernels, text, header), guard_mutants(kernels, text),
                assert_mutants(kernels, header), register_mutants(kernels, text)):
            found.setdefault((kind, key), Mutant(kind, key, what, kernels, in_header, edits))
    return list(found.values())


def try_mutant(mutant, stand, seed):
    """(why it is refused, whether the preprocessor makes the same of it)."""
    builds = [build for build in stand.builds() if build.static and not build.older]
    build = builds[strict.chosen(seed, mutant.key) % len(builds)]
    with tempfile.TemporaryDirectory() as folder:
        copy = dataclasses.replace(mutant.kernels, folder=pathlib.Path(folder))
        for path in (mutant.kernels.source(), mutant.kernels.header()):
            shutil.copy(path, folder)
        (copy.header() if mutant.in_header else copy.source()).write_text(mutant.text(), encoding="utf-8")
        is_same = True
        for row in copy.rows():
            if mutant.kind == "guard":
                before, after = (stand.preprocessed(kernels, row, build) for kernels in (mutant.kernels, copy))
                if before == after:
                    continue
            is_same = False
            refusal = stand.refusal(copy, row, build)
            if refusal:
                return refusal, False
    return "", is_same


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", type=pathlib.Path, required=True, help="folder of a vendor's package")
    parser.add_argument("--cxx", nargs="+", required=True, help="compilers")
    options = parser.parse_args()
    seed, full = os.environ.get("OPC_TEST_SEED", "1"), os.environ.get("OPC_TEST_FULL") == "1"
    mutants = enumerate_mutants(options.package)
    kinds = collections.Counter(mutant.kind for mutant in mutants)
    missing = sorted(set(SAMPLE) - set(kinds))
    if missing:
        print(f"FAILED: expects faults of every kind, found none of {missing}")
        return 1
    picked = []
    for kind in sorted(kinds):
        of_kind = sorted((mutant for mutant in mutants if mutant.kind == kind),
                         key=lambda mutant: strict.chosen(seed, mutant.kind, mutant.key))
        picked += of_kind if full else of_kind[:SAMPLE[kind]]
    with tempfile.TemporaryDirectory() as folder:
        stand = strict.Stand.make(pathlib.Path(folder), options.cxx)
        results = strict.in_parallel(picked, lambda mutant: try_mutant(mutant, stand, seed))
    survived = same = 0
    for mutant, (refusal, is_same) in zip(picked, results):
        same += is_same
        if not refusal and not is_same:
            survived += 1
            print(f"FAILED: {mutant.kernels.name}: {mutant.what} ({mutant.kind}): the strict stand-in takes it")
    print(f"{len(picked)} of {len(mutants)} faults tried ({', '.join(f'{kind} {kinds[kind]}' for kind in sorted(kinds))}): "
          f"{len(picked) - survived - same} refused, {same} the same text to a compiler, {survived} taken")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
