// Makes a stage of a compilation fail for a test.
//
// The behaviour of a command when a stage fails is hard to test, since stages do not fail by themselves. With
//
//   OPC_TEST_FAIL_STAGE=passes        the stage 'passes' fails without reporting why
//   OPC_TEST_FAIL_STAGE=passes:told   it reports an error to MLIR but returns success
//
// the stage of that name, as in --timing, does so at its end. The variable can only make commands fail.
// test/tools/opc/stage-failures.test uses it to make every stage of every command fail.

#ifndef OPC_LOWERING_PIPELINES_OPERATOR_STAGEFAULT_H
#define OPC_LOWERING_PIPELINES_OPERATOR_STAGEFAULT_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringRef.h"

namespace opc {

/// Whether the stage must fail here; under `:told` reports an error and returns false.
bool breaksHere(llvm::StringRef stage, mlir::MLIRContext &context);

} // namespace opc

#endif // OPC_LOWERING_PIPELINES_OPERATOR_STAGEFAULT_H
