!T = f16
// The position of an element in the operand, rounded: sign * floor(sign * position + nudge).
func.func @resize_nearest2d(%x: !x) -> !y {
  %shift = te.constant #shift : f32
  %offset = te.constant #offset : f32
  %multiplyh = te.constant #multiply[0] : f32
  %dividew = te.constant #divide[1] : f32
  %multiplyw = te.constant #multiply[1] : f32
  %divideh = te.constant #divide[0] : f32
  %sign = te.constant #sign : f32
  %nudge = te.constant #nudge : f32
  %ih = te.iota along Ho to !y
  %fh = te.cast %ih to f32
  %bh = te.add %fh, %shift
  %mh = te.mul %bh, %multiplyh
  %dh = te.div %mh, %divideh
  %h = te.add %dh, %offset
  %iw = te.iota along Wo to !y
  %fw = te.cast %iw to f32
  %bw = te.add %fw, %shift
  %mw = te.mul %bw, %multiplyw
  %dw = te.div %mw, %dividew
  %w = te.add %dw, %offset
  %hs = te.mul %h, %sign
  %ws = te.mul %w, %sign
  %hn = te.add %hs, %nudge
  %wn = te.add %ws, %nudge
  %hd = te.floor %hn
  %wd = te.floor %wn
  %hp = te.mul %hd, %sign
  %wp = te.mul %wd, %sign
  %row = te.cast %hp to i32
  %column = te.cast %wp to i32
  %y = te.gather %x, %row, %column along H, W
  return %y : !y
}
