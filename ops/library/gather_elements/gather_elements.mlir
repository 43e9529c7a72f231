!T = f16
func.func @gather_elements(%data: !data, %indices: !indices) -> !y {
  %y = te.gather %data, %indices along V
  return %y : !y
}
