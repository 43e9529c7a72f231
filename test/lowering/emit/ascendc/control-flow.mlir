// Loops that carry values, branches with results, tiling data read in a branch, scalars of tiles, launch attributes.
// Without this a branch could lose its last statement, a loop that swaps what it carries lose a value, or a method read the
// tiling data that Init alone has.
// RUN: rm -rf %t && mkdir %t
// RUN: opc-translate --aicore-to-ascendc %s > %t/k.cpp
// RUN: opc-translate --aicore-to-host %s > %t/k_tiling.h
// RUN: FileCheck %s < %t/k.cpp
// RUN: %ascendc -I %t %t/k.cpp

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!t = memref<64xf32, #ub>

func.func @k_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}, index {aicore.name = "index"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n, %n : index, index, index
}

func.func @k_float32(%x: memref<?xf32, #gm> {aicore.name = "x"}, %beta: f32 {aicore.name = "beta"},
                      %flag: i1 {aicore.name = "flag"}, %gate: i1 {aicore.name = "gate"}, %times: i64 {aicore.name = "times"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @k_tiling} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %b = aicore.buffer "b" at 64 : !t
  // CHECK: class KernelKFloat32 {
  // CHECK: bool [[BOTH:.*]];
  // CHECK: void Init(AscendC::TPipe & pipe, GM_ADDR x, const KTilingData & tiling) {
  // CHECK: [[BOTH]] = (tiling.flag != 0) != (tiling.gate != 0);
  // CHECK: index = static_cast<int64_t>(tiling.index);
  // CHECK: void Process() {
  %n = aicore.tiling_data "n" : index
  %limit = arith.index_cast %times : i64 to index
  %both = arith.xori %flag, %gate : i1
  // CHECK: int64_t [[P:.*]];
  // CHECK: int64_t [[Q:.*]];
  // CHECK: [[P]] = n;
  // CHECK: [[Q]] = [[LIMIT:.*]];
  // CHECK: for (int64_t i = 0; i < [[LIMIT]]; i += 1) {
  // CHECK: [[P_NOW:v[0-9]+]] = [[P]];
  // CHECK: [[Q_NOW:v[0-9]+]] = [[Q]];
  %first, %second = scf.for %i = %c0 to %limit step %c1 iter_args(%p = %n, %q = %limit) -> (index, index) {
    // CHECK: bool [[LE:v[0-9]+]] = [[P_NOW]] <= [[Q_NOW]];
    %le = arith.cmpi sle, %p, %q : index
    // CHECK: bool [[PICK:v[0-9]+]] = [[LE]] && [[BOTH]];
    %pick = arith.andi %le, %both : i1
    // CHECK: float [[VALUE:.*]];
    // CHECK: if ([[PICK]]) {
    %value = scf.if %pick -> f32 {
      // CHECK: [[READ:v[0-9]+]] = Read(bLocal{{[0-9]*}}, index);  // control-flow.mlir:[[#@LINE+2]]
      %index = aicore.tiling_data "index" max 63 : index
      %read = aicore.scalar_read %b[%index] : !t
      // CHECK-NEXT: [[VALUE]] = [[READ]];
      scf.yield %read : f32
    } else {
      // CHECK-NEXT: } else {
      // CHECK: [[NEGATED:v[0-9]+]] = -{{.*}};
      %negated = arith.negf %beta : f32
      // CHECK-NEXT: [[LARGER:v[0-9]+]] = MaxFloat([[NEGATED]], {{.*}});
      %larger = arith.maximumf %negated, %beta : f32
      // CHECK-NEXT: [[VALUE]] = [[LARGER]];
      scf.yield %larger : f32
    }
    // CHECK: [[NOW:v[0-9]+]] = [[VALUE]];
    // CHECK: SetValue(static_cast<uint32_t>(5), [[NOW]]);
    aicore.scalar_write %value, %b[%c5] : !t
    // A branch without a result keeps its last statement too.
    // CHECK: if ([[BOTH]]) {
    scf.if %both {
      // CHECK: AscendC::Relu(
      aicore.vrelu ins(%b : !t) outs(%b : !t)
      // CHECK-NEXT: AscendC::PipeBarrier<PIPE_V>();
      aicore.pipe_barrier v
      // On a pipe that completes in order it does nothing, and is printed where the body has it.
      // CHECK-NEXT: AscendC::PipeBarrier<PIPE_S>();
      aicore.pipe_barrier s
    }
    // Both are read before one is written.
    // CHECK: [[P]] = [[Q_NOW]];
    // CHECK-NEXT: [[Q]] = [[P_NOW]];
    scf.yield %q, %p : index, index
  }
  // CHECK: [[FIRST:v[0-9]+]] = [[P]];
  %part = memref.subview %b[0] [%first] [1] : !t to memref<?xf32, strided<[1]>, #ub>
  // CHECK: AscendC::Exp({{.*}}, [[FIRST]]);
  aicore.vexp ins(%part : memref<?xf32, strided<[1]>, #ub>) outs(%part : memref<?xf32, strided<[1]>, #ub>)
  return
}
