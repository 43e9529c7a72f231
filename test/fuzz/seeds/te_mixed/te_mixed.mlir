!T = f16
func.func @te_mixed(%x1: !x1, %x2: !x2, %mask: !mask, %low: f32, %count: i64) -> (!y, !z) {
  %a = te.add %x1, %x2
  %b = te.sub %a, %low
  %c = te.mul %b, %x2
  %d = te.div %c, %x1
  %e = te.maximum %d, %low
  %high = te.constant 6.0 : !T
  %f = te.minimum %e, %high
  %slope = te.constant 0.01
  %g = te.leaky_relu %f, %slope
  %h = te.swish %g, %low
  %i = te.neg %h
  %j = te.abs %i
  %k = te.exp %j
  %l = te.log %k
  %m = te.sqrt %l
  %n = te.rsqrt %m
  %o = te.reciprocal %n
  %p = te.sigmoid %o
  %q = te.tanh %p
  %r = te.erf %q
  %s = te.gelu erf %r
  %t = te.gelu tanh %s
  %u = te.relu %t
  %less = te.compare le %u, %x1
  %same = te.compare eq %less, %mask
  %y = te.select %same, %u, %x2
  %whole = te.cast %y to !z round floor saturate
  %sum = te.add %whole, %count
  %z = te.select %mask, %sum, %whole
  return %y, %z : !y, !z
}
