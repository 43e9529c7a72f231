// Readable names in printed C++.
//
// EmitC's printer calls values v1, v2 and reads no names. So the module carries markers, lines of text in which the
// printer fills in what it calls a value; after printing, one pass over the text renames and takes the lines out.
//
//     int64_t v3 = i2 % 2;                          int64_t slot = tile % 2;
//     //@name v3 slot                       ->
//     //@at add_relu.aicore.mlir:56                 AscendC::Relu(y, x, count);  // add_relu.aicore.mlir:56
//     AscendC::Relu(v4, v5, v6);
//     int64_t v7 = Min(v3, 4);                      count = Min(slot, 4);
//     //@field v7 count
//
// Lines for the preprocessor start at the first column.
//
// A name holds from the start to the end of the function that its marker stands in. `return;` at the end of
// a function goes.

#ifndef OPC_LOWERING_EMIT_CPP_MARKERS_H
#define OPC_LOWERING_EMIT_CPP_MARKERS_H

#include "lowering/diagnostic/Origin.h"

#include "mlir/IR/Builders.h"

#include <string>

namespace opc {

/// The value is printed as `name`. It must not be one that is folded into an expression.
void markName(mlir::OpBuilder &builder, mlir::Value value, llvm::StringRef name);
/// The value is assigned to the field `name` instead of being declared.
void markField(mlir::OpBuilder &builder, mlir::Value value, llvm::StringRef name);
/// The next statement comes from this place; nothing when it is not known.
void markPlace(mlir::OpBuilder &builder, const Origin &origin);

/// The text without markers.
std::string resolveMarkers(llvm::StringRef text);

} // namespace opc

#endif // OPC_LOWERING_EMIT_CPP_MARKERS_H
