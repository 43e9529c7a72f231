!T = f16
// Multiples of `scale` above `zero_point`.
func.func @dequantize(%x: !x, %scale: !scale, %zero_point: !zero_point) -> !y {
  %number = te.cast %x to f32
  %zero = te.cast %zero_point to f32
  %units = te.sub %number, %zero
  %wide = te.cast %scale to f32
  %product = te.mul %units, %wide
  %y = te.cast %product to !y
  return %y : !y
}
