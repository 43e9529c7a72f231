!T = f16
// The mean and the maximum of each channel over all positions, and of each position over all channels.
func.func @channel_spatial_pool(%x: !x) -> (!channel_mean, !channel_max, !spatial_mean, !spatial_max) {
  %channel_mean = te.reduce_mean %x axes [S]
  %channel_max = te.reduce_max %x axes [S]
  %spatial_mean = te.reduce_mean %x axes [C]
  %spatial_max = te.reduce_max %x axes [C]
  return %channel_mean, %channel_max, %spatial_mean, %spatial_max : !channel_mean, !channel_max, !spatial_mean, !spatial_max
}
