// Copies and intrinsics as loops over elements; those that work lane by lane stand in LaneGroup.h.
//
// Each emission has two parts: a check that the operation stays inside of its tensors and buffers,
// and loops over as many elements as the check allows: all or none. No branch leaves a kernel in
// its middle, so a refused operation costs the others nothing.

#ifndef OPC_LOWERING_CPU_LOOPEMITTER_H
#define OPC_LOWERING_CPU_LOOPEMITTER_H

#include "dialect/aicore/AICoreOps.h"
#include "lowering/cpu/TileView.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace opc::cpu {

class LoopEmitter {
public:
  /// `status` is a memref of one i32 that collects OPC_KERNEL_* bits; `partials` a buffer of f32
  /// that holds half as many elements as the longest source of a reduction, null when there is
  /// none.
  LoopEmitter(mlir::ImplicitLocOpBuilder &b, mlir::Value status, mlir::Value partials)
      : b(b), status(status), partials(partials) {}

  /// aicore.load; `pad` may be null.
  void load(const TileView &source, const TileView &destination, mlir::Value pad);
  /// aicore.store
  void store(const TileView &source, const TileView &destination, bool atomicAdd);
  /// A vector intrinsic that is no lane op (LaneGroup.h) and whose row of types exists. Views in
  /// the order of the form; `scalar` may be null.
  void vector(aicore::VectorOpInterface op, llvm::ArrayRef<TileView> sources, mlir::Value scalar,
              const TileView &destination);
  mlir::Value scalarRead(const TileView &tile, mlir::Value index);
  void scalarWrite(mlir::Value value, const TileView &tile, mlir::Value index);

  /// Sets a bit of the status unless `ok` (i1).
  void report(mlir::Value ok, int bit);
  /// Whether two lengths are equal (i1).
  mlir::Value sameLength(mlir::Value count, mlir::Value other);
  using Body = llvm::function_ref<void(mlir::Value index)>;
  /// for index = 0 .. count - 1
  void forEach(mlir::Value count, Body body);
  mlir::ImplicitLocOpBuilder &builder() { return b; }

private:
  mlir::Value index(int64_t value);
  mlir::Value guarded(mlir::Value ok, mlir::Value count, int bit);
  void ifTrue(mlir::Value condition, llvm::function_ref<void()> body);
  void copyRows(const TileView &source, const TileView &destination, mlir::Value pad,
                bool atomicAdd);
  mlir::Value positionOfRow(const TileView &view, mlir::Value row);

  mlir::Value widened(const TileView &view, mlir::Value index);
  void compareToMask(aicore::VectorOpInterface op, llvm::ArrayRef<TileView> sources,
                     mlir::Value scalar, const TileView &destination);
  void select(llvm::ArrayRef<TileView> sources, mlir::Value scalar, const TileView &destination);
  void gather(llvm::ArrayRef<TileView> sources, const TileView &destination);
  void reduce(Intrinsic intrinsic, const TileView &source, const TileView &destination);

  mlir::ImplicitLocOpBuilder &b;
  mlir::Value status;
  mlir::Value partials;
};

} // namespace opc::cpu

#endif // OPC_LOWERING_CPU_LOOPEMITTER_H
