!T = f16
func.func @average_pool2d_padded(%x: !x) -> !y {
  %windows = te.window %x over H, W
  %sum = te.reduce_sum %windows axes [KH, KW]
  %rows = te.constant #kernel_shape[0] : f32
  %columns = te.constant #kernel_shape[1] : f32
  %size = te.mul %rows, %columns
  %y = te.div %sum, %size
  return %y : !y
}
