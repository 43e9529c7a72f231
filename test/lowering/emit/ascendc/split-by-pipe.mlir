// The tile loop of AddRelu reads as copy in, compute, copy out: each method has the ops of one pipe in their order, what
// they need of the loop, and nothing else. The entry picks a class by tiling key.
// Without this the flags of a kernel could stand in another order than the one that was verified.
// RUN: opc-translate --aicore-to-ascendc %S/../Inputs/add_relu.mlir | FileCheck %s

// CHECK: #include "kernel_operator.h"
// CHECK: class KernelAddReluFloat16 {
// CHECK: AscendC::TBuf<AscendC::TPosition::VECCALC> ub;
// CHECK: AscendC::GlobalTensor<half> x1Gm;
// CHECK: pipe.InitBuffer(ub, 98304);
// CHECK: x1Gm.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(x1));
// CHECK-LABEL: void Process() {
// CHECK-COUNT-2: AscendC::SetFlag<AscendC::HardEvent::V_MTE2>
// CHECK-COUNT-2: AscendC::SetFlag<AscendC::HardEvent::MTE3_V>
// CHECK: for (int64_t tile = 0; tile <
// CHECK-NEXT: CopyIn(tile);
// CHECK-NEXT: Compute(tile);
// CHECK-NEXT: CopyOut(tile);
// CHECK-LABEL: void CopyIn(int64_t tile) {
// CHECK: int64_t slot = tile % 2;
// CHECK: LocalTensor<half> x1Local = ub.GetWithOffset<half>(8192, slot * 16384);
// CHECK-NEXT: LocalTensor<half> x2Local = ub.GetWithOffset<half>(8192, 32768 + slot * 16384);
// CHECK-NEXT: AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(slot);
// CHECK-NEXT: AscendC::DataCopyPad(x1Local, x1Gm[offset], Row(count * 2), NoPad<half>());  // add_relu.mlir:59
// CHECK-NEXT: AscendC::DataCopyPad(x2Local, x2Gm[offset], Row(count * 2), NoPad<half>());  // add_relu.mlir:60
// CHECK-NEXT: AscendC::SetFlag<AscendC::HardEvent::MTE2_V>(slot);
// CHECK-NEXT: }
// CHECK-LABEL: void Compute(int64_t tile) {
// CHECK-NOT: offset
// CHECK: AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(slot);
// CHECK-NEXT: AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(slot);
// CHECK-NEXT: AscendC::AddRelu(yLocal, x1Local, x2Local, count);
// CHECK-NEXT: AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(slot);
// CHECK-NEXT: AscendC::SetFlag<AscendC::HardEvent::V_MTE3>(slot);
// CHECK-LABEL: void CopyOut(int64_t tile) {
// CHECK: AscendC::WaitFlag<AscendC::HardEvent::V_MTE3>(slot);
// CHECK-NEXT: AscendC::DataCopyPad(yGm[offset], yLocal, Row(count * 2));
// CHECK-NEXT: AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(slot);
// CHECK: extern "C" __global__ __aicore__ void add_relu(GM_ADDR x1, GM_ADDR x2, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
// CHECK-NEXT: #ifdef REGISTER_TILING_DEFAULT
// CHECK-NEXT: REGISTER_TILING_DEFAULT(AddReluTilingData);
// CHECK-NEXT: GET_TILING_DATA_WITH_STRUCT(AddReluTilingData, tilingData, tiling);
// CHECK: AscendC::TPipe pipe;
// CHECK-NEXT: if (TILING_KEY_IS(0)) {
// CHECK-NEXT: KernelAddReluFloat16 kernel;
// CHECK-NEXT: kernel.Init(pipe, x1, x2, y, tilingData);
// CHECK-NEXT: kernel.Process();
