!T = f16
// MyOperator: y = max(convolution of x with w + bias, 0). te.window makes the windows of x over H and W, te.matmul adds
// their products with each filter, and what follows is computed on each tile of results. Strides, pads and dilations
// are in op_contract.yaml, at Ho and Wo. The first line is replaced for each type row and shape; docs/reference/te.md
// lists what a body may say.
func.func @my_operator(%x: !x, %w: !w, %bias: !bias) -> !y {
  // The computation: change it here, in op_contract.yaml and in reference.py.
  %windows = te.window %x over H, W
  %product = te.matmul %w, %windows axes [C, KH, KW]
  %sum = te.add %product, %bias
  %zero = te.constant 0.0
  %y = te.maximum %sum, %zero
  return %y : !y
}
