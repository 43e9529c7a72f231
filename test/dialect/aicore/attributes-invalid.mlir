// RUN: opc-opt %s -split-input-file -verify-diagnostics

// A kernel writes into its output tensors; nobody would receive a result.
// expected-error @+1 {{[kernel_c1] expects a kernel to return nothing, found 1 results}}
func.func @kernel_c1() -> index attributes {aicore.kernel} {
  %c0 = arith.constant 0 : index
  return %c0 : index
}

// -----

// expected-error @+1 {{[kernel_c2] expects arguments of a kernel to be memrefs in gm, then scalars of a number type; argument 0 is 'index'}}
func.func @kernel_c2(%n: index) attributes {aicore.kernel} {
  return
}

// -----

// Positions of tensors are positions in the launch: a scalar between them would shift them.
// expected-error @+1 {{[kernel_c2] expects memrefs before scalars; argument 1 is a memref after a scalar}}
func.func @kernel_c2_order(%a: f32, %x: memref<?xf16, #aicore.space<gm>>) attributes {aicore.kernel} {
  return
}

// -----

// expected-error @+1 {{[kernel_c3] expects tensors as memref<?xT, #aicore.space<gm>>; argument 0 is}}
func.func @kernel_c3(%x: memref<?xf16, #aicore.space<ub>>) attributes {aicore.kernel} {
  return
}

// -----

// expected-error @+1 {{[kernel_c3] expects tensors as memref<?xT, #aicore.space<gm>>; argument 0 is}}
func.func @kernel_c3_rank(%x: memref<?x?xf16, #aicore.space<gm>>) attributes {aicore.kernel} {
  return
}

// -----

// expected-error @+1 {{[tiling_c1] expects arguments of a tiling function to be index; argument 0 is 'i64'}}
func.func @tiling_c1(%n: i64) attributes {aicore.tiling} {
  return
}

// -----

// expected-error @+1 {{[tiling_c2] expects each argument of a tiling function to say which size it receives (aicore.size); argument 0 does not}}
func.func @tiling_c2(%n: index) -> (index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  return %n : index
}

// -----

