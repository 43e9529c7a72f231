// Queries on memrefs that passes, verifiers and emitters share: memory space, element types, which operands an
// op accesses.

#ifndef OPC_DIALECT_AICORE_TILES_H
#define OPC_DIALECT_AICORE_TILES_H

#include "dialect/aicore/AICoreDialect.h"
#include "runtime/target/Target.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <optional>

namespace opc::aicore {

/// How an op accesses one memref operand.
struct Access {
  mlir::OpOperand *operand;
  bool reads = false;
  bool writes = false;
  /// The operand is scratch: the op writes and reads it, and its contents before and after the op do not matter.
  bool scratch = false;
  /// Whether the op reads depends on a run-time value: it may also start a new sum. Such a read needs no earlier write.
  bool mayStartAnew = false;

  mlir::Value memref() const { return operand->get(); }
};

/// The space of a memref type; nullopt when it has none of this dialect's.
std::optional<Space> spaceOf(mlir::Type type);
inline std::optional<Space> spaceOf(mlir::Value value) {
  return spaceOf(value.getType());
}

/// The chip's element type for an MLIR type: signless integers are signed, i1 is bool.
std::optional<ElementType> elementTypeOf(mlir::Type type);
mlir::Type mlirTypeOf(ElementType type, mlir::MLIRContext *context);

/// Whether the last dimension is contiguous (stride 1).
bool hasUnitInnerStride(mlir::MemRefType type);

/// Whether the vector unit can work on a memref of this type: rank 1, in UB, contiguous.
inline bool isVectorTile(mlir::MemRefType type) {
  return spaceOf(type) == Space::UB && type.getRank() == 1 && hasUnitInnerStride(type);
}

/// Whether a memref is a flat tile of a memory and layout of the cube.
bool isCubeTile(mlir::MemRefType type, Space space, Layout layout);

/// The enumerators of runtime/target; Tiles.cpp asserts that the values agree.
inline opc::Pipe toTarget(Pipe pipe) {
  return static_cast<opc::Pipe>(pipe);
}
inline Memory toTarget(Space space) {
  return static_cast<Memory>(space);
}
inline RoundingMode toTarget(Rounding mode) {
  return static_cast<RoundingMode>(mode);
}
inline CompareMode toTarget(Comparison mode) {
  return static_cast<CompareMode>(mode);
}
inline GatherPattern toTarget(Keep keep) {
  return static_cast<GatherPattern>(keep);
}

/// Appends the memory effects of accesses.
void appendEffects(llvm::ArrayRef<Access> accesses,
                   llvm::SmallVectorImpl<mlir::SideEffects::EffectInstance<mlir::MemoryEffects::Effect>> &effects);

} // namespace opc::aicore

#endif // OPC_DIALECT_AICORE_TILES_H
