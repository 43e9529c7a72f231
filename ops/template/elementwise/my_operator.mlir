!T = f16
// MyOperator: y = |x1 - x2|. The first line is replaced for each type row and shape; docs/reference/te.md lists what a
// body may say.
func.func @my_operator(%x1: !x1, %x2: !x2) -> !y {
  // The computation: change it here, in op_contract.yaml and in reference.py.
  %difference = te.sub %x1, %x2
  %y = te.abs %difference
  return %y : !y
}
