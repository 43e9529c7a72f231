!T = f16
// MyOperator: the largest element of each row and its position. Results may have types and shapes of their own: the
// contract says which. The first line is replaced for each type row and shape; docs/reference/te.md lists what a body
// may say.
func.func @my_operator(%x: !x) -> (!largest, !place) {
  // The computation: change it here, in op_contract.yaml and in reference.py.
  %largest = te.reduce_max %x axes [N] keep
  %place = te.arg_max %x axes [N] keep
  return %largest, %place : !largest, !place
}
