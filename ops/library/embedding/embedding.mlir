!T = f16
func.func @embedding(%table: !table, %indices: !indices, %scale: f32) -> !y {
  %row = te.gather %table, %indices along V
  %y = te.mul %row, %scale
  return %y : !y
}
