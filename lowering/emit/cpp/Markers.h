// Readable names in printed C++.
//
// EmitC's printer names values v1, v2 and ignores names in the IR. So the module carries markers: lines of text in
// which the printer fills in its name for a value. After printing, a pass over the text renames the values and
// removes the markers.
//
//     int64_t v3 = i2 % 2;                          int64_t slot = tile % 2;
//     //@name v3 slot                       ->
//     //@at add_relu.aicore.mlir:56                 AscendC::Relu(y, x, count);  // add_relu.aicore.mlir:56
//     AscendC::Relu(v4, v5, v6);
//     int64_t v7 = Min(v3, 4);                      count = Min(slot, 4);
//     //@field v7 count
//
// Lines for the preprocessor start in the first column.
//
// A name is valid in the whole function that contains its marker. `return;` at the end of a function is removed.

#ifndef OPC_LOWERING_EMIT_CPP_MARKERS_H
#define OPC_LOWERING_EMIT_CPP_MARKERS_H

#include "lowering/diagnostic/Origin.h"

#include "mlir/IR/Builders.h"

#include <string>

namespace opc {

/// Prints the value as `name`. The value must not be folded into an expression.
void markName(mlir::OpBuilder &builder, mlir::Value value, llvm::StringRef name);
/// Assigns the value to the field `name` instead of declaring it.
void markField(mlir::OpBuilder &builder, mlir::Value value, llvm::StringRef name);
/// States the origin of the next statement; nothing if it is unknown.
void markPlace(mlir::OpBuilder &builder, const Origin &origin);

/// Applies the markers and returns the text without them.
std::string resolveMarkers(llvm::StringRef text);

} // namespace opc

#endif // OPC_LOWERING_EMIT_CPP_MARKERS_H
