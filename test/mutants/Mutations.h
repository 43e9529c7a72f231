// The mistakes that are made in a kernel at phase `synced`, one at a time.
//
//   flag      a flag deleted: its sets and waits, presets and drains      barrier   likewise
//   half      one set or one wait deleted
//   join      all flags and barriers between nests deleted; each pipe waits there for all pipes, whatever the nests
//             are, and the flags of two nests may order all that these two do
//   move      a set before what it follows, a wait after what it holds, a barrier past either
//   id        a flag given another one's event ids; one set or one wait given another id
//   address   a buffer moved onto its neighbour, or 32 bytes into it
//   swap      two ops that depend on each other exchanged
//   tail      an access one element shorter
//   slot      an operand in the next slot
//   stride    a column of fractals, or a row out of L0C, 16 elements further
//   layout    fractals transposed that were not, or the other way; a product added that starts anew, or the other way
//   zeros     no zeros beyond k
//
// Which sets and waits are one flag, what depends on what, and which ids are in use is taken from launches of
// the kernel (Trace.h).

#ifndef OPC_TEST_MUTANTS_MUTATIONS_H
#define OPC_TEST_MUTANTS_MUTATIONS_H

#include "test/mutants/Trace.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

#include <functional>
#include <string>

namespace opc::mutants {

/// The pipe ops of a kernel, in the order of the text.
std::vector<mlir::Operation *> pipeOpsOf(mlir::func::FuncOp kernel);

/// The branches of a kernel that was joined from nests, one for each nest; empty for other kernels.
llvm::SmallVector<mlir::scf::IfOp> nestsOf(mlir::func::FuncOp kernel);

/// A launch of the kernel as it is.
struct Launched {
  const Trace *trace;
  const Facts *facts;
};

struct Mutation {
  const char *kind;
  std::string text;
  /// Changes a clone of the kernel; the mapping leads from the kernel's ops to the clone's. False when the change is
  /// not possible there.
  std::function<bool(mlir::func::FuncOp, const mlir::IRMapping &)> apply;
  /// A flag or a barrier that can be removed is a mistake of the pass or author that inserted it.
  bool counts = false;
  bool isOfIntegers = false; ///< zeros that are integers
};

std::vector<Mutation> mutationsOf(mlir::func::FuncOp kernel, const std::vector<Launched> &launches, int64_t eventIds);

} // namespace opc::mutants

#endif // OPC_TEST_MUTANTS_MUTATIONS_H
