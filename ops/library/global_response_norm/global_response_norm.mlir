!T = f16
// y = gamma * x * n + beta + x, where n is the norm of each channel over its positions, in units of the mean norm of all
// channels. The norms are in the workspace of the launch: a reduction over other dimensions reads them.
func.func @global_response_norm(%x: !x, %gamma: !gamma, %beta: !beta, %epsilon: f32) -> !y {
  %square = te.mul %x, %x
  %sum = te.reduce_sum %square axes [S] keep
  %norm = te.sqrt %sum
  %mean = te.reduce_mean %norm axes [C] keep
  %safe = te.add %mean, %epsilon
  %factor = te.div %norm, %safe
  %scaled = te.mul %x, %factor
  %weighted = te.mul %scaled, %gamma
  %moved = te.add %weighted, %beta
  %y = te.add %moved, %x
  return %y : !y
}
