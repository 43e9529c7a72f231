!T = f16
// Rows first. The means of the rows are in the workspace of the launch: those of the columns read them.
func.func @center_matrix(%x: !x) -> !y {
  %m = te.reduce_mean %x axes [M] keep
  %d = te.sub %x, %m
  %c = te.reduce_mean %d axes [N] keep
  %y = te.sub %d, %c
  return %y : !y
}
