// RUN: opc-opt %s -canonicalize -cse | opc-opt | FileCheck %s

// Flags and barriers print as one line each: tools that count or delete lines rely on it.
// CHECK-LABEL: func.func @flags
func.func @flags(%slot: index) {
  // CHECK-NEXT: aicore.set_flag mte2 -> v [%{{.*}}]{{$}}
  aicore.set_flag mte2 -> v [%slot]
  // CHECK-NEXT: aicore.wait_flag mte2 -> v [%{{.*}}]{{$}}
  aicore.wait_flag mte2 -> v [%slot]
  // CHECK-NEXT: aicore.pipe_barrier v{{$}}
  aicore.pipe_barrier v
  // CHECK-NEXT: aicore.pipe_barrier mte3{{$}}
  aicore.pipe_barrier mte3
  return
}

// Nothing removes or merges flags and barriers, however alike they look.
// CHECK-LABEL: func.func @twice
// CHECK-COUNT-2: aicore.pipe_barrier v
func.func @twice() {
  aicore.pipe_barrier v
  aicore.pipe_barrier v
  return
}
