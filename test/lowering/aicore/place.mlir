// RUN: opc-opt --aicore-place %s | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#full = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>

// A sum and the relu after it are one intrinsic; loaded and stored tiles are what UB holds.
// CHECK-LABEL: func.func @add_relu
// CHECK-SAME: aicore.kernel
// CHECK-SAME: aicore.phase = #aicore.phase<placed>
// CHECK: %[[TILE:.+]] = aicore.tiling_data "tile_length" min 1 max 8192
// CHECK: scf.for
// CHECK-COUNT-3: aicore.buffer
// CHECK: aicore.load
// CHECK: aicore.load
// CHECK-NEXT: memref.subview
// CHECK-NOT: aicore.vadd
// CHECK: aicore.vaddrelu
// CHECK-NOT: aicore.vrelu
// CHECK: aicore.store
func.func @add_relu(%x1: memref<?xf16> {te.dims = array<i64: 0>, te.name = "x1"}, %x2: memref<?xf16> {te.dims = array<i64: 0>, te.name = "x2"}, %y: memref<?xf16> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "flat", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false>} {
  %zero = arith.constant 0.0 : f16
  %c0 = arith.constant 0 : index
  %a = bufferization.to_tensor %x1 restrict : memref<?xf16> to tensor<?xf16>
  %n = tensor.dim %a, %c0 : tensor<?xf16>
  %b = bufferization.to_tensor %x2 restrict : memref<?xf16> to tensor<?xf16>
  %e = tensor.empty(%n) : tensor<?xf16>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%a, %b : tensor<?xf16>, tensor<?xf16>) outs(%e : tensor<?xf16>) {
  ^bb0(%p: f16, %q: f16, %o: f16):
    %sum = arith.addf %p, %q : f16
    %relu = arith.maximumf %sum, %zero : f16
    linalg.yield %relu : f16
  } -> tensor<?xf16>
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<?xf16>, memref<?xf16>) -> ()
  return
}

