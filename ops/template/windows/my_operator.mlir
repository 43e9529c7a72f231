!T = f16
// MyOperator: the largest less the smallest element of each window. The windows of x have K elements for each of Lo
// places; a reduction over K leaves the places. The first line is replaced for each type row and shape;
// docs/reference/te.md lists what a body may say.
func.func @my_operator(%x: !x) -> !y {
  // The computation: change it here, in op_contract.yaml and in reference.py.
  %windows = te.window %x over L
  %largest = te.reduce_max %windows axes [K]
  %smallest = te.reduce_min %windows axes [K]
  %y = te.sub %largest, %smallest
  return %y : !y
}
