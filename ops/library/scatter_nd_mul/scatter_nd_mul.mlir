!T = f16
func.func @scatter_nd_mul(%data: !data, %indices: !indices, %updates: !updates) -> !y {
  %y = te.scatter mul %updates into %data by %indices along V
  return %y : !y
}
