!T = f16
func.func @scatter_elements_add(%data: !data, %indices: !indices, %updates: !updates) -> !y {
  %y = te.scatter add %updates into %data by %indices along V
  return %y : !y
}
