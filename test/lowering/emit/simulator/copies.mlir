// Offsets of slots and tensors become byte addresses, sizes become counts, and each instruction keeps its place.
// Without this the simulator would move the wrong bytes, or name the wrong line.
// RUN: opc-translate --aicore-to-simulator %S/../Inputs/add_relu.mlir | FileCheck %s

// CHECK: program add_relu_float16 for Ascend310B1, 3 tensors
// CHECK: field 0: block_num uint32
// A field that no reader bounds takes 64 bits, a bounded one 32.
// CHECK: field 1: block_length uint64
// CHECK: field 2: tile_length uint32
// CHECK: buffer x2: 2 x 16384 bytes at 32768
// CHECK-DAG: r[[TWO:[0-9]+]] = const 2
// CHECK-DAG: r[[SLOT_BYTES:[0-9]+]] = const 16384
// CHECK-DAG: r[[X2:[0-9]+]] = const 32768
// CHECK: set_flag -> mte2 {{.*}}; add_relu.mlir:42:3
// CHECK: r[[MORE:[0-9]+]] = lt r[[TILE:[0-9]+]], r{{[0-9]+}}
// CHECK: jump_if_zero r[[MORE]],
// CHECK: r[[SLOT:[0-9]+]] = rem r[[TILE]], r[[TWO]]
// CHECK: r[[COUNT:[0-9]+]] = min
// CHECK: r[[OFFSET:[0-9]+]] = add
// CHECK: r[[GM:[0-9]+]] = mul r[[OFFSET]], r[[TWO]]
// CHECK: r[[AT:[0-9]+]] = mul r[[SLOT]], r[[SLOT_BYTES]]
// CHECK: r[[X2_AT:[0-9]+]] = add r[[X2]], r[[AT]]
// CHECK: mte2: wait_flag <- v [r[[SLOT]]]
// CHECK: mte2: load ub[x1: r[[AT]]] f16 <- gm[0: r[[GM]]] f16, count r[[COUNT]]
// CHECK: mte2: load ub[x2: r[[X2_AT]]] f16 <- gm[1: r[[GM]]] f16, count r[[COUNT]]  ; add_relu.mlir:60:5
// CHECK: v: vaddrelu ub[y: r[[Y_AT:[0-9]+]]] f16 <- ub[x1: r[[AT]]] f16 ub[x2: r[[X2_AT]]] f16, count r[[COUNT]]
// CHECK: mte3: store gm[2: r[[GM]]] f16 <- ub[y: r[[Y_AT]]] f16, count r[[COUNT]]
// CHECK: r[[TILE]] = add r[[TILE]],
// CHECK: halt
