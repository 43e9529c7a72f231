// Prints scalar code as text, for tests and for people: `r3 = add r1, r2`.

#ifndef OPC_LOWERING_EMIT_TILING_SCALARTEXT_H
#define OPC_LOWERING_EMIT_TILING_SCALARTEXT_H

#include "runtime/program/Bytecode.h"

#include "llvm/Support/raw_ostream.h"

namespace opc {

/// "uint32", "uint64", "float32".
llvm::StringRef tilingFieldTypeName(TilingField::Type type);
void printScalar(const ScalarInstruction &instruction, llvm::raw_ostream &os);
/// Inputs, code and outputs, one per line.
void printTiling(const TilingFunction &function, llvm::raw_ostream &os);

} // namespace opc

#endif // OPC_LOWERING_EMIT_TILING_SCALARTEXT_H
