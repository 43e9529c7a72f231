// RUN: opc-opt %s | opc-opt | FileCheck %s

// Every vector intrinsic in the form its table row gives: operands in the order sources, scalar, destination, scratch.

// CHECK-LABEL: func.func @unary
func.func @unary(%f32: memref<128xf32, #aicore.space<ub>>, %i16: memref<128xi16, #aicore.space<ub>>) {
  // CHECK: aicore.vexp ins(%{{.*}} : memref<128xf32, #ub>) outs(%{{.*}} : memref<128xf32, #ub>)
  aicore.vexp ins(%f32 : memref<128xf32, #aicore.space<ub>>) outs(%f32 : memref<128xf32, #aicore.space<ub>>)
  // CHECK: aicore.vln ins(%{{.*}} : memref<128xf32, #ub>) outs(%{{.*}} : memref<128xf32, #ub>)
  aicore.vln ins(%f32 : memref<128xf32, #aicore.space<ub>>) outs(%f32 : memref<128xf32, #aicore.space<ub>>)
  // CHECK: aicore.vsqrt ins(%{{.*}} : memref<128xf32, #ub>) outs(%{{.*}} : memref<128xf32, #ub>)
  aicore.vsqrt ins(%f32 : memref<128xf32, #aicore.space<ub>>) outs(%f32 : memref<128xf32, #aicore.space<ub>>)
  // CHECK: aicore.vrsqrt ins(%{{.*}} : memref<128xf32, #ub>) outs(%{{.*}} : memref<128xf32, #ub>)
  aicore.vrsqrt ins(%f32 : memref<128xf32, #aicore.space<ub>>) outs(%f32 : memref<128xf32, #aicore.space<ub>>)
  // CHECK: aicore.vrec ins(%{{.*}} : memref<128xf32, #ub>) outs(%{{.*}} : memref<128xf32, #ub>)
  aicore.vrec ins(%f32 : memref<128xf32, #aicore.space<ub>>) outs(%f32 : memref<128xf32, #aicore.space<ub>>)
  // CHECK: aicore.vrelu ins(%{{.*}} : memref<128xf32, #ub>) outs(%{{.*}} : memref<128xf32, #ub>)
  aicore.vrelu ins(%f32 : memref<128xf32, #aicore.space<ub>>) outs(%f32 : memref<128xf32, #aicore.space<ub>>)
  // CHECK: aicore.vabs ins(%{{.*}} : memref<128xf32, #ub>) outs(%{{.*}} : memref<128xf32, #ub>)
  aicore.vabs ins(%f32 : memref<128xf32, #aicore.space<ub>>) outs(%f32 : memref<128xf32, #aicore.space<ub>>)
  // CHECK: aicore.vnot ins(%{{.*}} : memref<128xi16, #ub>) outs(%{{.*}} : memref<128xi16, #ub>)
  aicore.vnot ins(%i16 : memref<128xi16, #aicore.space<ub>>) outs(%i16 : memref<128xi16, #aicore.space<ub>>)
  return
}

// CHECK-LABEL: func.func @binary
func.func @binary(%f32: memref<128xf32, #aicore.space<ub>>, %f16: memref<128xf16, #aicore.space<ub>>, %i8: memref<128xi8, #aicore.space<ub>>, %ui8: memref<128xui8, #aicore.space<ub>>, %i16: memref<128xi16, #aicore.space<ub>>, %ui16: memref<128xui16, #aicore.space<ub>>) {
  // CHECK: aicore.vadd ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, memref<128xf16, #ub>) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vadd ins(%f16, %f16 : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%f16 : memref<128xf16, #aicore.space<ub>>)
  // CHECK: aicore.vsub ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, memref<128xf16, #ub>) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vsub ins(%f16, %f16 : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%f16 : memref<128xf16, #aicore.space<ub>>)
  // CHECK: aicore.vmul ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, memref<128xf16, #ub>) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vmul ins(%f16, %f16 : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%f16 : memref<128xf16, #aicore.space<ub>>)
  // CHECK: aicore.vdiv ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, memref<128xf16, #ub>) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vdiv ins(%f16, %f16 : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%f16 : memref<128xf16, #aicore.space<ub>>)
  // CHECK: aicore.vmax ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, memref<128xf16, #ub>) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vmax ins(%f16, %f16 : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%f16 : memref<128xf16, #aicore.space<ub>>)
  // CHECK: aicore.vmin ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, memref<128xf16, #ub>) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vmin ins(%f16, %f16 : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%f16 : memref<128xf16, #aicore.space<ub>>)
  // CHECK: aicore.vaddrelu ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, memref<128xf16, #ub>) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vaddrelu ins(%f16, %f16 : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%f16 : memref<128xf16, #aicore.space<ub>>)
  // CHECK: aicore.vsubrelu ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, memref<128xf16, #ub>) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vsubrelu ins(%f16, %f16 : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%f16 : memref<128xf16, #aicore.space<ub>>)
  // CHECK: aicore.vaddrelucast ins(%{{.*}}, %{{.*}} : memref<128xf32, #ub>, memref<128xf32, #ub>) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vaddrelucast ins(%f32, %f32 : memref<128xf32, #aicore.space<ub>>, memref<128xf32, #aicore.space<ub>>) outs(%f16 : memref<128xf16, #aicore.space<ub>>)
  // CHECK: aicore.vsubrelucast ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, memref<128xf16, #ub>) outs(%{{.*}} : memref<128xi8, #ub>)
  aicore.vsubrelucast ins(%f16, %f16 : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%i8 : memref<128xi8, #aicore.space<ub>>)
  // CHECK: aicore.vmulcast ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, memref<128xf16, #ub>) outs(%{{.*}} : memref<128xui8, #ub>)
  aicore.vmulcast ins(%f16, %f16 : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%ui8 : memref<128xui8, #aicore.space<ub>>)
  // CHECK: aicore.vfma ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, memref<128xf16, #ub>) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vfma ins(%f16, %f16 : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%f16 : memref<128xf16, #aicore.space<ub>>)
  // CHECK: aicore.vmuladdrelu ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, memref<128xf16, #ub>) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vmuladdrelu ins(%f16, %f16 : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%f16 : memref<128xf16, #aicore.space<ub>>)
  // CHECK: aicore.vmuladd ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, memref<128xf16, #ub>) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vmuladd ins(%f16, %f16 : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%f16 : memref<128xf16, #aicore.space<ub>>)
  // CHECK: aicore.vand ins(%{{.*}}, %{{.*}} : memref<128xi16, #ub>, memref<128xi16, #ub>) outs(%{{.*}} : memref<128xi16, #ub>)
  aicore.vand ins(%i16, %i16 : memref<128xi16, #aicore.space<ub>>, memref<128xi16, #aicore.space<ub>>) outs(%i16 : memref<128xi16, #aicore.space<ub>>)
  // CHECK: aicore.vor ins(%{{.*}}, %{{.*}} : memref<128xui16, #ub>, memref<128xui16, #ub>) outs(%{{.*}} : memref<128xui16, #ub>)
  aicore.vor ins(%ui16, %ui16 : memref<128xui16, #aicore.space<ub>>, memref<128xui16, #aicore.space<ub>>) outs(%ui16 : memref<128xui16, #aicore.space<ub>>)
  return
}

// CHECK-LABEL: func.func @scalar
func.func @scalar(%f16: memref<128xf16, #aicore.space<ub>>, %s_f16: f16, %i16: memref<128xi16, #aicore.space<ub>>, %s_i16: i16, %i32: memref<128xi32, #aicore.space<ub>>, %s_i32: i32) {
  // CHECK: aicore.vadds ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, f16) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vadds ins(%f16, %s_f16 : memref<128xf16, #aicore.space<ub>>, f16) outs(%f16 : memref<128xf16, #aicore.space<ub>>)
  // CHECK: aicore.vmuls ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, f16) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vmuls ins(%f16, %s_f16 : memref<128xf16, #aicore.space<ub>>, f16) outs(%f16 : memref<128xf16, #aicore.space<ub>>)
  // CHECK: aicore.vmaxs ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, f16) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vmaxs ins(%f16, %s_f16 : memref<128xf16, #aicore.space<ub>>, f16) outs(%f16 : memref<128xf16, #aicore.space<ub>>)
  // CHECK: aicore.vmins ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, f16) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vmins ins(%f16, %s_f16 : memref<128xf16, #aicore.space<ub>>, f16) outs(%f16 : memref<128xf16, #aicore.space<ub>>)
  // CHECK: aicore.vleakyrelu ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, f16) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vleakyrelu ins(%f16, %s_f16 : memref<128xf16, #aicore.space<ub>>, f16) outs(%f16 : memref<128xf16, #aicore.space<ub>>)
  // CHECK: aicore.vaxpy ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, f16) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vaxpy ins(%f16, %s_f16 : memref<128xf16, #aicore.space<ub>>, f16) outs(%f16 : memref<128xf16, #aicore.space<ub>>)
  // CHECK: aicore.vshl ins(%{{.*}}, %{{.*}} : memref<128xi32, #ub>, i32) outs(%{{.*}} : memref<128xi32, #ub>)
  aicore.vshl ins(%i32, %s_i32 : memref<128xi32, #aicore.space<ub>>, i32) outs(%i32 : memref<128xi32, #aicore.space<ub>>)
  // CHECK: aicore.vshr ins(%{{.*}}, %{{.*}} : memref<128xi16, #ub>, i16) outs(%{{.*}} : memref<128xi16, #ub>)
  aicore.vshr ins(%i16, %s_i16 : memref<128xi16, #aicore.space<ub>>, i16) outs(%i16 : memref<128xi16, #aicore.space<ub>>)
  return
}

// CHECK-LABEL: func.func @cast
func.func @cast(%a: memref<128xf32, #aicore.space<ub>>, %b: memref<128xf16, #aicore.space<ub>>) {
  // CHECK: aicore.vcast ins(%{{.*}} : memref<128xf32, #ub>) outs(%{{.*}} : memref<128xf16, #ub>) round none
  aicore.vcast ins(%a : memref<128xf32, #aicore.space<ub>>) outs(%b : memref<128xf16, #aicore.space<ub>>) round none
  // CHECK: aicore.vcast ins(%{{.*}} : memref<128xf32, #ub>) outs(%{{.*}} : memref<128xf16, #ub>) round rint
  aicore.vcast ins(%a : memref<128xf32, #aicore.space<ub>>) outs(%b : memref<128xf16, #aicore.space<ub>>) round rint
  // CHECK: aicore.vcast ins(%{{.*}} : memref<128xf32, #ub>) outs(%{{.*}} : memref<128xf16, #ub>) round floor
  aicore.vcast ins(%a : memref<128xf32, #aicore.space<ub>>) outs(%b : memref<128xf16, #aicore.space<ub>>) round floor
  // CHECK: aicore.vcast ins(%{{.*}} : memref<128xf32, #ub>) outs(%{{.*}} : memref<128xf16, #ub>) round ceil
  aicore.vcast ins(%a : memref<128xf32, #aicore.space<ub>>) outs(%b : memref<128xf16, #aicore.space<ub>>) round ceil
  // CHECK: aicore.vcast ins(%{{.*}} : memref<128xf32, #ub>) outs(%{{.*}} : memref<128xf16, #ub>) round round
  aicore.vcast ins(%a : memref<128xf32, #aicore.space<ub>>) outs(%b : memref<128xf16, #aicore.space<ub>>) round round
  // CHECK: aicore.vcast ins(%{{.*}} : memref<128xf32, #ub>) outs(%{{.*}} : memref<128xf16, #ub>) round trunc
  aicore.vcast ins(%a : memref<128xf32, #aicore.space<ub>>) outs(%b : memref<128xf16, #aicore.space<ub>>) round trunc
  // CHECK: aicore.vcast ins(%{{.*}} : memref<128xf32, #ub>) outs(%{{.*}} : memref<128xf16, #ub>) round odd
  aicore.vcast ins(%a : memref<128xf32, #aicore.space<ub>>) outs(%b : memref<128xf16, #aicore.space<ub>>) round odd
  return
}

// A mask has one bit an element: 16 bytes for 128.
// CHECK-LABEL: func.func @compare
func.func @compare(%a: memref<128xf16, #aicore.space<ub>>, %m: memref<16xui8, #aicore.space<ub>>, %s: f16) {
  // CHECK: aicore.vcmp lt ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, memref<128xf16, #ub>) outs(%{{.*}} : memref<16xui8, #ub>)
  aicore.vcmp lt ins(%a, %a : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%m : memref<16xui8, #aicore.space<ub>>)
  // CHECK: aicore.vcmp gt ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, memref<128xf16, #ub>) outs(%{{.*}} : memref<16xui8, #ub>)
  aicore.vcmp gt ins(%a, %a : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%m : memref<16xui8, #aicore.space<ub>>)
  // CHECK: aicore.vcmp eq ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, memref<128xf16, #ub>) outs(%{{.*}} : memref<16xui8, #ub>)
  aicore.vcmp eq ins(%a, %a : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%m : memref<16xui8, #aicore.space<ub>>)
  // CHECK: aicore.vcmp le ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, memref<128xf16, #ub>) outs(%{{.*}} : memref<16xui8, #ub>)
  aicore.vcmp le ins(%a, %a : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%m : memref<16xui8, #aicore.space<ub>>)
  // CHECK: aicore.vcmp ge ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, memref<128xf16, #ub>) outs(%{{.*}} : memref<16xui8, #ub>)
  aicore.vcmp ge ins(%a, %a : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%m : memref<16xui8, #aicore.space<ub>>)
  // CHECK: aicore.vcmp ne ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, memref<128xf16, #ub>) outs(%{{.*}} : memref<16xui8, #ub>)
  aicore.vcmp ne ins(%a, %a : memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%m : memref<16xui8, #aicore.space<ub>>)
  // CHECK: aicore.vcmps ge ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, f16) outs(%{{.*}} : memref<16xui8, #ub>)
  aicore.vcmps ge ins(%a, %s : memref<128xf16, #aicore.space<ub>>, f16) outs(%m : memref<16xui8, #aicore.space<ub>>)
  // CHECK: aicore.vsel ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<16xui8, #ub>, memref<128xf16, #ub>, memref<128xf16, #ub>) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vsel ins(%m, %a, %a : memref<16xui8, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>) outs(%a : memref<128xf16, #aicore.space<ub>>)
  // CHECK: aicore.vsels ins(%{{.*}}, %{{.*}}, %{{.*}} : memref<16xui8, #ub>, memref<128xf16, #ub>, f16) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vsels ins(%m, %a, %s : memref<16xui8, #aicore.space<ub>>, memref<128xf16, #aicore.space<ub>>, f16) outs(%a : memref<128xf16, #aicore.space<ub>>)
  return
}

// CHECK-LABEL: func.func @reduce
func.func @reduce(%a: memref<128xf32, #aicore.space<ub>>, %y: memref<8xf32, #aicore.space<ub>>, %w: memref<64xf32, #aicore.space<ub>>) {
  // CHECK: aicore.vreduce_sum ins(%{{.*}} : memref<128xf32, #ub>) outs(%{{.*}} : memref<8xf32, #ub>) scratch(%{{.*}} : memref<64xf32, #ub>)
  aicore.vreduce_sum ins(%a : memref<128xf32, #aicore.space<ub>>) outs(%y : memref<8xf32, #aicore.space<ub>>) scratch(%w : memref<64xf32, #aicore.space<ub>>)
  %rows = arith.constant 4 : index
  // CHECK: aicore.vreduce_sum rows(%[[ROWS:.*]], %[[ROWS]]) ins(%{{.*}} : memref<128xf32, #ub>) outs(%{{.*}} : memref<8xf32, #ub>) scratch(%{{.*}} : memref<64xf32, #ub>)
  aicore.vreduce_sum rows(%rows, %rows) ins(%a : memref<128xf32, #aicore.space<ub>>) outs(%y : memref<8xf32, #aicore.space<ub>>) scratch(%w : memref<64xf32, #aicore.space<ub>>)
  // CHECK: aicore.vreduce_max ins(%{{.*}} : memref<128xf32, #ub>) outs(%{{.*}} : memref<8xf32, #ub>) scratch(%{{.*}} : memref<64xf32, #ub>)
  aicore.vreduce_max ins(%a : memref<128xf32, #aicore.space<ub>>) outs(%y : memref<8xf32, #aicore.space<ub>>) scratch(%w : memref<64xf32, #aicore.space<ub>>)
  // CHECK: aicore.vreduce_min ins(%{{.*}} : memref<128xf32, #ub>) outs(%{{.*}} : memref<8xf32, #ub>) scratch(%{{.*}} : memref<64xf32, #ub>)
  aicore.vreduce_min ins(%a : memref<128xf32, #aicore.space<ub>>) outs(%y : memref<8xf32, #aicore.space<ub>>) scratch(%w : memref<64xf32, #aicore.space<ub>>)
  return
}

// CHECK-LABEL: func.func @fill_and_move
func.func @fill_and_move(%s: f16, %x: memref<128xf16, #aicore.space<ub>>, %y: memref<128xf16, #aicore.space<ub>>, %offsets: memref<128xui32, #aicore.space<ub>>) {
  // CHECK: aicore.vbrc ins(%{{.*}} : f16) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vbrc ins(%s : f16) outs(%y : memref<128xf16, #aicore.space<ub>>)
  // CHECK: aicore.varange ins(%{{.*}} : f16) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.varange ins(%s : f16) outs(%y : memref<128xf16, #aicore.space<ub>>)
  // CHECK: aicore.vgather ins(%{{.*}}, %{{.*}} : memref<128xf16, #ub>, memref<128xui32, #ub>) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vgather ins(%x, %offsets : memref<128xf16, #aicore.space<ub>>, memref<128xui32, #aicore.space<ub>>) outs(%y : memref<128xf16, #aicore.space<ub>>)
  return
}

// Parts of a tile: whole repeats of results, but for one result a repeat.
// CHECK-LABEL: func.func @reduce_parts
func.func @reduce_parts(%x: memref<200xf32, #aicore.space<ub>>, %r: memref<4xf32, #aicore.space<ub>>, %b: memref<32xf32, #aicore.space<ub>>, %p: memref<128xf32, #aicore.space<ub>>, %h: memref<200xf16, #aicore.space<ub>>, %hp: memref<128xf16, #aicore.space<ub>>) {
  // CHECK: aicore.vreduce_repeat_sum ins(%{{.*}} : memref<200xf32, #ub>) outs(%{{.*}} : memref<4xf32, #ub>)
  aicore.vreduce_repeat_sum ins(%x : memref<200xf32, #aicore.space<ub>>) outs(%r : memref<4xf32, #aicore.space<ub>>)
  // CHECK: aicore.vreduce_repeat_max ins(%{{.*}} : memref<200xf32, #ub>) outs(%{{.*}} : memref<4xf32, #ub>)
  aicore.vreduce_repeat_max ins(%x : memref<200xf32, #aicore.space<ub>>) outs(%r : memref<4xf32, #aicore.space<ub>>)
  // CHECK: aicore.vreduce_repeat_min ins(%{{.*}} : memref<200xf32, #ub>) outs(%{{.*}} : memref<4xf32, #ub>)
  aicore.vreduce_repeat_min ins(%x : memref<200xf32, #aicore.space<ub>>) outs(%r : memref<4xf32, #aicore.space<ub>>)
  // CHECK: aicore.vreduce_block_sum ins(%{{.*}} : memref<200xf32, #ub>) outs(%{{.*}} : memref<32xf32, #ub>)
  aicore.vreduce_block_sum ins(%x : memref<200xf32, #aicore.space<ub>>) outs(%b : memref<32xf32, #aicore.space<ub>>)
  // CHECK: aicore.vreduce_block_max ins(%{{.*}} : memref<200xf32, #ub>) outs(%{{.*}} : memref<32xf32, #ub>)
  aicore.vreduce_block_max ins(%x : memref<200xf32, #aicore.space<ub>>) outs(%b : memref<32xf32, #aicore.space<ub>>)
  // CHECK: aicore.vreduce_block_min ins(%{{.*}} : memref<200xf32, #ub>) outs(%{{.*}} : memref<32xf32, #ub>)
  aicore.vreduce_block_min ins(%x : memref<200xf32, #aicore.space<ub>>) outs(%b : memref<32xf32, #aicore.space<ub>>)
  // CHECK: aicore.vreduce_pair_sum ins(%{{.*}} : memref<200xf32, #ub>) outs(%{{.*}} : memref<128xf32, #ub>)
  aicore.vreduce_pair_sum ins(%x : memref<200xf32, #aicore.space<ub>>) outs(%p : memref<128xf32, #aicore.space<ub>>)
  // CHECK: aicore.vreduce_pair_sum ins(%{{.*}} : memref<200xf16, #ub>) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vreduce_pair_sum ins(%h : memref<200xf16, #aicore.space<ub>>) outs(%hp : memref<128xf16, #aicore.space<ub>>)
  return
}

// Calls composed of others take bytes of scratch.
// CHECK-LABEL: func.func @composed
func.func @composed(%x: memref<128xf32, #aicore.space<ub>>, %y: memref<128xf32, #aicore.space<ub>>, %i: memref<128xi16, #aicore.space<ub>>, %j: memref<128xi16, #aicore.space<ub>>, %w: memref<2048xui8, #aicore.space<ub>>) {
  // CHECK: aicore.vfloor ins(%{{.*}} : memref<128xf32, #ub>) outs(%{{.*}} : memref<128xf32, #ub>) scratch(%{{.*}} : memref<2048xui8, #ub>)
  aicore.vfloor ins(%x : memref<128xf32, #aicore.space<ub>>) outs(%y : memref<128xf32, #aicore.space<ub>>) scratch(%w : memref<2048xui8, #aicore.space<ub>>)
  // CHECK: aicore.vxor ins(%{{.*}}, %{{.*}} : memref<128xi16, #ub>, memref<128xi16, #ub>) outs(%{{.*}} : memref<128xi16, #ub>) scratch(%{{.*}} : memref<2048xui8, #ub>)
  aicore.vxor ins(%i, %i : memref<128xi16, #aicore.space<ub>>, memref<128xi16, #aicore.space<ub>>) outs(%j : memref<128xi16, #aicore.space<ub>>) scratch(%w : memref<2048xui8, #aicore.space<ub>>)
  return
}

// CHECK-LABEL: func.func @moves
func.func @moves(%x: memref<256xf16, #aicore.space<ub>>, %y: memref<256xf16, #aicore.space<ub>>, %m: memref<32xui8, #aicore.space<ub>>, %half: memref<128xf16, #aicore.space<ub>>, %quarter: memref<64xf16, #aicore.space<ub>>, %o: memref<256xui32, #aicore.space<ub>>, %table: memref<300xf16, #aicore.space<ub>>, %any: memref<?xf16, strided<[1]>, #aicore.space<ub>>, %other: memref<?xf16, strided<[1]>, #aicore.space<ub>>) {
  // CHECK: aicore.vcopy ins(%{{.*}} : memref<256xf16, #ub>) outs(%{{.*}} : memref<256xf16, #ub>)
  aicore.vcopy ins(%x : memref<256xf16, #aicore.space<ub>>) outs(%y : memref<256xf16, #aicore.space<ub>>)
  // CHECK: aicore.vgather_mask ins(%{{.*}}, %{{.*}} : memref<32xui8, #ub>, memref<256xf16, #ub>) outs(%{{.*}} : memref<256xf16, #ub>)
  aicore.vgather_mask ins(%m, %x : memref<32xui8, #aicore.space<ub>>, memref<256xf16, #aicore.space<ub>>) outs(%y : memref<256xf16, #aicore.space<ub>>)
  // CHECK: aicore.vgather_pattern even ins(%{{.*}} : memref<256xf16, #ub>) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vgather_pattern even ins(%x : memref<256xf16, #aicore.space<ub>>) outs(%half : memref<128xf16, #aicore.space<ub>>)
  // CHECK: aicore.vgather_pattern odd ins(%{{.*}} : memref<256xf16, #ub>) outs(%{{.*}} : memref<128xf16, #ub>)
  aicore.vgather_pattern odd ins(%x : memref<256xf16, #aicore.space<ub>>) outs(%half : memref<128xf16, #aicore.space<ub>>)
  // CHECK: aicore.vgather_pattern first ins(%{{.*}} : memref<256xf16, #ub>) outs(%{{.*}} : memref<64xf16, #ub>)
  aicore.vgather_pattern first ins(%x : memref<256xf16, #aicore.space<ub>>) outs(%quarter : memref<64xf16, #aicore.space<ub>>)
  // CHECK: aicore.vgather_pattern second ins(%{{.*}} : memref<256xf16, #ub>) outs(%{{.*}} : memref<64xf16, #ub>)
  aicore.vgather_pattern second ins(%x : memref<256xf16, #aicore.space<ub>>) outs(%quarter : memref<64xf16, #aicore.space<ub>>)
  // CHECK: aicore.vgather_pattern third ins(%{{.*}} : memref<256xf16, #ub>) outs(%{{.*}} : memref<64xf16, #ub>)
  aicore.vgather_pattern third ins(%x : memref<256xf16, #aicore.space<ub>>) outs(%quarter : memref<64xf16, #aicore.space<ub>>)
  // CHECK: aicore.vgather_pattern fourth ins(%{{.*}} : memref<256xf16, #ub>) outs(%{{.*}} : memref<64xf16, #ub>)
  aicore.vgather_pattern fourth ins(%x : memref<256xf16, #aicore.space<ub>>) outs(%quarter : memref<64xf16, #aicore.space<ub>>)
  // CHECK: aicore.vgather_pattern all ins(%{{.*}} : memref<256xf16, #ub>) outs(%{{.*}} : memref<256xf16, #ub>)
  aicore.vgather_pattern all ins(%x : memref<256xf16, #aicore.space<ub>>) outs(%y : memref<256xf16, #aicore.space<ub>>)
  // CHECK: aicore.vscatter ins(%{{.*}}, %{{.*}} : memref<256xf16, #ub>, memref<256xui32, #ub>) outs(%{{.*}} : memref<300xf16, #ub>)
  aicore.vscatter ins(%x, %o : memref<256xf16, #aicore.space<ub>>, memref<256xui32, #aicore.space<ub>>) outs(%table : memref<300xf16, #aicore.space<ub>>)
  // CHECK: aicore.vtranspose ins(%{{.*}} : memref<256xf16, #ub>) outs(%{{.*}} : memref<256xf16, #ub>)
  aicore.vtranspose ins(%x : memref<256xf16, #aicore.space<ub>>) outs(%x : memref<256xf16, #aicore.space<ub>>)
  // CHECK: aicore.vtrans5hd ins(%{{.*}} : memref<256xf16, #ub>) outs(%{{.*}} : memref<256xf16, #ub>)
  aicore.vtrans5hd ins(%x : memref<256xf16, #aicore.space<ub>>) outs(%y : memref<256xf16, #aicore.space<ub>>)
  // Lengths that types leave open are judged when the kernel is placed.
  // CHECK: aicore.vreduce_repeat_max ins(%{{.*}} : memref<?xf16, strided<[1]>, #ub>) outs(%{{.*}} : memref<?xf16, strided<[1]>, #ub>)
  aicore.vreduce_repeat_max ins(%any : memref<?xf16, strided<[1]>, #aicore.space<ub>>) outs(%other : memref<?xf16, strided<[1]>, #aicore.space<ub>>)
  return
}

// Pairs of eight bytes: two elements of f32, four of f16.
// CHECK-LABEL: func.func @sort
func.func @sort(%x: memref<64xf32, #aicore.space<ub>>, %i: memref<64xui32, #aicore.space<ub>>, %p: memref<128xf32, #aicore.space<ub>>, %h: memref<64xf16, #aicore.space<ub>>, %hp: memref<256xf16, #aicore.space<ub>>, %two: memref<256xf32, #aicore.space<ub>>, %four: memref<448xf32, #aicore.space<ub>>) {
  // CHECK: aicore.vsort32 ins(%{{.*}}, %{{.*}} : memref<64xf32, #ub>, memref<64xui32, #ub>) outs(%{{.*}} : memref<128xf32, #ub>)
  aicore.vsort32 ins(%x, %i : memref<64xf32, #aicore.space<ub>>, memref<64xui32, #aicore.space<ub>>) outs(%p : memref<128xf32, #aicore.space<ub>>)
  // CHECK: aicore.vsort32 ins(%{{.*}}, %{{.*}} : memref<64xf32, #ub>, memref<64xf32, #ub>) outs(%{{.*}} : memref<128xf32, #ub>)
  aicore.vsort32 ins(%x, %x : memref<64xf32, #aicore.space<ub>>, memref<64xf32, #aicore.space<ub>>) outs(%p : memref<128xf32, #aicore.space<ub>>)
  // CHECK: aicore.vsort32 ins(%{{.*}}, %{{.*}} : memref<64xf16, #ub>, memref<64xui32, #ub>) outs(%{{.*}} : memref<256xf16, #ub>)
  aicore.vsort32 ins(%h, %i : memref<64xf16, #aicore.space<ub>>, memref<64xui32, #aicore.space<ub>>) outs(%hp : memref<256xf16, #aicore.space<ub>>)
  // CHECK: aicore.vmrgsort ins(%{{.*}}, %{{.*}} : memref<128xf32, #ub>, memref<128xf32, #ub>) outs(%{{.*}} : memref<256xf32, #ub>)
  aicore.vmrgsort ins(%p, %p : memref<128xf32, #aicore.space<ub>>, memref<128xf32, #aicore.space<ub>>) outs(%two : memref<256xf32, #aicore.space<ub>>)
  // CHECK: aicore.vmrgsort ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : memref<128xf32, #ub>, memref<128xf32, #ub>, memref<64xf32, #ub>, memref<128xf32, #ub>) outs(%{{.*}} : memref<448xf32, #ub>)
  aicore.vmrgsort ins(%p, %p, %x, %p : memref<128xf32, #aicore.space<ub>>, memref<128xf32, #aicore.space<ub>>, memref<64xf32, #aicore.space<ub>>, memref<128xf32, #aicore.space<ub>>) outs(%four : memref<448xf32, #aicore.space<ub>>)
  return
}

// CHECK-LABEL: func.func @rows
func.func @rows(%tile: memref<?xf32, #aicore.space<ub>>, %blocks: memref<?xf32, #aicore.space<ub>>, %row: memref<13xf32, #aicore.space<ub>>, %one: memref<8xf32, #aicore.space<ub>>, %places: memref<?xi32, #aicore.space<ub>>) {
  // CHECK: aicore.vadd rows ins(%{{.*}}, %{{.*}} : memref<?xf32, #ub>, memref<?xf32, #ub>) outs(%{{.*}} : memref<?xf32, #ub>)
  aicore.vadd rows ins(%tile, %blocks : memref<?xf32, #aicore.space<ub>>, memref<?xf32, #aicore.space<ub>>) outs(%tile : memref<?xf32, #aicore.space<ub>>)
  // CHECK: aicore.vsub rows ins(%{{.*}}, %{{.*}} : memref<?xf32, #ub>, memref<?xf32, #ub>) outs(%{{.*}} : memref<?xf32, #ub>)
  aicore.vsub rows ins(%tile, %blocks : memref<?xf32, #aicore.space<ub>>, memref<?xf32, #aicore.space<ub>>) outs(%tile : memref<?xf32, #aicore.space<ub>>)
  // CHECK: aicore.vmul rows ins(%{{.*}}, %{{.*}} : memref<?xf32, #ub>, memref<?xf32, #ub>) outs(%{{.*}} : memref<?xf32, #ub>)
  aicore.vmul rows ins(%tile, %blocks : memref<?xf32, #aicore.space<ub>>, memref<?xf32, #aicore.space<ub>>) outs(%tile : memref<?xf32, #aicore.space<ub>>)
  // CHECK: aicore.vdiv rows ins(%{{.*}}, %{{.*}} : memref<?xf32, #ub>, memref<?xf32, #ub>) outs(%{{.*}} : memref<?xf32, #ub>)
  aicore.vdiv rows ins(%tile, %blocks : memref<?xf32, #aicore.space<ub>>, memref<?xf32, #aicore.space<ub>>) outs(%tile : memref<?xf32, #aicore.space<ub>>)
  // CHECK: aicore.vmax rows ins(%{{.*}}, %{{.*}} : memref<?xf32, #ub>, memref<?xf32, #ub>) outs(%{{.*}} : memref<?xf32, #ub>)
  aicore.vmax rows ins(%tile, %blocks : memref<?xf32, #aicore.space<ub>>, memref<?xf32, #aicore.space<ub>>) outs(%tile : memref<?xf32, #aicore.space<ub>>)
  // CHECK: aicore.vmin rows ins(%{{.*}}, %{{.*}} : memref<?xf32, #ub>, memref<?xf32, #ub>) outs(%{{.*}} : memref<?xf32, #ub>)
  aicore.vmin rows ins(%tile, %blocks : memref<?xf32, #aicore.space<ub>>, memref<?xf32, #aicore.space<ub>>) outs(%tile : memref<?xf32, #aicore.space<ub>>)
  // One row may have any length.
  // CHECK: aicore.vadd rows ins(%{{.*}}, %{{.*}} : memref<13xf32, #ub>, memref<8xf32, #ub>) outs(%{{.*}} : memref<13xf32, #ub>)
  aicore.vadd rows ins(%row, %one : memref<13xf32, #aicore.space<ub>>, memref<8xf32, #aicore.space<ub>>) outs(%row : memref<13xf32, #aicore.space<ub>>)
  // Offsets may have a sign.
  // CHECK: aicore.vgather ins(%{{.*}}, %{{.*}} : memref<13xf32, #ub>, memref<?xi32, #ub>) outs(%{{.*}} : memref<?xf32, #ub>)
  aicore.vgather ins(%row, %places : memref<13xf32, #aicore.space<ub>>, memref<?xi32, #aicore.space<ub>>) outs(%tile : memref<?xf32, #aicore.space<ub>>)
  return
}
