!T = f16
func.func @gather_nd1(%data: !data, %indices: !indices) -> !y {
  %k0 = te.constant 0 : i32
  %i0 = te.gather %indices, %k0 along K
  %y = te.gather %data, %i0 along A beyond from_end
  return %y : !y
}
