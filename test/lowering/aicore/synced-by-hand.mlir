// AddRelu at phase `synced`, written by hand, passes the verifier at both types, and every line of it is needed: the
// verifier does not lean on anything that the passes would have left behind.

// RUN: opc-opt %contract/add_relu/add_relu.synced.aicore.mlir --aicore-verify-tiling --aicore-verify-synced
// RUN: sed 's/^!T = f16/!T = f32/' %contract/add_relu/add_relu.synced.aicore.mlir | opc-opt --aicore-verify-synced
// RUN: sed '/aicore.wait_flag mte3 -> v \[%%slot\]/d' %contract/add_relu/add_relu.synced.aicore.mlir | not opc-opt --aicore-verify-synced 2>&1 | FileCheck %s --check-prefix=WAIT
// RUN: sed 's/"y" at 65536/"y" at 32800/' %contract/add_relu/add_relu.synced.aicore.mlir | not opc-opt --aicore-verify-synced 2>&1 | FileCheck %s --check-prefix=ADDRESS
// RUN: sed 's/"y" at 65536/"y" at 32768/' %contract/add_relu/add_relu.synced.aicore.mlir | not opc-opt --aicore-verify-synced 2>&1 | FileCheck %s --check-prefix=OVER
// RUN: sed 's/x1_slots\[%%slot/x1_slots[%%c0/' %contract/add_relu/add_relu.synced.aicore.mlir | not opc-opt --aicore-verify-synced 2>&1 | FileCheck %s --check-prefix=SLOT

// WAIT: error: [sync_c4] expects a flag to be set only after the wait for its previous set; the flag mte3 -> v, id 0
// ADDRESS: error: [plan_c3] expects buffers that are live at the same time to share no bytes; 'y' is at 32800 to 49183, 'x2' at 32768 to 49151
// A result over an operand is fine, but not with the flags of one that lies apart.
// OVER: error: [sync_c1] expects accesses to one byte to be ordered by flags or barriers; 'aicore.store' of iteration 0 on pipe mte3 touches 'y' and nothing makes it come after 'aicore.load' of iteration 2 on pipe mte2
// SLOT: error: [sync_c1] expects accesses to one byte to be ordered by flags or barriers; 'aicore.load' of iteration 1 on pipe mte2 touches 'x1' and nothing makes it come after 'aicore.load' of iteration 0 on pipe mte2
// SLOT-NOT: error:
