"""The forms of contracts in ONNX against the schemas of the onnx package: names, opsets, numbers of operands and results,
attributes with their kinds and defaults. And the table of operators: it has every operator of ONNX's own domain.
"""

import argparse
import pathlib
import re
import subprocess
import sys

import onnx.defs
from onnx import helper

OPTIONAL = onnx.defs.OpSchema.FormalParameterOption.Optional
VARIADIC = onnx.defs.OpSchema.FormalParameterOption.Variadic


def schema_of(name, opset):
    try:
        return onnx.defs.get_schema(name, opset)
    except Exception:  # no such operator in this opset
        return None


def typed(text, kind):
    """A value of canonical text as the attribute's kind in ONNX."""
    if kind == "INT":
        return {"true": 1, "false": 0}.get(text) if text in ("true", "false") else int(text)
    if kind == "FLOAT":
        return float(text)
    if kind in ("INTS", "FLOATS"):
        return [float(each) for each in text]
    return text


def default_of(attribute):
    if not attribute.default_value.name:
        return None
    value = helper.get_attribute_value(attribute.default_value)
    return value.decode() if isinstance(value, bytes) else value


def same(one, other):
    if isinstance(one, float) or isinstance(other, float):
        return abs(one - other) <= 1e-6 * abs(other)
    return one == other


def check_counts(form, schema, say):
    inputs = form["inputs"]
    least = sum(1 for each in schema.inputs if each.option not in (OPTIONAL, VARIADIC))
    most = len(schema.inputs) if not schema.inputs or schema.inputs[-1].option != VARIADIC else 10**6
    if not least <= len(inputs) <= most:
        say(f"{len(inputs)} operands, ONNX takes {least} to {most}")
    for operand, formal in zip(inputs, schema.inputs):
        if operand == [] and formal.option != OPTIONAL and schema.since_version >= 13:
            say(f"leaves out '{formal.name}', which ONNX asks for")
    variadic = bool(schema.outputs) and schema.outputs[-1].option == VARIADIC
    if len(form["outputs"]) > len(schema.outputs) and not variadic:
        say(f"{len(form['outputs'])} results, ONNX has {len(schema.outputs)}")


def check_attributes(form, schema, newest, say):
    given = {attribute["name"]: attribute for attribute in form["attributes"]}
    for name, attribute in given.items():
        if name not in newest.attributes and name not in schema.attributes:
            # Older opsets of the form have it.
            older = [schema_of(form["operator"], opset) for opset in range(int(form["since"]), int(form["until"]) + 1)]
            if not any(each and name in each.attributes for each in older):
                say(f"ONNX has no attribute '{name}'")
            continue
        if name not in schema.attributes:
            continue
        formal = schema.attributes[name]
        kind = str(formal.type).rsplit(".", 1)[-1]
        if formal.required and "default" in attribute:
            say(f"a default of '{name}', which ONNX asks for")
        theirs = default_of(formal)
        if theirs is not None and "ignored" not in attribute and "type" not in attribute:
            if "default" not in attribute:
                say(f"no default of '{name}', ONNX has {theirs}")
            elif not same(typed(attribute["default"], kind), theirs):
                say(f"default {attribute['default']} of '{name}', ONNX has {theirs}")
    for name, formal in schema.attributes.items():
        if formal.required and name not in given:
            say(f"no word of '{name}', which ONNX asks for")


def check_form(contract, form, say):
    since, until = int(form["since"]), int(form["until"])
    newest = schema_of(form["operator"], until)
    if newest is None:
        return say(f"ONNX has no {form['operator']} in opset {until}")
    checked = 0
    for opset in range(since, until + 1):
        schema = schema_of(form["operator"], opset)
        if schema is None:
            say(f"ONNX has no {form['operator']} in opset {opset}")
            break
        if schema.since_version not in (opset, 0) and opset != since:
            continue
        tell = lambda text, opset=opset: say(f"opset {opset}: {text}")
        check_counts(form, schema, tell)
        check_attributes(form, schema, newest, tell)
        checked += 1
    return checked


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--opc", required=True)
    options = parser.parse_args()
    sys.path.insert(0, str(options.root / "tools" / "dev"))
    from operator_pages import parse

    files = sorted(str(path) for path in options.root.glob("ops/library/*/op_contract.yaml"))
    text = subprocess.run([options.opc, "contract", "check", "--canonical", *files], capture_output=True, text=True, check=True).stdout
    contracts = [parse(one) for one in re.split(r"^---\n", text, flags=re.M) if one.strip()]
    problems, forms, schemas = [], 0, 0
    for contract in contracts:
        for form in contract.get("onnx", []):
            if "domain" not in form:
                forms += 1
                say = lambda text, contract=contract, form=form: problems.append(f"{contract['op_type']}: {form['operator']}: {text}")
                schemas += check_form(contract, form, say) or 0

    table = (options.root / "ops" / "onnx" / "coverage" / "Operators.def").read_text()
    ours = set(re.findall(r"^OPC_ONNX_OPERATOR\((\w+),", table, re.M))
    theirs = {schema.name for schema in onnx.defs.get_all_schemas_with_history() if schema.domain == ""}
    problems += [f"Operators.def lacks {name}" for name in sorted(theirs - ours)]
    problems += [f"Operators.def has {name}, which ONNX has not" for name in sorted(ours - theirs)]
    for name in re.findall(r'"([^"]+)"\)$', table, re.M):
        for word in re.findall(r"\b[A-Z]\w+", name):
            if word not in theirs:
                problems.append(f"Operators.def: '{word}' of a composition is no operator of ONNX")
    print("\n".join(problems))
    print(f"{len(contracts)} contracts, {forms} forms, {schemas} schemas compared, {len(problems)} problems")
    return 1 if problems or forms < 80 else 0


if __name__ == "__main__":
    sys.exit(main())
