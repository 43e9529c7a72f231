!T = i32
// y[i] = start + i * delta.
func.func @range(%start: !start, %delta: !delta) -> !y {
  %place = te.iota along N to !y
  %i = te.cast %place to !y
  %distance = te.mul %i, %delta
  %y = te.add %start, %distance
  return %y : !y
}
