// The stages of a compilation that make the CPU library. LLVM and the linker work in the background between them.

#include "dialect/te/TeDialect.h"
#include "lowering/cpu/CpuLevel.h"
#include "lowering/emit/tiling/TilingBytecode.h"
#include "lowering/pipelines/Compilation.h"
#include "lowering/pipelines/operator/CpuRequest.h"
#include "lowering/pipelines/operator/TestLevels.h"
#include "ops/contract/domain/Contraction.h"
#include "ops/contract/domain/ShapeKeys.h"
#include "runtime/program/Bytecode.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace opc {

/// Adds the kernels of a library with its own tiling functions to the manifest.
void Compilation::listCpuKernels(const CpuLibraryRequest &library) {
  for (const CpuKernel &known : library.kernels) {
    PackageKernel kernel;
    kernel.name = known.name;
    kernel.tilingKey = known.tilingKey;
    kernel.typeRow = static_cast<unsigned>(known.tilingKey / kMaxShapeKeys);
    kernel.cpuAlone = whyCpuAlone(kernel.typeRow);
    (void)readTiling(known.tilingCode.data(), known.tilingCode.size(), kernel.tiling);
    for (const ContractAttribute &attribute : contract.attributes)
      if (attribute.binding == Binding::Launch)
        kernel.launchAttributes.push_back(attribute.name);
    request.cpuKernels.push_back(std::move(kernel));
  }
}

/// The request for the library of a te body; nullopt after an error.
std::optional<CpuLibraryRequest> Compilation::requestTeLibrary() {
  DiagnosticBridge bridge(context, diagnostics, Code::E0380, bodyPlace());
  bridge.setAdvice(tilingAdvice());
  // Only the AI Core reads inputs in fractals.
  for (auto function : llvm::make_early_inc_range(cpuModule->getOps<func::FuncOp>()))
    if (auto row = function->getAttrOfType<IntegerAttr>(te::TeDialect::kTypeRowAttr);
        row && contract.packedInput(unsigned(row.getInt())))
      function.erase();
  const bool hasKernels = !cpuModule->getOps<func::FuncOp>().empty();
  PassManager passes(&context, ModuleOp::getOperationName());
  passes.enableVerifier(false);
  buildCpuTePipeline(passes, contract, shapes);
  if (failed(passes.run(*cpuModule)))
    return std::nullopt;
  std::optional<CpuLibraryRequest> library = teCpuRequest(*cpuModule, contract);
  if (library && library->kernels.empty() && !shapes.empty() && hasKernels) {
    const ShapeKey key = shapeKeys(contract).front();
    const bool isOfRows = key.kind == ShapeKey::Contraction && key.reduced[1];
    diagnostics.error(Code::E0112, {},
                      "--input_shape expects shapes that a kernel of '" + contract.opType + "' serves: these have " +
                          (isOfRows ? "rows of a product that are reduced and longer than the " +
                                          std::to_string(kLongestProductRow) + " elements that the CPU keeps"
                                    : "no kernel on the CPU"),
                      "", isOfRows ? "two operators: the product, then what follows on its rows" : "");
    return std::nullopt;
  }
  return library;
}

/// The request for kernels by hand, whose library has the tiling functions of the AI Core.
CpuLibraryRequest Compilation::requestLoopsLibrary() const {
  CpuLibraryRequest library;
  library.opType = contract.opType;
  for (const PackageKernel &kernel : request.kernels)
    library.kernels.push_back({kernel.name, kernel.tilingKey, writeTiling(kernel.tiling)});
  return library;
}

/// The levels to compile for: all, or the last one that is among those of the machine.
static std::vector<std::string> levelsFor(const CompileOptions &options, bool multipliesBytes) {
  std::vector<std::string> levels = options.cpuLevels.empty() ? defaultCpuLevels(multipliesBytes) : options.cpuLevels;
  for (const std::string &level : llvm::reverse(levels))
    if (llvm::is_contained(options.machineCpuLevels, level))
      return {level};
  return options.cpuLevels.empty() ? levelsOfTest(std::move(levels)) : levels;
}

/// Translates the kernels to LLVM IR. LLVM and the linker process it while the passes for the AI Core run.
bool Compilation::startCpu() {
  DiagnosticBridge bridge(context, diagnostics, Code::E0370, bodyPlace());
  bridge.setAdvice(tilingAdvice());
  CpuLibraryRequest library;
  if (isTe()) {
    std::optional<CpuLibraryRequest> found = requestTeLibrary();
    if (!found)
      return false;
    library = std::move(*found);
    library.cpuLevels = levelsFor(options, multipliesBytes(*cpuModule));
    listCpuKernels(library);
  } else {
    PassManager passes(&context, ModuleOp::getOperationName());
    passes.enableVerifier(false);
    buildCpuLoopsPipeline(passes);
    if (failed(passes.run(*cpuModule)))
      return false;
    library = requestLoopsLibrary();
    library.cpuLevels = {options.cpuLevels.empty() ? defaultCpuLevels(false).front() : options.cpuLevels.front()};
  }
  if (std::error_code error = llvm::sys::fs::createUniqueDirectory("opc-cpu", cpuFolder)) {
    diagnostics.error(Code::E0601, {}, "cannot make a temporary folder: " + error.message());
    return false;
  }
  library.keepObjects = options.keepObjects;
  cpuBuild = CpuLibraryBuild::start(*cpuModule, library, diagnostics);
  if (!cpuBuild)
    return false;
  cpuBuild->launch(cpuPath());
  request.cpuLevels = library.cpuLevels;
  return true;
}

/// The library is read from a file, since the linker writes one. The file is removed with this object.
bool Compilation::finishCpu() {
  if (!cpuBuild->wait(diagnostics))
    return false;
  auto bytes = llvm::MemoryBuffer::getFile(cpuPath(), /*IsText=*/false,
                                           /*RequiresNullTerminator=*/false);
  if (!bytes) {
    diagnostics.error(Code::E0600, {cpuPath()}, "cannot read the library again: " + bytes.getError().message());
    return false;
  }
  request.cpuLibrary = (*bytes)->getBuffer().str();
  request.cpuObjects = cpuBuild->objects();
  return true;
}

std::string Compilation::cpuPath() const {
  llvm::SmallString<128> path = cpuFolder;
  llvm::sys::path::append(path, contract.name + ".so");
  return path.str().str();
}

} // namespace opc
