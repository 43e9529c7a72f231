// Loops that carry values, branches with results, comparisons the machine lacks, launch attributes, scalar reads and writes.
// Without this a loop that swaps what it carries would lose a value, or a branch fall through.
// RUN: opc-translate --aicore-to-simulator %s | FileCheck %s

#gm = #aicore.space<gm>
#ub = #aicore.space<ub>

func.func @k_tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">})
    -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
  %c1 = arith.constant 1 : index
  return %c1, %n : index, index
}

// CHECK: field 2: beta float32
// CHECK: field 3: times uint64
func.func @k(%x: memref<?xf32, #gm> {aicore.name = "x"}, %beta: f32 {aicore.name = "beta"},
             %times: i64 {aicore.name = "times"})
    attributes {aicore.kernel, aicore.phase = #aicore.phase<synced>, aicore.tiling_function = @k_tiling} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant -2.0 : f32
  %b = aicore.buffer "b" at 64 : memref<64xf32, #ub>
  // CHECK-DAG: r[[ZERO:[0-9]+]] = const 0
  // CHECK-DAG: r[[MINUS_TWO:[0-9]+]] = const 3221225472
  // CHECK: r[[BETA:[0-9]+]] = param 2
  // CHECK: r[[TIMES:[0-9]+]] = param 3
  // CHECK: r[[N:[0-9]+]] = param 1
  %n = aicore.tiling_data "n" : index
  %limit = arith.index_cast %times : i64 to index
  // CHECK: r[[A:[0-9]+]] = min r[[N]], r[[N]]
  // CHECK: r[[B:[0-9]+]] = min r[[TIMES]], r[[TIMES]]
  // CHECK: lt r{{[0-9]+}}, r[[TIMES]]
  %a, %other = scf.for %i = %c0 to %limit step %c1 iter_args(%p = %n, %q = %limit) -> (index, index) {
    // CHECK: r[[GREATER:[0-9]+]] = lt r[[B]], r[[A]]
    // CHECK: r[[NOT_GREATER:[0-9]+]] = eq r[[GREATER]], r[[ZERO]]
    // CHECK: jump_if_zero r[[NOT_GREATER]], [[ELSE:[0-9]+]]
    %le = arith.cmpi sle, %p, %q : index
    %value = scf.if %le -> f32 {
      // CHECK: r[[NEGATED:[0-9]+]] = fneg r[[BETA]]
      // CHECK: r[[VALUE:[0-9]+]] = min r[[NEGATED]], r[[NEGATED]]
      // CHECK: jump [[END:[0-9]+]]
      %negated = arith.negf %beta : f32
      scf.yield %negated : f32
    } else {
      // CHECK: [[ELSE]]: r[[READ:[0-9]+]] = read s: ub[b: r{{[0-9]+}}] f32
      // CHECK: r[[VALUE]] = min r[[READ]], r[[READ]]
      %read = aicore.scalar_read %b[%c5] : memref<64xf32, #ub>
      scf.yield %read : f32
    }
    // CHECK: [[END]]: r[[SUM:[0-9]+]] = fadd r[[VALUE]], r[[MINUS_TWO]]
    %sum = arith.addf %value, %zero : f32
    // CHECK: issue s: scalar_write ub[b: r{{[0-9]+}}] f32 <- r[[SUM]]
    aicore.scalar_write %sum, %b[%c5] : memref<64xf32, #ub>
    // CHECK: v: vadds {{.*}} scalar r[[SUM]]
    aicore.vadds ins(%b, %sum : memref<64xf32, #ub>, f32) outs(%b : memref<64xf32, #ub>)
    // The swap goes through copies.
    // CHECK: r[[SAVED_B:[0-9]+]] = min r[[B]], r[[B]]
    // CHECK: r[[SAVED_A:[0-9]+]] = min r[[A]], r[[A]]
    // CHECK: r[[A]] = min r[[SAVED_B]]
    // CHECK: r[[B]] = min r[[SAVED_A]]
    scf.yield %q, %p : index, index
  }
  return
}
