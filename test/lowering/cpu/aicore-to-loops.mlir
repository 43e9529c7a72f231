// RUN: opc-opt --convert-aicore-to-loops --canonicalize --cse --split-input-file %s | FileCheck %s

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>

// What breaks without it: each tile is a pass through the cache. Neighbours that work lane by lane share one loop, and the
// tiles, which nobody else sees, need no memory: no buffer is left among the arguments.
// CHECK-LABEL: func.func @add
// CHECK-SAME: (%[[X:.*]]: memref<?xf16>, %[[Y:.*]]: memref<?xf16>, %[[TILING:.*]]: memref<?xi64>, %[[FIRST:.*]]: index, %[[LAST:.*]]: index, %{{.*}}: index) -> i32
// CHECK-SAME: cpu.buffers = array<i64>
// CHECK-SAME: cpu.tensors = 2 : i64
// The range that a field states is checked once, at the entry.
// CHECK: memref.load %[[TILING]]
// CHECK: arith.minsi
// CHECK: arith.maxsi
// Block after block, for as long as nothing was reported.
// CHECK: scf.while (%[[BLOCK:.*]] = %[[FIRST]])
// CHECK-NEXT: %[[MORE:.*]] = arith.cmpi slt, %[[BLOCK]], %[[LAST]]
// CHECK-NEXT: %[[STATUS:.*]] = memref.load
// CHECK-NEXT: %[[SOUND:.*]] = arith.cmpi eq, %[[STATUS]], %c0_i32
// CHECK-NEXT: %[[GO:.*]] = arith.andi %[[MORE]], %[[SOUND]]
// CHECK-NEXT: scf.condition(%[[GO]]) %[[BLOCK]]
// CHECK: memref.store %c0, %[[STEPS:.*]][] : memref<index>
// All lanes or none; they count.
// CHECK: %[[LANES:.*]] = arith.select %{{.*}}, %{{.*}}, %c0 : index
// CHECK-NEXT: %[[BEFORE:.*]] = memref.load %[[STEPS]]
// CHECK-NEXT: %[[AFTER:.*]] = arith.addi %[[BEFORE]], %[[LANES]]
// CHECK-NEXT: memref.store %[[AFTER]], %[[STEPS]]
// CHECK-NEXT: scf.for %[[I:.*]] = %c0 to %[[LANES]]
// CHECK-NEXT: %[[A:.*]] = memref.load %[[X]][%[[I]]]
// CHECK-NEXT: %[[W:.*]] = arith.extf %[[A]] : f16 to f32
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[W]], %[[W]] : f32
// Each step is rounded to the element type, though it stays in a register.
// CHECK-NEXT: %[[R:.*]] = arith.truncf %[[S]] : f32 to f16
// CHECK-NEXT: %[[E:.*]] = arith.extf %[[R]] : f16 to f32
// CHECK-NEXT: %[[B:.*]] = math.absf %[[E]] : f32
// CHECK-NEXT: %[[Q:.*]] = arith.truncf %[[B]] : f32 to f16
// CHECK-NEXT: memref.store %[[Q]], %[[Y]][%[[I]]]
// CHECK-NEXT: }
// CHECK-NOT: func.func
func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  return %n, %n : index, index
}
func.func @add(%x: memref<?xf16, #gm>, %y: memref<?xf16, #gm>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %n = aicore.tiling_data "n" min 1 max 64 : index
  %xv = memref.subview %x[0] [%n] [1] : memref<?xf16, #gm> to memref<?xf16, strided<[1]>, #gm>
  %yv = memref.subview %y[0] [%n] [1] : memref<?xf16, #gm> to memref<?xf16, strided<[1]>, #gm>
  %a = aicore.buffer "a" : memref<64xf16, #ub>
  %b = aicore.buffer "b" : memref<64xf16, #ub>
  %av = memref.subview %a[0] [%n] [1] : memref<64xf16, #ub> to memref<?xf16, strided<[1]>, #ub>
  %bv = memref.subview %b[0] [%n] [1] : memref<64xf16, #ub> to memref<?xf16, strided<[1]>, #ub>
  aicore.load %xv -> %av : memref<?xf16, strided<[1]>, #gm> to memref<?xf16, strided<[1]>, #ub>
  aicore.vadd ins(%av, %av : memref<?xf16, strided<[1]>, #ub>, memref<?xf16, strided<[1]>, #ub>) outs(%bv : memref<?xf16, strided<[1]>, #ub>)
  aicore.vabs ins(%bv : memref<?xf16, strided<[1]>, #ub>) outs(%bv : memref<?xf16, strided<[1]>, #ub>)
  aicore.store %bv -> %yv : memref<?xf16, strided<[1]>, #ub> to memref<?xf16, strided<[1]>, #gm>
  return
}

// -----

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>

func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  return %n : index
}
// What breaks without it: lanes that lie at another place of the same tile would be taken from a register. The second vadd
// reads what the first wrote, moved by eight elements, so it has a loop of its own and the tile its memory.
// CHECK-LABEL: func.func @moved
// CHECK-SAME: memref<64xf32>
// CHECK-SAME: cpu.buffers = array<i64: 256>
// CHECK: scf.for
// CHECK: memref.store
// CHECK: scf.for
// CHECK: memref.load
func.func @moved(%x: memref<?xf32, #gm>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %one = arith.constant 1.0 : f32
  %a = aicore.buffer "a" : memref<64xf32, #ub>
  %low = memref.subview %a[0] [8] [1] : memref<64xf32, #ub> to memref<8xf32, strided<[1]>, #ub>
  %high = memref.subview %a[8] [8] [1] : memref<64xf32, #ub> to memref<8xf32, strided<[1], offset: 8>, #ub>
  aicore.vbrc ins(%one : f32) outs(%high : memref<8xf32, strided<[1], offset: 8>, #ub>)
  aicore.vadds ins(%low, %one : memref<8xf32, strided<[1]>, #ub>, f32) outs(%low : memref<8xf32, strided<[1]>, #ub>)
  %xv = memref.subview %x[0] [8] [1] : memref<?xf32, #gm> to memref<8xf32, strided<[1]>, #gm>
  aicore.store %low -> %xv : memref<8xf32, strided<[1]>, #ub> to memref<8xf32, strided<[1]>, #gm>
  return
}

// -----

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>

func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  return %n : index
}
// What breaks without it: decisions of an AI Core (slots, addresses, flags) stop a kernel that enters late.
// CHECK-LABEL: func.func @synced
// CHECK-SAME: memref<32xf32>
// CHECK-NOT: aicore.
// CHECK: return
func.func @synced(%x: memref<?xf32, #gm>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = aicore.buffer "a" at 64 : memref<2x16xf32, #ub>
  %xv = memref.subview %x[0] [16] [1] : memref<?xf32, #gm> to memref<16xf32, strided<[1]>, #gm>
  %av = memref.subview %a[%c1, 0] [1, 16] [1, 1] : memref<2x16xf32, #ub> to memref<16xf32, strided<[1], offset: ?>, #ub>
  aicore.load %xv -> %av : memref<16xf32, strided<[1]>, #gm> to memref<16xf32, strided<[1], offset: ?>, #ub>
  aicore.set_flag mte2 -> s [%c0]
  aicore.wait_flag mte2 -> s [%c0]
  %s = aicore.scalar_read %av[%c1] : memref<16xf32, strided<[1], offset: ?>, #ub>
  aicore.scalar_write %s, %av[%c0] : memref<16xf32, strided<[1], offset: ?>, #ub>
  aicore.pipe_barrier v
  return
}

// -----

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>

func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "d"}) attributes {aicore.tiling} {
  return %n, %n : index, index
}
// What breaks without it: a tiling value of 0 ends the process by a trap.
// CHECK-LABEL: func.func @divides
// CHECK: %[[ZERO:.*]] = arith.cmpi eq, %[[D:.*]], %c0 :
// CHECK: %[[SAFE:.*]] = arith.select %{{.*}}, %c1, %[[D]]
// CHECK: arith.ceildivsi %{{.*}}, %[[SAFE]]
func.func @divides(%x: memref<?xf32, #gm>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  %d = aicore.tiling_data "d" : index
  %q = arith.ceildivsi %c100, %d : index
  %a = aicore.buffer "a" : memref<128xf32, #ub>
  %one = arith.constant 1.0 : f32
  aicore.scalar_write %one, %a[%q] : memref<128xf32, #ub>
  return
}

