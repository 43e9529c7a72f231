"""many_inputs.py N K TYPES FOLDER: an operator of N inputs, of which the last K broadcast: minima and maxima in turn, and a product,
which rounds and may overflow once, at the end."""

import pathlib
import sys

inputs, broadcast, types = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
folder = pathlib.Path(sys.argv[4])
folder.mkdir(parents=True)
names = [f"x{i}" for i in range(inputs)]
ULP = {"float32": 2, "float16": 1, "bfloat16": 1}

contract = ["schema: 1", f"op_type: Many{inputs}", "version: 0.1.0", "summary: minima and maxima in turn, then a product", "inputs:"]
for i, name in enumerate(names):
    pattern = ", broadcast: numpy" if i >= inputs - broadcast else ""
    contract.append(f"  - {{name: {name}, types: [{types}], shape: [...S]{pattern}}}")
contract += ["outputs:", f"  - {{name: y, types: [{types}], shape: [...S]}}", "precision:", "  compute: float32", "  tolerance:"]
contract += [f"    - {{type: {kind}, max_ulp: {ULP[kind]}}}" for kind in types.split(", ")]
contract += ["bodies:", "  - {level: te, file: body.mlir}", "reference: reference.py", ""]
(folder / "op_contract.yaml").write_text("\n".join(contract))

body = ["!T = f16", f"func.func @many{inputs}(" + ", ".join(f"%{name}: !{name}" for name in names) + ") -> !y {"]
reference = ["import numpy as np", "", "", "def reference(inputs, attributes):", '    with np.errstate(all="ignore"):']
reference.append('        y = inputs["x0"]')
last = "x0"
for i in range(1, inputs):
    result = "y" if i == inputs - 1 else f"t{i}"
    operation, formula = (("mul", "y * {}") if i == inputs - 1 else
                          ("maximum", "np.maximum(y, {})") if i % 2 else ("minimum", "np.minimum(y, {})"))
    body.append(f"  %{result} = te.{operation} %{last}, %x{i}")
    reference.append("        y = " + formula.format(f'inputs["x{i}"]'))
    last = result
(folder / "body.mlir").write_text("\n".join([*body, "  return %y : !y", "}", ""]))
(folder / "reference.py").write_text("\n".join([*reference, '        return {"y": y}', ""]))
