!T = f16
func.func @average_pool3d_padded(%x: !x) -> !y {
  %windows = te.window %x over D, H, W
  %sum = te.reduce_sum %windows axes [KD, KH, KW]
  %planes = te.constant #kernel_shape[0] : f32
  %rows = te.constant #kernel_shape[1] : f32
  %columns = te.constant #kernel_shape[2] : f32
  %plane = te.mul %rows, %columns
  %size = te.mul %planes, %plane
  %y = te.div %sum, %size
  return %y : !y
}
