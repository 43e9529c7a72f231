!T = f16
// Whole multiples of `scale`, counted from `zero_point`.
func.func @quantize_channels(%x: !x, %scale: !scale, %zero_point: !zero_point) -> !y {
  %wide = te.cast %x to f32
  %unit = te.cast %scale to f32
  %units = te.div %wide, %unit
  %whole = te.round %units
  %zero = te.cast %zero_point to f32
  %sum = te.add %whole, %zero
  %y = te.cast %sum to !y
  return %y : !y
}
