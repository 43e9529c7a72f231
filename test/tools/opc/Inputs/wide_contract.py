"""Writes an operator whose smallest tile does not fit UB: wide_contract.py FOLDER. 62 outputs, each of an input of its own."""
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True)
COUNT = 62


def tensors(letter):
    return "".join(f"  - {{name: {letter}{i}, summary: {letter}, types: [float32], formats: ND, shape: [...S]}}\n" for i in range(COUNT))


arguments = ", ".join(f"%x{i}: !x{i}" for i in range(COUNT))
results = ", ".join(f"!y{i}" for i in range(COUNT))
steps = "".join(f"  %y{i} = te.relu %x{i}\n" for i in range(COUNT))
(folder / "op_contract.yaml").write_text(f"""schema: 1
op_type: Wide
version: 1.0.0
summary: Many tensors
inputs:
{tensors("x")}outputs:
{tensors("y")}boundary: {{overflow: infinity, rounding: nearest_even, empty: allowed, nan: propagate, infinity: reference}}
precision:
  compute: float32
  tolerance:
    - {{type: float32, max_ulp: 0}}
bodies:
  - {{level: te, file: wide.mlir}}
reference: reference.py
""")
(folder / "wide.mlir").write_text(f"""!T = f32
func.func @wide({arguments}) -> ({results}) {{
{steps}  return {", ".join(f"%y{i}" for i in range(COUNT))} : {results}
}}
""")
(folder / "reference.py").write_text("")
