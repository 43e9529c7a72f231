!T = f16
func.func @scatter_nd_min(%data: !data, %indices: !indices, %updates: !updates) -> !y {
  %y = te.scatter min %updates into %data by %indices along V
  return %y : !y
}
