!T = f16
// y[i] = start + i * delta.
func.func @range(%start: !start, %delta: !delta) -> !y {
  %place = te.iota along N to !y
  %i = te.cast %place to f32
  %step = te.cast %delta to f32
  %distance = te.mul %i, %step
  %first = te.cast %start to f32
  %sum = te.add %first, %distance
  %y = te.cast %sum to !y
  return %y : !y
}
