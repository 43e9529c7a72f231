"""The words of te, from what TableGen knows of the dialect, and the combinations in which each can stand.

Nothing here lists operations, enum cases or types by hand: a new one appears here by itself, and a test that has no meaning
for it (meaning.py) fails.
"""

import dataclasses
import itertools
import json
import re

from numeric import INTEGERS, MLIR, TYPES, kind

TENSOR, SCALAR, CONSTANT = "tensor", "scalar", "constant"
# In which float type a row computes where it stores 16 bits.
COMPUTED = {"float16": ("storage", "float32"), "bfloat16": ("storage",)}
# The type that a launch attribute has in a body.
ATTRIBUTE = {"float": ("float", "float32"), "integer": ("int", "int64"), "truth": ("bool", "bool")}


# Elements that no tensor of a kernel has, for the vector unit does not work on them.
UNWORKED = ("float64", "uint16", "uint32", "int64", "uint64")


@dataclasses.dataclass(frozen=True)
class Operation:
    name: str  # "compare"
    operands: tuple  # names of its values
    enums: tuple  # (argument, cases as the text spells them), ...
    flags: tuple  # names of unit properties
    kinds: str  # "kFloats", ... of te::Kinds; "" where the operation has rules of its own
    arguments: tuple  # names of all others
    elementwise: bool
    truth: bool  # whether the result is a truth value, whatever the operands are


def read_operations(path):
    records = json.loads(open(path).read())

    def enum_of(record):
        if record.get("enum"):
            return records[record["enum"]["def"]]
        return enum_of(records[record["baseProperty"]["def"]]) if record.get("baseProperty") else None

    operations = []
    for name in sorted(records["!instanceof"]["Te_Op"]):
        record = records[name]
        operands, enums, flags, others = [], [], [], []
        for (argument, argument_name) in record["arguments"]["args"]:
            property = records[argument["def"]]
            enum = enum_of(property) if "EnumProp" in str(property["!superclasses"]) or "DefaultValuedProp" in str(property["!superclasses"]) else None
            if argument["def"] == "Te_Value":
                operands.append(argument_name)
            elif enum:
                enums.append((argument_name, tuple(records[case["def"]]["str"] for case in enum["enumerants"])))
            elif argument["def"] == "UnitProp":
                flags.append(argument_name)
            else:
                others.append(argument_name)
        kinds = re.search(r"Kinds::(k\w+)", record["extraClassDefinition"] or "")
        operations.append(Operation(record["opName"], tuple(operands), tuple(enums), tuple(flags),
                                    kinds.group(1) if kinds else "", tuple(others),
                                    any(trait["def"] == "Te_Elementwise" for trait in record["traits"]),
                                    record["opName"] == "compare" or "inferTruth" in (record["extraClassDefinition"] or "")))
    return operations


@dataclasses.dataclass(frozen=True)
class Case:
    """One word in one combination; `text` is its line of a body with {} for each operand."""

    operation: str
    word: str  # "compare ne", "cast round floor saturate"
    text: str
    type: str  # of the values it takes
    computed: str  # "storage", or the contract's compute type
    result: str  # type of the output
    operands: tuple  # TENSOR, SCALAR or CONSTANT for each
    # Or "rows": tensors are [...S, N]; "rows keep"; "columns"; "parts": [P*D] and [D]; "product"; "ranges": [A], [B] and [A+B];
    # "gather": [V, N] and [I]; "lookup": the same, at indices computed from [I];
    # "counted": [N, M], positions along M; "counted rows": along N; "scanned": [N, M], along N;
    # "fold": a, an input of three tensors; "scanned rows": along M; "... back": in reverse;
    # "scattered add": data [V, N], indices [I] and updates [I, N];
    # "sorted": [N, M] and [N, K], along M to K; "sorted rows": [M, N] and [K, N].
    form: str = "elementwise"

    @property
    def row(self):
        return self.type if self.computed == "storage" else f"{self.type} in {self.computed}"

    @property
    def combination(self):
        """What one line of the record is about: all but the types."""
        return f"{self.word} of {', '.join(self.operands)}" + ("" if self.form == "elementwise" else f", {self.form}")

    @property
    def name(self):
        return f"te.{self.combination} {self.row}" + (f" to {self.result}" if self.operation == "cast" else "")


