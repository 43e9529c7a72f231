// The pipeline on the kernels of the library: each phase is reached, passes its verifier, and parses again as text. The
// order of passes is one place's business; a kernel written at `synced` goes through untouched.

// RUN: opc-opt %contract/add_relu/add_relu.aicore.mlir --aicore-pipeline=stop-after=placed | FileCheck %s --check-prefix=PLACED
// RUN: opc-opt %contract/add_relu/add_relu.aicore.mlir --aicore-pipeline=stop-after=rotated | FileCheck %s --check-prefix=ROTATED
// RUN: opc-opt %contract/add_relu/add_relu.aicore.mlir --aicore-pipeline=stop-after=planned | FileCheck %s --check-prefix=PLANNED
// RUN: opc-opt %contract/add_relu/add_relu.aicore.mlir --aicore-pipeline | FileCheck %s --check-prefix=SYNCED
// RUN: opc-opt %contract/add_relu/add_relu.aicore.mlir --aicore-pipeline | opc-opt --aicore-verify-tiling --aicore-verify-synced
// RUN: opc-opt %contract/swish/swish.aicore.mlir --aicore-pipeline=target=Ascend310B4 | opc-opt --aicore-verify-synced=target=Ascend310B4
// RUN: opc-opt %contract/add_relu/add_relu.synced.aicore.mlir -o %t.before
// RUN: opc-opt %contract/add_relu/add_relu.synced.aicore.mlir --aicore-pipeline -o %t.after
// RUN: diff %t.before %t.after
// RUN: not opc-opt %contract/add_relu/add_relu.aicore.mlir --aicore-pipeline=target=Ascend310B7 2>&1 | FileCheck %s --check-prefix=TARGET

// PLACED: #aicore.phase<placed>
// PLACED: aicore.buffer "x1" : memref<8192xf16
// ROTATED: #aicore.phase<rotated>
// ROTATED: aicore.buffer "x1" : memref<2x8192xf16
// PLANNED: #aicore.phase<planned>
// PLANNED: aicore.buffer "x1" at 0 : memref<2x8192xf16
// PLANNED: aicore.buffer "x2" at 32768
// PLANNED: aicore.buffer "y" at 65536
// PLANNED-NOT: aicore.set_flag
// SYNCED: #aicore.phase<synced>
// SYNCED-COUNT-4: aicore.set_flag
// SYNCED: scf.for
// TARGET: error: expects a chip that opc knows (Ascend310B, Ascend310B1, Ascend310B4), found 'Ascend310B7'
