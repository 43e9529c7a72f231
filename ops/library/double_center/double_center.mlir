!T = f16
// Rows first. Columns are centred in a second nest of loops, which reads the means of the rows.
func.func @double_center(%x: !x) -> (!y, !row_mean, !column_mean) {
  %row_mean = te.reduce_mean %x axes [M]
  %column_mean = te.reduce_mean %x axes [N]
  %m = te.reduce_mean %x axes [M] keep
  %d = te.sub %x, %m
  %c = te.reduce_mean %d axes [N] keep
  %y = te.sub %d, %c
  return %y, %row_mean, %column_mean : !y, !row_mean, !column_mean
}
