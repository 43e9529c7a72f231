// A kernel whose tile loop does not read as copy in, compute, copy out is one method: here a scalar read stands between.
// What a loop carries becomes a variable, a branch an if, and what the tiling data gives alone is computed in Init.
// Without this such kernels would lose their order or not be emitted at all.
// RUN: opc-translate --aicore-to-ascendc %s | FileCheck %s

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>
!gm_tile = memref<?xf32, strided<[1], offset: ?>, #gm>
!ub_tile = memref<?xf32, strided<[1]>, #ub>

func.func @k_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}

// CHECK-LABEL: class KernelKF32 {
// CHECK: float beta;
// CHECK-NOT: CopyIn
func.func @k_f32(%x: memref<?xf32, #gm> {aicore.name = "x"}, %beta: f32 {aicore.name = "beta"},
                 %times: i64 {aicore.name = "times"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @k_tiling} {
  // CHECK: void Init(AscendC::TPipe & pipe, GM_ADDR x, const KTilingData & tiling) {
  // CHECK: beta = tiling.beta;
  // CHECK: n = static_cast<int64_t>(tiling.n);
  // CHECK: [[LIMIT:[a-zA-Z]+]] = static_cast<int64_t>(tiling.times);
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = aicore.tiling_data "n" : index
  %limit = arith.index_cast %times : i64 to index
  %b = aicore.buffer "b" at 64 : memref<64xf32, #ub>
  // CHECK: void Process() {
  // CHECK: int64_t carried;
  // CHECK: carried = n;
  // CHECK: for (int64_t i = 0; i < [[LIMIT]]; i += 1) {
  %rest = scf.for %i = %c0 to %limit step %c1 iter_args(%left = %n) -> (index) {
    %count = arith.minsi %left, %c64 : index
    %x_gm = memref.subview %x[%i] [%count] [1] : memref<?xf32, #gm> to !gm_tile
    %x_ub = memref.subview %b[0] [%count] [1] : memref<64xf32, #ub> to !ub_tile
    // CHECK: LocalTensor<float> bLocal = ub.GetWithOffset<float>(64, 64);
    // CHECK: DataCopyPad(bLocal, xGm[i], Row(count * 4), NoPad<float>());  // one-method.mlir:[[@LINE+1]]
    aicore.load %x_gm -> %x_ub : !gm_tile to !ub_tile
    aicore.set_flag mte2 -> s [%c0]
    // CHECK: AscendC::WaitFlag<AscendC::HardEvent::MTE2_S>(0);
    aicore.wait_flag mte2 -> s [%c0]
    // CHECK: float [[FIRST:v[0-9]+]] = Read(bLocal, 0);  // one-method.mlir:[[@LINE+1]]
    %first = aicore.scalar_read %x_ub[%c0] : !ub_tile
    %positive = arith.cmpi sgt, %count, %c1 : index
    // CHECK: if ({{v[0-9]+}}) {
    %factor = scf.if %positive -> f32 {
      // CHECK: float [[PRODUCT:v[0-9]+]] = [[FIRST]] * beta;
      // CHECK-NEXT: [[FACTOR:carried[0-9]*]] = [[PRODUCT]];
      %product = arith.mulf %first, %beta : f32
      scf.yield %product : f32
    } else {
      // CHECK: } else {
      // CHECK-NEXT: float [[MINUS:v[0-9]+]] = -beta;
      // CHECK-NEXT: [[FACTOR]] = [[MINUS]];
      %minus = arith.negf %beta : f32
      scf.yield %minus : f32
    }
    // CHECK: AscendC::Muls(bLocal, bLocal, {{v[0-9]+}}, count);  // one-method.mlir:[[@LINE+1]]
    aicore.vmuls ins(%x_ub, %factor : !ub_tile, f32) outs(%x_ub : !ub_tile)
    // CHECK: DataCopyPad(xGm[i], bLocal, Row(count * 4));  // one-method.mlir:[[@LINE+1]]
    aicore.store %x_ub -> %x_gm : !ub_tile to !gm_tile
    // CHECK: carried = {{v[0-9]+}};
    %next = arith.subi %left, %count : index
    scf.yield %next : index
  }
  return
}
// CHECK: extern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR workspace, GM_ADDR tiling) {