// x minus the largest of its row: whole rows in a flat tile, one reduction for all rows, then one gather spreads the
// elements of the rows over blocks of 32 bytes, and one intrinsic takes them for all rows. A row has 32 bytes for its largest, for its
// block and for the offsets that spread it.
// CHECK-LABEL: func.func @below
// CHECK: %[[PAD:.+]] = arith.constant 1.000000e+00 : f32
// CHECK: %[[LD:.+]] = arith.muli %{{.+}}, %c8 : index
// CHECK: aicore.varange
// CHECK: aicore.vshr
// CHECK: aicore.vshl
// CHECK: scf.for
// CHECK: aicore.load %{{.+}} -> %{{.+}} stride %[[LD]] pad(%[[PAD]] : f32)
// CHECK: aicore.vbrc {{.+}} outs(%[[LARGEST:[^ ]+]] :
// CHECK-NOT: scf.for
// CHECK: aicore.vreduce_max rows(%{{.+}}, %{{.+}}) ins({{.+}}) outs(%[[LARGEST]] : {{.+}}) scratch(
// CHECK-NOT: scf.for
// CHECK-NOT: aicore.scalar_read
// CHECK: aicore.vgather
// CHECK-NOT: scf.for
// CHECK: aicore.vsub rows ins({{.+}}) outs({{.+}})
// CHECK: aicore.store %{{.+}} -> %{{.+}} stride %[[LD]]
func.func @below(%x: memref<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "x"}, %y: memref<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "rows_short", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 4096, rows = 128, slots = 2, prefetch = false>} {
  %low = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = bufferization.to_tensor %x restrict : memref<?x?xf32> to tensor<?x?xf32>
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %n = tensor.dim %a, %c1 : tensor<?x?xf32>
  %e = tensor.empty(%m) : tensor<?xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %l = linalg.generic {indexing_maps = [#full, #rows], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<?x?xf32>) outs(%f : tensor<?xf32>) {
  ^bb0(%p: f32, %o: f32):
    %larger = arith.maximumf %p, %o : f32
    linalg.yield %larger : f32
  } -> tensor<?xf32>
  %d = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r = linalg.generic {indexing_maps = [#full, #rows, #full], iterator_types = ["parallel", "parallel"]} ins(%a, %l : tensor<?x?xf32>, tensor<?xf32>) outs(%d : tensor<?x?xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %below = arith.subf %p, %q : f32
    linalg.yield %below : f32
  } -> tensor<?x?xf32>
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<?x?xf32>, memref<?x?xf32>) -> ()
  return
}

// Two means of a row: the number of its elements, which both divide by, is filled once, before the loop over tiles. In it the
// elements of rows are a block of float32 apart, though the tile is float16.
// CHECK-LABEL: func.func @means
// CHECK: %[[COUNT:.+]] = aicore.buffer "t{{[0-9]+}}" : memref<1024xf32, #ub>
// CHECK: %[[COUNTS:.+]] = memref.subview %[[COUNT]][0]
// CHECK-NEXT: aicore.vbrc {{.+}} outs(%[[COUNTS]] :
// CHECK-NOT: aicore.vbrc
// CHECK: scf.for
// CHECK: aicore.vreduce_sum rows
// CHECK-NOT: aicore.vbrc
// CHECK: aicore.vdiv
// CHECK: aicore.vmul
// CHECK: aicore.vbrc
// CHECK-NOT: aicore.vbrc
// CHECK: aicore.vreduce_sum rows
// CHECK-NOT: aicore.vbrc
// CHECK: aicore.vdiv
// CHECK: return
func.func @means(%x: memref<?x?xf16> {te.dims = array<i64: 0, 1>, te.name = "x"}, %y: memref<?x?xf16> {te.dims = array<i64: 0, 1>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "rows_short", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 4096, rows = 128, slots = 2, prefetch = false>} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = bufferization.to_tensor %x restrict : memref<?x?xf16> to tensor<?x?xf16>
  %m = tensor.dim %a, %c0 : tensor<?x?xf16>
  %n = tensor.dim %a, %c1 : tensor<?x?xf16>
  %e = tensor.empty(%m) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %sum = linalg.generic {indexing_maps = [#full, #rows], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<?x?xf16>) outs(%f : tensor<?xf32>) {
  ^bb0(%p: f16, %o: f32):
    %wide = arith.extf %p : f16 to f32
    %added = arith.addf %o, %wide : f32
    linalg.yield %added : f32
  } -> tensor<?xf32>
  %i = arith.index_cast %n : index to i64
  %count = arith.sitofp %i : i64 to f32
  %em = tensor.empty(%m) : tensor<?xf32>
  %mean = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%sum : tensor<?xf32>) outs(%em : tensor<?xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.divf %p, %count : f32
    linalg.yield %q : f32
  } -> tensor<?xf32>
  %ec = tensor.empty(%m, %n) : tensor<?x?xf32>
  %c = linalg.generic {indexing_maps = [#full, #rows, #full], iterator_types = ["parallel", "parallel"]} ins(%a, %mean : tensor<?x?xf16>, tensor<?xf32>) outs(%ec : tensor<?x?xf32>) {
  ^bb0(%p: f16, %q: f32, %o: f32):
    %wide = arith.extf %p : f16 to f32
    %below = arith.subf %wide, %q : f32
    linalg.yield %below : f32
  } -> tensor<?x?xf32>
  %es = tensor.empty(%m) : tensor<?xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<?xf32>) -> tensor<?xf32>
  %squares = linalg.generic {indexing_maps = [#full, #rows], iterator_types = ["parallel", "reduction"]} ins(%c : tensor<?x?xf32>) outs(%fs : tensor<?xf32>) {
  ^bb0(%p: f32, %o: f32):
    %square = arith.mulf %p, %p : f32
    %added = arith.addf %o, %square : f32
    linalg.yield %added : f32
  } -> tensor<?xf32>
  %j = arith.index_cast %n : index to i64
  %again = arith.sitofp %j : i64 to f32
  %ev = tensor.empty(%m) : tensor<?xf32>
  %variance = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%squares : tensor<?xf32>) outs(%ev : tensor<?xf32>) {
  ^bb0(%p: f32, %o: f32):
    %q = arith.divf %p, %again : f32
    linalg.yield %q : f32
  } -> tensor<?xf32>
  %er = tensor.empty(%m, %n) : tensor<?x?xf16>
  %r = linalg.generic {indexing_maps = [#full, #rows, #full], iterator_types = ["parallel", "parallel"]} ins(%c, %variance : tensor<?x?xf32>, tensor<?xf32>) outs(%er : tensor<?x?xf16>) {
  ^bb0(%p: f32, %q: f32, %o: f16):
    %scaled = arith.divf %p, %q : f32
    %narrow = arith.truncf %scaled : f32 to f16
    linalg.yield %narrow : f16
  } -> tensor<?x?xf16>
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<?x?xf16>, memref<?x?xf16>) -> ()
  return
}

// Widened at once and narrowed at the end, each cast 256 of the cycles: with one slot the next tile is loaded after the first
// cast, and the store of the tile before has until the last one.
// CHECK-LABEL: func.func @within
func.func @within(%x: memref<?xf16> {te.dims = array<i64: 0>, te.name = "x"}, %y: memref<?xf16> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "flat", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 8192, rows = 128, slots = 1, prefetch = false>} {
  %c0 = arith.constant 0 : index
  %a = bufferization.to_tensor %x restrict : memref<?xf16> to tensor<?xf16>
  %n = tensor.dim %a, %c0 : tensor<?xf16>
  %e = tensor.empty(%n) : tensor<?xf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<?xf16>) outs(%e : tensor<?xf16>) {
  ^bb0(%p: f16, %o: f16):
    %wide = arith.extf %p : f16 to f32
    %exp = math.exp %wide : f32
    %log = math.log %exp : f32
    %root = math.sqrt %log : f32
    %narrow = arith.truncf %root : f32 to f16
    linalg.yield %narrow : f16
  } -> tensor<?xf16>
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<?xf16>, memref<?xf16>) -> ()
  return
}

