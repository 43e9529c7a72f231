#include "lowering/pipelines/Pipelines.h"
#include "lowering/te/Passes.h"

#include "mlir/Transforms/Passes.h"

using namespace opc::te;

void opc::buildTePipeline(mlir::OpPassManager &passes, TeStop stopAfter) {
  passes.addPass(createVerifyBoundPass());
  if (stopAfter == TeStop::Bound)
    return;

  // One value for one meaning before chains are cut into generics: two copies of a value would
  // count as two users of what they are made of.
  passes.addPass(mlir::createCSEPass());
  passes.addPass(createTeToLinalgPass());
  passes.addPass(createVerifyFusedPass());
}

std::optional<opc::TeStop> opc::teStopByName(llvm::StringRef name) {
  if (name == "bound")
    return TeStop::Bound;
  if (name == "fused")
    return TeStop::Fused;
  return std::nullopt;
}
