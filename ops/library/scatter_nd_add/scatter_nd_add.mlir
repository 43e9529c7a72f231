!T = f16
func.func @scatter_nd_add(%data: !data, %indices: !indices, %updates: !updates) -> !y {
  %y = te.scatter add %updates into %data by %indices along V
  return %y : !y
}
