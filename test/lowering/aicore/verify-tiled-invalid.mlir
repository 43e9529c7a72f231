// RUN: opc-opt --aicore-verify-tiled %s --split-input-file --verify-diagnostics

// The one that the others break: whole, and left alone.
func.func @good(%x: memref<?xf32>) attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "flat", te.type_row = 0 : i64,
    aicore.needs = #aicore.needs<tile_bits = 128, row_bytes = 0, second_bits = 64, second_bytes = 0, fixed_bytes = 0, buffers = 2, loads = 1, load_bytes = 4, store_bytes = 4, smallest = 4, reads_scalars = false>,
    aicore.schedule = #aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false>, aicore.tiling_key = 0 : i64, aicore.tiling_function = @tiling} {
  return
}
func.func @tiling(%blocks: index {aicore.size = #aicore.size<max_blocks>})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "tiling_key"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  return %c1, %c0 : index, index
}
// An instance without a schedule is still at `fused`.
func.func @fused(%x: memref<?xf32>) attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "flat", te.type_row = 0 : i64} {
  return
}

// -----

// Without tiled_c3 a schedule that does not fit would come back from the planner, as buffers.
// expected-error @below {{[tiled_c3] expects a tile that fits the 253952 bytes of UB on Ascend310B1, found a schedule that takes 262144}}
func.func @large(%x: memref<?xf32>) attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "flat", te.type_row = 0 : i64,
    aicore.needs = #aicore.needs<tile_bits = 128, row_bytes = 0, second_bits = 64, second_bytes = 0, fixed_bytes = 0, buffers = 2, loads = 1, load_bytes = 4, store_bytes = 4, smallest = 4, reads_scalars = false>,
    aicore.schedule = #aicore.schedule<tile = 16384, rows = 256, slots = 2, prefetch = false>, aicore.tiling_key = 0 : i64, aicore.tiling_function = @tiling} {
  return
}
func.func @tiling(%blocks: index {aicore.size = #aicore.size<max_blocks>})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "tiling_key"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  return %c1, %c0 : index, index
}

// -----

// expected-error @below {{[tiled_c4] expects an instance to have needs, a schedule, a tiling key and a tiling function}}
func.func @half(%x: memref<?xf32>) attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "flat", te.type_row = 0 : i64,
    aicore.schedule = #aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false>} {
  return
}

// -----

// expected-error @below {{[tiled_c5] expects a tiling function of the module, found '@nobody'}}
func.func @alone(%x: memref<?xf32>) attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "flat", te.type_row = 0 : i64,
    aicore.needs = #aicore.needs<tile_bits = 128, row_bytes = 0, second_bits = 64, second_bytes = 0, fixed_bytes = 0, buffers = 2, loads = 1, load_bytes = 4, store_bytes = 4, smallest = 4, reads_scalars = false>,
    aicore.schedule = #aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false>, aicore.tiling_key = 0 : i64, aicore.tiling_function = @nobody} {
  return
}

// -----

// A launch could not tell which of the kernels it takes.
// expected-note @below {{'@first' has it too}}
func.func @first(%x: memref<?xf32>) attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "flat", te.type_row = 0 : i64,
    aicore.needs = #aicore.needs<tile_bits = 128, row_bytes = 0, second_bits = 64, second_bytes = 0, fixed_bytes = 0, buffers = 2, loads = 1, load_bytes = 4, store_bytes = 4, smallest = 4, reads_scalars = false>,
    aicore.schedule = #aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false>, aicore.tiling_key = 0 : i64, aicore.tiling_function = @tiling} {
  return
}
// expected-error @below {{[tiled_c6] expects tiling keys that differ, found 0 again}}
func.func @second(%x: memref<?xf32>) attributes {te.kernel, te.phase = #te.phase<fused>, te.shape_key = "flat", te.type_row = 0 : i64,
    aicore.needs = #aicore.needs<tile_bits = 128, row_bytes = 0, second_bits = 64, second_bytes = 0, fixed_bytes = 0, buffers = 2, loads = 1, load_bytes = 4, store_bytes = 4, smallest = 4, reads_scalars = false>,
    aicore.schedule = #aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false>, aicore.tiling_key = 0 : i64, aicore.tiling_function = @tiling} {
  return
}
func.func @tiling(%blocks: index {aicore.size = #aicore.size<max_blocks>})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "tiling_key"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  return %c1, %c0 : index, index
}

// -----

// expected-error @below {{[schedule_c4] expects 'alignment' to be a power of two from 32 to 4096, found 48}}
#bad = #aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false, alignment = 48>

// -----

// A type that the chip has no functions of would be asked of every recipe.
// expected-error @below {{[schedule_c5] expects 'expansion' to be 16 or 32, found 8}}
#bad = #aicore.schedule<tile = 8192, rows = 256, slots = 2, prefetch = false, expansion = 8>