// -----

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>

func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  return %n : index
}
// What breaks without it: a launch attribute is read from the wrong slot, or a half from the bits of a float. Fields of the
// tiling function come first, then attributes in the order of the arguments.
// CHECK-LABEL: func.func @attributes
// CHECK-DAG: %[[ONE:.*]] = memref.load %{{.*}}[%c1]
// CHECK-DAG: %[[TWO:.*]] = memref.load %{{.*}}[%c2]
// CHECK-DAG: %[[BITS:.*]] = arith.trunci %[[ONE]] : i64 to i32
// CHECK-DAG: %[[FLOAT:.*]] = arith.bitcast %[[BITS]] : i32 to f32
// CHECK-DAG: arith.truncf %[[FLOAT]] : f32 to f16
// CHECK-DAG: arith.trunci %[[TWO]] : i64 to i16
func.func @attributes(%x: memref<?xf16, #gm>, %h: f16, %i: i16)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %a = aicore.buffer "a" : memref<16xf16, #ub>
  %b = aicore.buffer "b" : memref<16xi16, #ub>
  aicore.scalar_write %h, %a[%c0] : memref<16xf16, #ub>
  aicore.scalar_write %i, %b[%c0] : memref<16xi16, #ub>
  return
}

// -----

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>

func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "d"}) attributes {aicore.tiling} {
  return %n, %n : index, index
}
// What breaks without it: a loop without an end hangs the process. Each trip counts, and a loop ends when too much was
// counted; what it carries stays with it.
// CHECK-LABEL: func.func @loops
// CHECK-SAME: %[[LIMIT:[a-z0-9]*]]: index, %{{[a-z0-9]*}}: memref<16xf32>)
// CHECK: %[[D:.*]] = arith.index_cast
// CHECK: scf.while
// A step that is no constant may be 0.
// CHECK: arith.cmpi sgt, %[[D]], %c0
// CHECK: %[[END:.*]]:2 = scf.while (%[[I:.*]] = %c0, %[[SUM:.*]] = %c0)
// CHECK: %[[MORE:.*]] = arith.cmpi ult, %[[I]], %c100
// CHECK: scf.condition(%{{.*}}) %[[I]], %[[SUM]]
// CHECK: ^bb0(%[[J:.*]]: index, %[[OLD:.*]]: index)
// CHECK: arith.addi %{{.*}}, %c16
// CHECK: %[[TAKEN:.*]] = memref.load
// CHECK: %[[FITS:.*]] = arith.cmpi sle, %[[TAKEN]], %[[LIMIT]]
// CHECK: arith.select %[[FITS]], %c0_i32, %c16_i32
// CHECK: %[[NEW:.*]] = arith.xori %[[OLD]], %[[J]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[J]], %[[D]]
// CHECK: scf.yield %[[NEXT]], %[[NEW]]
// CHECK: memref.store %{{.*}}, %{{.*}}[%[[END]]#1]
func.func @loops(%x: memref<?xf32, #gm>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %c0 = arith.constant 0 : index
  %c100 = arith.constant 100 : index
  %d = aicore.tiling_data "d" : index
  %a = aicore.buffer "a" : memref<16xf32, #ub>
  %one = arith.constant 1.0 : f32
  %sum = scf.for unsigned %i = %c0 to %c100 step %d iter_args(%old = %c0) -> index {
    %new = arith.xori %old, %i : index
    scf.yield %new : index
  }
  aicore.scalar_write %one, %a[%sum] : memref<16xf32, #ub>
  return
}

// -----

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>

func.func @t(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  return %n : index
}
// What breaks without it: rows that lie apart are copied as one, or what pads them is not written. A row of five floats is
// padded to eight.
// CHECK-LABEL: func.func @rows
// CHECK: scf.if
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1
// CHECK: scf.for %{{.*}} = %c0 to %c5 step %c1
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1
func.func @rows(%x: memref<?xf32, #gm>)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @t} {
  %zero = arith.constant 0.0 : f32
  %a = aicore.buffer "a" : memref<3x8xf32, #ub>
  %rows = memref.subview %a[0, 0] [3, 5] [1, 1] : memref<3x8xf32, #ub> to memref<3x5xf32, strided<[8, 1]>, #ub>
  %src = memref.reinterpret_cast %x to offset: [0], sizes: [3, 5], strides: [5, 1] : memref<?xf32, #gm> to memref<3x5xf32, strided<[5, 1]>, #gm>
  aicore.load %src -> %rows pad(%zero : f32) : memref<3x5xf32, strided<[5, 1]>, #gm> to memref<3x5xf32, strided<[8, 1]>, #ub>
  return
}
