// A stage of a compilation that fails because a test asks for it.
//
// What a command does when a stage fails is rarely seen: stages do not fail by themselves. With
//
//   OPC_TEST_FAIL_STAGE=passes        the stage 'passes' fails and tells nobody why
//   OPC_TEST_FAIL_STAGE=passes:told   it reports an error to MLIR and says that it is done
//
// the stage of that name, as --timing has it, does so at its end. The variable can only make commands fail.
// test/tools/opc/stage-failures.test makes every stage of every command fail by it.

#ifndef OPC_LOWERING_PIPELINES_STAGEFAULT_H
#define OPC_LOWERING_PIPELINES_STAGEFAULT_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringRef.h"

namespace opc {

/// Whether the stage is to fail here; under `:told` reports an error and returns false.
bool breaksHere(llvm::StringRef stage, mlir::MLIRContext &context);

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_STAGEFAULT_H
