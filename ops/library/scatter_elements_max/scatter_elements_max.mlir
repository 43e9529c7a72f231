!T = f16
func.func @scatter_elements_max(%data: !data, %indices: !indices, %updates: !updates) -> !y {
  %y = te.scatter max %updates into %data by %indices along V
  return %y : !y
}
