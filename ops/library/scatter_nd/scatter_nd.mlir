!T = f16
func.func @scatter_nd(%data: !data, %indices: !indices, %updates: !updates) -> !y {
  %y = te.scatter set %updates into %data by %indices along V
  return %y : !y
}
