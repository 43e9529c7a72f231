// RUN: opc-opt %s | opc-opt | FileCheck %s

// Spaces print as aliases: they are in most types of what `--stop-after` shows.
// CHECK-LABEL: func.func private @spaces
// CHECK-SAME: #gm
// CHECK-SAME: #ub
// CHECK-SAME: #l1
// CHECK-SAME: #l1_nz
// CHECK-SAME: #l0a_zz
// CHECK-SAME: #l0b_zn
// CHECK-SAME: #l0c_nz
// CHECK-SAME: #bt
func.func private @spaces(memref<1xf16, #aicore.space<gm>>, memref<1xf16, #aicore.space<ub>>, memref<1xf16, #aicore.space<l1>>,
                          memref<1xf16, #aicore.space<l1, nz>>, memref<1xf16, #aicore.space<l0a, zz>>,
                          memref<1xf16, #aicore.space<l0b, zn>>, memref<1xf16, #aicore.space<l0c, nz>>, memref<1xf16, #aicore.space<bt>>)

// Every size a launch can give.
// CHECK-LABEL: func.func @tiling
// CHECK-SAME: #aicore.size<num_elements of "x">
// CHECK-SAME: #aicore.size<dim -1 of "x">
// CHECK-SAME: #aicore.size<dim 3 of "x">
// CHECK-SAME: #aicore.size<rank of "x">
// CHECK-SAME: #aicore.size<max_blocks>
func.func @tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">}, %last: index {aicore.size = #aicore.size<dim -1 of "x">},
                  %d3: index {aicore.size = #aicore.size<dim 3 of "x">}, %rank: index {aicore.size = #aicore.size<rank of "x">},
                  %blocks: index {aicore.size = #aicore.size<max_blocks>})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  return %blocks, %n : index, index
}

// CHECK-LABEL: func.func @kernel
// CHECK-SAME: attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @tiling}
func.func @kernel(%x: memref<?xf16, #aicore.space<gm>> {aicore.name = "x"}, %beta: f32)
    attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @tiling} {
  return
}
