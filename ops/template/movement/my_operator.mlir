!T = f16
// MyOperator: y[n, s, c] = x[n, c, s] + shift[c]. Dimensions meet by the names of the contract, so the order of the
// output is the movement: no operation moves anything, and nothing is copied twice. The first line is replaced for each
// type row and shape; docs/reference/te.md lists what a body may say.
func.func @my_operator(%x: !x, %shift: !shift) -> !y {
  // The computation: change it here, in op_contract.yaml and in reference.py. 'return %x : !y' moves alone.
  %y = te.add %x, %shift
  return %y : !y
}
