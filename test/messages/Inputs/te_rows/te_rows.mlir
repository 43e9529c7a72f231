!T = f16
func.func @te_rows(%x: !x, %gamma: !gamma, %epsilon: f32) -> (!y, !mean) {
  %mean = te.reduce_mean %x axes [-1] keep
  %d = te.sub %x, %mean
  %square = te.mul %d, %d
  %variance = te.reduce_mean %square axes [-1] keep
  %sum = te.add %variance, %epsilon
  %spread = te.rsqrt %sum
  %normal = te.mul %d, %spread
  %most = te.reduce_max %normal axes [-1] keep
  %least = te.reduce_min %normal axes [-1] keep
  %range = te.sub %most, %least
  %scale = te.constant #scale
  %scaled = te.mul %normal, %scale
  %weighted = te.mul %scaled, %gamma
  %wide = te.broadcast %range to %x
  %y = te.minimum %weighted, %wide
  %single = te.cast %mean to !mean
  return %y, %single : !y, !mean
}
