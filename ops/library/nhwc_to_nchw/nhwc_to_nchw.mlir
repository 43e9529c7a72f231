!T = f16
// Channels move from the end to behind the batch.
func.func @nhwc_to_nchw(%x: !x) -> !y {
  return %x : !y
}
