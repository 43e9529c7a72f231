!T = f32
func.func @part_norm(%x: !x, %gamma: !gamma) -> !y {
  %part = te.slice %x along P at 1
  %square = te.mul %part, %part
  %mean = te.reduce_mean %square axes [D] keep
  %epsilon = te.constant 1.0e-3
  %sum = te.add %mean, %epsilon
  %scale = te.rsqrt %sum
  %norm = te.mul %part, %scale
  %y = te.mul %norm, %gamma
  return %y : !y
}