// A whole number of float32 is one conversion to the same type.
// CHECK-LABEL: func.func @whole
// CHECK: aicore.vcast ins(%{{.+}} : memref<?xf32, {{.+}}>) outs(%{{.+}} : memref<?xf32, {{.+}}>) round floor
// CHECK-NOT: aicore.v
// CHECK: aicore.store
func.func @whole(%x: memref<?xf32> {te.dims = array<i64: 0>, te.name = "x"}, %y: memref<?xf32> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "flat", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 1024, rows = 64, slots = 2, prefetch = false>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %true = arith.constant true
  %a = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%p: f32, %o: f32):
    %f = math.floor %p : f32
    linalg.yield %f : f32
  } -> tensor<?xf32>
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}

// Truth values are combined by a select: one operand stays a mask. The result is a number, which is stored by one
// conversion. The opposite of an equality is the other comparison.
// CHECK-LABEL: func.func @logic
// CHECK: aicore.vcmps ne
// CHECK: aicore.vcmps lt
// CHECK: aicore.vsels
// CHECK: aicore.vsels
// CHECK-NEXT: memref.subview
// CHECK-NEXT: memref.subview
// CHECK-NEXT: aicore.vcast {{.+}} outs(%{{.+}} : memref<?xi8, {{.+}}>) round rint
// CHECK-NOT: aicore.v
// CHECK: aicore.store
func.func @logic(%x: memref<?xf32> {te.dims = array<i64: 0>, te.name = "x"}, %y: memref<?xi8> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "flat", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 1024, rows = 64, slots = 2, prefetch = false>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %true = arith.constant true
  %a = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xi8>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%a : tensor<?xf32>) outs(%e : tensor<?xi8>) {
  ^bb0(%p: f32, %o: i8):
    %s = arith.cmpf oeq, %p, %zero : f32
    %d = arith.xori %s, %true : i1
    %l = arith.cmpf olt, %p, %one : f32
    %b = arith.andi %d, %l : i1
    %t = arith.extui %b : i1 to i8
    linalg.yield %t : i8
  } -> tensor<?xi8>
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<?xi8>, memref<?xi8>) -> ()
  return
}

