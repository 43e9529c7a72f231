!T = f16
// Channels move from behind the batch to the end.
func.func @nchw_to_nhwc(%x: !x) -> !y {
  return %x : !y
}