// expected-error @+1 {{[tiling_c3] expects each result of a tiling function to have a name (aicore.name); result 0 has none}}
func.func @tiling_c3(%n: index {aicore.size = #aicore.size<max_blocks>}) -> index attributes {aicore.tiling} {
  return %n : index
}

// -----

// expected-error @+1 {{[tiling_c3] expects results of different names, found "block_num" twice}}
func.func @tiling_c3_twice(%n: index {aicore.size = #aicore.size<max_blocks>})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "block_num"}) attributes {aicore.tiling} {
  return %n, %n : index, index
}

// -----

// The launch reads the number of blocks from the first field.
// expected-error @+1 {{[tiling_c4] expects the first result of a tiling function to be "block_num"}}
func.func @tiling_c4(%n: index {aicore.size = #aicore.size<max_blocks>}) -> (index {aicore.name = "n"}) attributes {aicore.tiling} {
  return %n : index
}

// -----

// expected-error @+1 {{[tiling_c4] expects the first result of a tiling function to be "block_num"}}
func.func @tiling_c4_none() attributes {aicore.tiling} {
  return
}

// -----

// expected-error @+1 {{[function_c1] expects 'aicore.kernel' on a function}}
"builtin.module"() ({}) {aicore.kernel} : () -> ()

// -----

// expected-error @+1 {{[function_c2] expects 'aicore.phase' to be an #aicore.phase}}
func.func @function_c2() attributes {aicore.phase = 1 : i32} {
  return
}

// -----

// expected-error @+1 {{[function_c2] expects 'aicore.tiling_function' to name a function}}
func.func @function_c2_name() attributes {aicore.tiling_function = "t"} {
  return
}

// -----

// Each attribute says what it is itself.
// expected-error @+1 {{[function_c2] expects 'aicore.tiling_key' to be an integer}}
func.func @function_c2_key() attributes {aicore.tiling_key = "1"} {
  return
}

// -----

// What --explain-schedule prints.
// expected-error @+1 {{[function_c2] expects 'aicore.event_ids' to be a string}}
func.func @function_c2_event_ids() attributes {aicore.event_ids = 6 : i64} {
  return
}

// -----

// A kernel has direct flags between FIX and V, or says nothing.
// expected-error @+1 {{[function_c2] expects 'aicore.fix_to_v' to be "direct"}}
func.func @function_c2_fix_to_v() attributes {aicore.fix_to_v = "relay"} {
  return
}

// -----

// expected-error @+1 {{[function_c2] expects 'aicore.needs' to be an #aicore.needs}}
func.func @function_c2_needs() attributes {aicore.needs = 96 : i64} {
  return
}

// -----

// Passes take the first of them.
// expected-error @+1 {{[function_c2] expects 'aicore.needs_variants' to be a list of #aicore.needs, at least one}}
func.func @function_c2_variants() attributes {aicore.needs_variants = []} {
  return
}

// -----

// expected-error @+1 {{[function_c2] expects 'aicore.needs_of_left' to be an #aicore.needs}}
func.func @function_c2_left() attributes {aicore.needs_of_left = 1} {
  return
}

// -----

// expected-error @+1 {{[function_c2] expects 'aicore.needs_of_right' to be an #aicore.needs}}
func.func @function_c2_right() attributes {aicore.needs_of_right = [1]} {
  return
}

// -----

// expected-error @+1 {{[function_c2] expects 'aicore.needs_variants' to be a list of #aicore.needs, at least one}}
func.func @function_c2_variant() attributes {aicore.needs_variants = [1]} {
  return
}

// -----

// expected-error @+1 {{[function_c2] expects 'aicore.schedule' to be an #aicore.schedule}}
func.func @function_c2_schedule() attributes {aicore.schedule} {
  return
}

// -----

// A misspelt attribute would be ignored without a word.
// expected-error @+1 {{[function_c3] has an unknown attribute 'aicore.kernal'}}
func.func @function_c3() attributes {aicore.kernal} {
  return
}

// -----

// expected-error @+1 {{[function_c4] expects 'aicore.name' to be a string}}
func.func @function_c4(%n: index {aicore.name = 1 : i32}) {
  return
}

// -----

// expected-error @+1 {{[size_c1] expects 'num_elements' of a tensor: of "name"}}
func.func @size_c1(%n: index {aicore.size = #aicore.size<num_elements>}) {
  return
}

// -----

// expected-error @+1 {{[size_c1] expects 'max_blocks' without a tensor}}
func.func @size_c1_blocks(%n: index {aicore.size = #aicore.size<max_blocks of "x">}) {
  return
}

// -----

// expected-error @+1 {{[size_c2] expects a dimension from -8 to 7, found 8}}
func.func @size_c2(%n: index {aicore.size = #aicore.size<dim 8 of "x">}) {
  return
}

// -----

// Tiles are counted in whole vectors of every element type.
// expected-error @+1 {{[schedule_c1] expects 'tile' to be a multiple of 256, from 256 to 1048576, found 300}}
func.func @schedule_c1() attributes {s = #aicore.schedule<tile = 300, rows = 1, slots = 2, prefetch = false>} {
  return
}

// -----

// More rows than a copy moves at once.
// expected-error @+1 {{[schedule_c2] expects 'rows' from 1 to 4095, found 4096}}
func.func @schedule_c2() attributes {s = #aicore.schedule<tile = 512, rows = 4096, slots = 2, prefetch = false>} {
  return
}

// -----

// A load of the next tile into the only slot would overwrite this one.
// expected-error @+1 {{[schedule_c3] expects 'slots' to be 1 or 2, and 2 with 'prefetch', found 1}}
func.func @schedule_c3() attributes {s = #aicore.schedule<tile = 512, rows = 1, slots = 1, prefetch = true>} {
  return
}