// The chip reduces no integers: a row is copied, the parts of 256 elements after the first and then halves are combined, and
// the lanes of the blocks that are left are gathered and combined for all rows at once. A last gather brings the results to
// their rows.
// CHECK-LABEL: func.func @product
// CHECK-DAG: %[[FOLD:.+]] = aicore.buffer "fold_i32" : memref<4096xi32, #ub>
// CHECK-DAG: %[[BLOCKS:.+]] = aicore.buffer "fold_blocks{{[0-9]+}}" : memref<512xi32, #ub>
// CHECK: aicore.load
// CHECK: scf.for
// CHECK: aicore.vbrc
// CHECK: aicore.vcopy
// CHECK: scf.for
// CHECK: aicore.vmul
// CHECK: }
// CHECK: memref.subview %[[FOLD]][128]
// CHECK: aicore.vmul
// CHECK: memref.subview %[[FOLD]][64]
// CHECK: memref.subview %[[FOLD]][32]
// CHECK: memref.subview %[[FOLD]][16]
// CHECK: memref.subview %[[FOLD]][8] [8]
// CHECK: aicore.vmul
// CHECK: }
// CHECK: memref.subview %[[BLOCKS]]
// CHECK-NOT: scf.for
// CHECK-COUNT-9: aicore.vgather
// CHECK-NOT: aicore.vgather
// CHECK: aicore.store
func.func @product(%x: memref<?x?xi32> {te.dims = array<i64: 0, 1>, te.name = "x"}, %y: memref<?xi32> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "rows_short", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 4096, rows = 64, slots = 2, prefetch = false>} {
  %one = arith.constant 1 : i32
  %c0 = arith.constant 0 : index
  %a = bufferization.to_tensor %x restrict : memref<?x?xi32> to tensor<?x?xi32>
  %m = tensor.dim %a, %c0 : tensor<?x?xi32>
  %e = tensor.empty(%m) : tensor<?xi32>
  %f = linalg.fill ins(%one : i32) outs(%e : tensor<?xi32>) -> tensor<?xi32>
  %r = linalg.generic {indexing_maps = [#full, #rows], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<?x?xi32>) outs(%f : tensor<?xi32>) {
  ^bb0(%p: i32, %o: i32):
    %next = arith.muli %o, %p : i32
    linalg.yield %next : i32
  } -> tensor<?xi32>
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<?xi32>, memref<?xi32>) -> ()
  return
}

// Positions in a part of a long row are float32, which holds them; in the row they are int32, with the part's first column
// added.
// CHECK-LABEL: func.func @position
// CHECK: aicore.vreduce_max
// CHECK: aicore.varange
// CHECK: aicore.vreduce_min ins({{.*}}f32{{.*}}) outs(%[[PART:.+]] : memref<1xf32
// CHECK: memref.subview
// CHECK: aicore.vcast {{.*}} : memref<1xf32{{.*}}) outs(%[[WHOLE:[^ ]+]] : memref<1xi32
// CHECK-NEXT: %[[COLUMN:.+]] = arith.index_cast %{{.+}} : index to i64
// CHECK-NEXT: %[[FIRST:.+]] = arith.trunci %[[COLUMN]] : i64 to i32
// CHECK-NEXT: aicore.vadds ins(%[[WHOLE]], %[[FIRST]]
// CHECK: aicore.vmin
func.func @position(%x: memref<?x?xf32> {te.dims = array<i64: 0, 1>, te.name = "x"}, %y: memref<?xi32> {te.dims = array<i64: 0>, te.name = "y"})
    attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "rows_long", te.type_row = 0 : i64,
                aicore.schedule = #aicore.schedule<tile = 4096, rows = 1, slots = 2, prefetch = false>} {
  %low = arith.constant 0xFF800000 : f32
  %none = arith.constant 2147483647 : i32
  %c0 = arith.constant 0 : index
  %a = bufferization.to_tensor %x restrict : memref<?x?xf32> to tensor<?x?xf32>
  %m = tensor.dim %a, %c0 : tensor<?x?xf32>
  %e = tensor.empty(%m) : tensor<?xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %l = linalg.generic {indexing_maps = [#full, #rows], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<?x?xf32>) outs(%f : tensor<?xf32>) {
  ^bb0(%p: f32, %o: f32):
    %larger = arith.maximumf %p, %o : f32
    linalg.yield %larger : f32
  } -> tensor<?xf32>
  %g = tensor.empty(%m) : tensor<?xi32>
  %h = linalg.fill ins(%none : i32) outs(%g : tensor<?xi32>) -> tensor<?xi32>
  %r = linalg.generic {indexing_maps = [#full, #rows, #rows], iterator_types = ["parallel", "reduction"]} ins(%a, %l : tensor<?x?xf32>, tensor<?xf32>) outs(%h : tensor<?xi32>) {
  ^bb0(%p: f32, %q: f32, %o: i32):
    %i = linalg.index 1 : index
    %here = arith.index_cast %i : index to i32
    %same = arith.cmpf oeq, %p, %q : f32
    %found = arith.select %same, %here, %none : i32
    %next = arith.minsi %o, %found : i32
    linalg.yield %next : i32
  } -> tensor<?xi32>
  bufferization.materialize_in_destination %r in restrict writable %y : (tensor<?xi32>, memref<?xi32>) -> ()
  return
}
