!T = f16
func.func @gather_nd3(%data: !data, %indices: !indices) -> !y {
  %k0 = te.constant 0 : i32
  %i0 = te.gather %indices, %k0 along K
  %k1 = te.constant 1 : i32
  %i1 = te.gather %indices, %k1 along K
  %k2 = te.constant 2 : i32
  %i2 = te.gather %indices, %k2 along K
  %y = te.gather %data, %i0, %i1, %i2 along A, B, C beyond from_end
  return %y : !y
}
