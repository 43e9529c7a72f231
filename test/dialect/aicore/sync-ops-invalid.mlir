// RUN: opc-opt %s -split-input-file -verify-diagnostics

// A pipe that waits for its own flag waits for ever.
func.func @flag_c1(%id: index) {
  // expected-error @+1 {{[flag_c1] expects two different pipes, found 'v' twice; a pipe waits for itself with 'aicore.pipe_barrier'}}
  aicore.set_flag v -> v [%id]
  return
}

// -----

func.func @flag_c1_wait(%id: index) {
  // expected-error @+1 {{[flag_c1] expects two different pipes, found 'mte2' twice}}
  aicore.wait_flag mte2 -> mte2 [%id]
  return
}

// -----

func.func @flag_c2() {
  %id = arith.constant -1 : index
  // expected-error @+1 {{[flag_c2] expects an event id that is not negative, found -1}}
  aicore.set_flag v -> mte2 [%id]
  return
}

// -----

func.func @pipe(%id: index) {
  // expected-error @+1 {{an instruction queue of the AI Core}}
  aicore.set_flag mte4 -> v [%id]
  return
}