def operand_kinds(count, type):
    """Every mixture of tensors, scalars and constants; where there is no tensor, of the types that attributes have."""
    for kinds in itertools.product((TENSOR, SCALAR, CONSTANT), repeat=count):
        if TENSOR in kinds or (SCALAR in kinds and type in (ATTRIBUTE[kind(type)][1], "int32")):
            yield kinds


def cases_of(operation):
    """All combinations of an operation, legal or not."""
    computed = [(type, way) for type in TYPES for way in COMPUTED.get(type, ("storage",))]
    choices = list(itertools.product(*(cases for _, cases in operation.enums)))
    if operation.name == "cast":
        for source, destination in itertools.product(TYPES, TYPES):
            for (rounding,) in choices:
                for saturate in ("", " saturate"):
                    words = ("" if rounding == "nearest_even" else f" round {rounding}") + saturate
                    for operand in (TENSOR, SCALAR):
                        if operand == TENSOR or source == ATTRIBUTE[kind(source)][1]:
                            yield Case("cast", f"cast{words}", f"te.cast {{}} to {MLIR[destination]}{words}", source,
                                       "storage", destination, (operand,))
        return
    if operation.name == "constant":
        for type in TYPES:
            yield Case("constant", "constant", "te.constant {}", type, "storage", type, (CONSTANT,))
        return
    if operation.name == "broadcast":
        for type in TYPES:
            for operand in (SCALAR, CONSTANT):
                if operand == CONSTANT or type in (ATTRIBUTE[kind(type)][1],):
                    yield Case("broadcast", "broadcast", "te.broadcast {} to %a", type, "storage", type, (operand,))
            yield Case("broadcast", "broadcast", "te.broadcast {} to %a", type, "storage", type, (TENSOR,), "row")
        return
    if operation.name in ("slice", "stack"):
        text, count = ("te.slice {} along P at 1", 1) if operation.name == "slice" else ("te.stack {}, {} along P", 2)
        for type in TYPES:
            yield Case(operation.name, operation.name, text, type, "storage", type, (TENSOR,) * count, "parts")
            if operation.name == "slice":
                yield Case("slice", "slice", "te.slice {} along A", type, "storage", type, (TENSOR,), "ranges")
        return
    if operation.name == "concat":
        for type in TYPES:
            for operand in (TENSOR, SCALAR, CONSTANT):
                if operand != SCALAR or type == ATTRIBUTE[kind(type)][1]:
                    yield Case("concat", "concat", "te.concat {}, {} along A+B", type, "storage", type, (TENSOR, operand), "ranges")
        return
    if operation.name == "window":
        for type, way in computed:
            yield Case("window", "window", "te.window {} over N", type, way, type, (TENSOR,), "windows")
        return
    if operation.name == "gather":
        for type in TYPES:
            yield Case("gather", "gather", "te.gather {}, %p along V", type, "storage", type, (TENSOR,), "gather")
            for (beyond,) in choices:
                word = "" if beyond == "nearest" else f" beyond {beyond}"
                yield Case("gather", f"gather computed{word}", f"te.gather {{}}, %q along V{word}", type, "storage", type, (TENSOR,), "lookup")
        return
    if operation.name == "iota":
        for type in TYPES:
            for form, dim in (("counted", "M"), ("counted rows", "N")):
                yield Case("iota", "iota", f"te.iota along {dim} to {{}}", type, "storage", "int32", (TENSOR,), form)
        return
    if operation.name == "fold":
        for (form,) in choices:
            for type, way in computed:
                yield Case("fold", f"fold {form}", f"te.fold {form} {{}}", type, way, type, (TENSOR,) * 3, "fold")
        return
    if operation.name == "scan":
        for (form,) in choices:
            for type, way in computed:
                for exclusive in ("", " exclusive"):
                    for reverse, back in (("", ""), (" reverse", " back")):
                        for place, dim in (("scanned", "N"), ("scanned rows", "M")):
                            word = f"scan {form}{exclusive}{reverse}"
                            yield Case("scan", word, f"te.scan {form} {{}} along {dim}{exclusive}{reverse}", type, way, type, (TENSOR,), place + back)
        return
    if operation.name == "sort":
        for type in TYPES:
            for descending in ("", " descending"):
                for places in ("", " places"):
                    for form in ("sorted", "sorted rows"):
                        form += " back" if descending else ""
                        yield Case("sort", f"sort{descending}{places}", f"te.sort {{}} along M to K{descending}{places}", type, "storage",
                                   "int32" if places else type, (TENSOR,), form)
        return
    if operation.name == "scatter":
        for (form,) in choices:
            for type, way in computed:
                yield Case("scatter", f"scatter {form}", f"te.scatter {form} {{}} into {{}} by %p along V", type, way, type, (TENSOR, TENSOR), f"scattered {form}")
        return
    if operation.name == "matmul":
        for type, way in computed:
            result = "int32" if type in ("int8", "uint8") else type
            yield Case("matmul", "matmul", "te.matmul {}, {} axes [K]", type, way, result, (TENSOR, TENSOR), "product")
        return
    if operation.name.startswith("reduce_"):
        for type, way in computed:
            for form, axes in (("rows", "[-1]"), ("rows keep", "[-1] keep"), ("columns", "#axes")):
                yield Case(operation.name, operation.name, f"te.{operation.name} {{}} axes {axes}", type, way, type, (TENSOR,), form)
        return
    if operation.name.startswith("arg_"):
        for type, way in computed:
            for last in ("", " last"):
                for form, axes in (("rows", "[-1]"), ("rows keep", "[-1] keep")):
                    yield Case(operation.name, operation.name + last, f"te.{operation.name} {{}} axes {axes}{last}", type, way, "int32", (TENSOR,), form)
        return
    for choice in choices:
        word = " ".join((operation.name, *choice))
        for type, way in computed:
            values = len(operation.operands) - (operation.name == "select")
            for kinds in operand_kinds(values, type):
                result = "bool" if operation.truth else type
                # Integers that no tensor gives a type have 64 bits.
                if operation.name == "select" and type == "int32" and TENSOR not in kinds:
                    continue
                for condition in ((TENSOR,), (SCALAR,)) if operation.name == "select" else ((),):
                    operands = ", ".join("{}" for _ in (*condition, *kinds))
                    yield Case(operation.name, word, f"te.{word} {operands}", type, way, result, (*condition, *kinds))


