!T = f16
// MyOperator: y = max(a b + bias, 0). te.matmul multiplies along K on the cube; what follows of it, element by element,
// is computed on each tile of results before it is stored. The first line is replaced for each type row and shape;
// docs/reference/te.md lists what a body may say.
func.func @my_operator(%a: !a, %b: !b, %bias: !bias) -> !y {
  // The computation: change it here, in op_contract.yaml and in reference.py.
  %product = te.matmul %a, %b axes [K]
  %sum = te.add %product, %bias
  %zero = te.constant 0.0
  %y = te.maximum %sum, %zero
  return %y : !y
}
