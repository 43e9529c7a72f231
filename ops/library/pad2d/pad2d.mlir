!T = f16
func.func @pad2d(%x: !x, %value: f32) -> !y {
  %rows = te.concat %value, %x, %value along L+W+R
  %y = te.concat %value, %rows, %value along T+H+B
  return %y : !y
}
