#!/usr/bin/env python3
"""Whether random programs draw from the whole language: each word of te in each element type.

te_drawn.py --words=te.json --record=te-types.md [--most=N]

TableGen gives the operations, their enum cases and flags, and docs/reference/te-types.md, which test/language holds against every
device, the types in which each of these words runs on tensors. The generators of this folder write programs, of which nothing is
run, until each word has been seen in each of its types; what none of them has drawn after N programs each is an error.
"""

import argparse
import importlib
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "language"))
import te_domains  # noqa: E402
import te_programs  # noqa: E402
from numeric import MLIR  # noqa: E402
from words import TENSOR, read_operations  # noqa: E402
from words_test import read_record  # noqa: E402

NAMES = {text: name for name, text in MLIR.items()}
TRUTHS = re.compile(r"compare|isnan|isinf|and|or|xor|not|reduce_(any|all)")


class Texts(dict):
    """A folder of files as generators write them, {name: text}: nothing reads them but this test."""

    def mkdir(self, **_):
        self.clear()

    def __truediv__(self, name):
        self.name = name
        return self

    def write_text(self, text):
        self[self.name] = text


def generators(words):
    """[(name, a function that writes the program of a seed into a folder)]."""
    found = [("te_programs", lambda seed, folder: te_programs.Program(seed).write(folder, "Drawn")),
             ("te_programs --words", lambda seed, folder: te_programs.Program(seed, words).write(folder, "Drawn")),
             ("te_programs --domains", lambda seed, folder: te_domains.DomainProgram(seed).write(folder, "Drawn"))]
    for path in sorted(HERE.glob("te_*.py")):
        # What the driver runs.
        is_driven = "\nfrom te_driver import" in path.read_text()
        module = importlib.import_module(path.stem) if is_driven else None
        if module:
            found.append((path.stem, lambda seed, folder, module=module: module.Program(seed).write(folder)))
    return found


def type_rows(contract):
    """For each row of the type table the type of each tensor."""
    tensors = re.findall(r"name: (\w+)[,\n]\s*types:\s*(\[[^\]]*\]|(?:\n\s+- \w+)+)", contract)
    types = {name: re.findall(r"\w+", text) for name, text in tensors}
    return [{name: own[row] for name, own in types.items()} for row in range(max(map(len, types.values())))]


def word_of(operation, line, words, is_computed):
    """The word of the language that a line says: that with the most of the line's tokens."""
    tokens = set(re.sub(r"[%!#@][\w.]+|\[.*?\]", " ", line).replace(",", " ").split()) | {operation} | ({"computed"} if is_computed else set())
    return max((word for word in words if set(word.split()) <= tokens), key=len, default=None)


def words_in(body, row, words):
    """(word, type, result) of each line of a body in a row of types."""
    arguments = {name: row.get(name) for name in re.findall(r"%(\w+): !", body)}
    types = dict(arguments)
    for name, operation, rest in re.findall(r"%(\w+) = te\.(\w+)(.*)", body):
        operands = [types.get(operand) for operand in re.findall(r"%(\w+)", rest)]
        indices = re.findall(r"%\w+, %(\w+)", rest)
        word = word_of(operation, rest, words[operation], operation == "gather" and bool(indices) and indices[0] not in arguments)
        known = [type for type in operands[1 if operation == "select" else 0:] if type]
        target = re.search(r" to ([!\w]+)", rest)
        of = known[0] if known else row.get("y") if operation == "iota" else None
        result = of
        if operation == "cast":
            # The row's own type is that of its first tensor.
            text = target[1]
            result = next(iter(row.values())) if text == "!T" else row[text[1:]] if text.startswith("!") else NAMES[text]
        elif operation == "constant":
            suffix = re.search(r": (\w+)", rest)
            result = NAMES[suffix[1]] if suffix else None
        elif TRUTHS.fullmatch(operation):
            result = "bool"
        elif operation.startswith("arg_") or operation == "iota" or (operation == "sort" and "places" in rest):
            result = "int32"
        elif operation == "matmul" and of in ("int8", "uint8"):
            result = "int32"
        types[name] = result
        yield word, of, result if operation == "cast" else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--words", required=True)
    parser.add_argument("--record", type=pathlib.Path, required=True)
    parser.add_argument("--most", type=int, default=4000)
    options = parser.parse_args()
    operations = read_operations(options.words)
    missing, words = {}, {}
    for case, said in read_record(options.record.read_text(), operations).items():
        words.setdefault(case.operation, set()).add(case.word)
        if said == "runs" and case.operation == "constant":
            missing[case.word, None, None] = case
        elif said == "runs" and TENSOR in case.operands:
            missing[case.word, case.type, case.result if case.operation == "cast" else None] = case
    for operation in operations:
        if operation.name not in words:
            sys.exit(f"te.{operation.name} runs in no type, says {options.record}")
    count, all_words = len(missing), te_programs.words_of(options.words)
    writers, written, last = dict(generators(all_words)), 0, {}
    for seed in range(options.most):
        if not missing:
            break
        for name, write in writers.items():
            # What has shown nothing new for long has nothing more to show.
            if seed - last.get(name, 0) > options.most // 4:
                continue
            texts = Texts()
            write(seed, texts)
            written += 1
            body = "\n".join(text for file, text in texts.items() if file.endswith(".mlir"))
            for row in type_rows(texts["op_contract.yaml"]):
                for drawn in words_in(body, row, words):
                    if missing.pop(drawn, None):
                        last[name] = seed
    print(f"{written} programs of {len(writers)} generators have {count - len(missing)} of {count} words in their types")
    if missing:
        lines = {}
        for word, type, result in missing:
            lines.setdefault(word, []).append(f"{type} to {result}" if result else str(type))
        sys.exit("".join(f"no generator draws te.{word} of {', '.join(types)}\n" for word, types in sorted(lines.items())))


if __name__ == "__main__":
    main()
