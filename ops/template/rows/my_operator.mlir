!T = f16
// MyOperator: y = min(largest x of the row - x, limit). A reduction over N with 'keep' stands still along the row, so that
// it meets x again; limit stands still from row to row. The first line is replaced for each type row and shape;
// docs/reference/te.md lists what a body may say.
func.func @my_operator(%x: !x, %limit: !limit) -> !y {
  // The computation: change it here, in op_contract.yaml and in reference.py.
  %largest = te.reduce_max %x axes [N] keep
  %distance = te.sub %largest, %x
  %y = te.minimum %distance, %limit
  return %y : !y
}