def is_unworked(case):
    return case.result in UNWORKED or (TENSOR in case.operands and case.type in UNWORKED)


def language_refuses(operation, case):
    """The label with which the language itself refuses a combination, as docs/reference/te.md has it; else nothing."""
    if operation.name == "window" and kind(case.type) == "truth":
        return "value_c4"  # of the maximum of each window
    if operation.name == "fold" and (kind(case.type) == "truth") != (case.word in ("fold and", "fold or")):
        return "value_c4"
    if operation.name == "scan" and kind(case.type) == "truth":
        return "value_c4"
    if operation.name == "sort" and case.type in ("bool", "float64"):
        return "sort_c1"
    if operation.name == "scatter" and kind(case.type) == "truth" and case.word != "scatter set":
        return "scatter_c1"
    if operation.name == "matmul" and case.type not in ("float16", "bfloat16", "float32", "int8", "uint8"):
        return "matmul_c1"
    if operation.kinds == "kFloats" and kind(case.type) != "float":
        return "value_c4"
    if operation.kinds == "kTruths" and kind(case.type) != "truth":
        return "value_c4"
    if operation.kinds == "kNumbers" and kind(case.type) == "truth":
        return "value_c4"
    if operation.kinds == "kTruths" and kind(case.type) != "truth":
        return "value_c4"
    if operation.name == "cast" and "round" in case.word:
        from numeric import FLOATS

        less = kind(case.result) == "integer"
        if kind(case.result) == kind(case.type) == "float":
            (digits, _, high), (digits0, _, high0) = FLOATS[case.result], FLOATS[case.type]
            less = digits < digits0 or high < high0
        if kind(case.type) != "float" or not less:
            return "cast_c2"
    return ""
