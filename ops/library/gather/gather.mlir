!T = f16
func.func @gather(%data: !data, %indices: !indices) -> !y {
  %y = te.gather %data, %indices along V
  return %y : !y
}
