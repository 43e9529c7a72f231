!T = f16
// Pixel (h * B1 + b1, w * B2 + b2) of channel c moves to (h, w) of channel (b1, b2, c).
func.func @space_to_depth(%x: !x) -> !y {
  return %x : !y
}
