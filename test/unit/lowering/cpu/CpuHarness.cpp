#include "test/unit/lowering/cpu/CpuHarness.h"

#include "dialect/aicore/AICoreDialect.h"
#include "lowering/cpu/library/CpuLibrary.h"
#include "lowering/diagnostic/DiagnosticBridge.h"
#include "lowering/pipelines/Pipelines.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

#include <filesystem>
#include <sstream>
#include <unistd.h>

namespace opc::test {

bool buildLibrary(const std::string &text, const std::vector<std::string> &names, const std::string &path,
                  const TilingFunction &tiling, Diagnostics &diagnostics) {
  mlir::DialectRegistry registry;
  registry.insert<aicore::AICoreDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::math::MathDialect,
                  mlir::memref::MemRefDialect, mlir::scf::SCFDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(text, &context, "body.mlir");
  if (!module) {
    diagnostics.error(Code::E0900, {}, "the test's module does not parse");
    return false;
  }
  CpuLibraryRequest request;
  request.opType = "Test";
  for (const std::string &name : names)
    request.kernels.push_back({name, 0, writeTiling(tiling)});
  {
    DiagnosticBridge bridge(context, diagnostics, Code::E0370);
    mlir::PassManager passes(&context, mlir::ModuleOp::getOperationName());
    passes.enableVerifier(false);
    buildCpuLoopsPipeline(passes);
    if (failed(passes.run(*module)))
      return false;
  }
  return buildCpuLibrary(*module, request, path, diagnostics);
}

static std::string makeFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "opc-cpu-XXXXXX").string();
  return mkdtemp(pattern.data());
}

CpuHarness::CpuHarness(const std::string &text, unsigned tensors, unsigned fields, unsigned attributes, int threads)
    : folder(makeFolder()), path(folder + "/kernels.so"), device(createCpuDevice(threads)) {
  manifest.opType = "Test";
  manifest.cpuLibrary = "kernels.so";
  manifest.inputs.resize(tensors);
  ManifestKernel entry;
  entry.name = "kernel";
  entry.tiling.outputs.resize(fields);
  entry.launchAttributes.resize(attributes);
  manifest.kernels.push_back(entry);
  if (buildLibrary(text, {"kernel"}, path, entry.tiling, found))
    kernel = device->load(folder, manifest, manifest.kernels.front(), found);
}

CpuHarness::~CpuHarness() {
  kernel.reset();
  std::error_code error;
  std::filesystem::remove_all(folder, error);
}

bool CpuHarness::launch(const std::vector<Operand> &tensors, const std::vector<int64_t> &tiling, int64_t blocks) {
  LaunchArguments arguments;
  for (const Operand &tensor : tensors)
    arguments.tensors.push_back({tensor.data, tensor.bytes, tensor.type});
  arguments.tiling = tiling;
  arguments.blockNum = blocks;
  LaunchReport report;
  return kernel && kernel->launch(arguments, report, found);
}

std::string CpuHarness::errors() const {
  std::ostringstream text;
  for (const Diagnostic &diagnostic : found.all())
    printText(text, diagnostic);
  return text.str();
}

std::string tileType(const std::string &element) {
  return "memref<?x" + element + ", strided<[1]>, #aicore.space<ub>>";
}

std::string kernelOver(const std::vector<std::string> &types, const std::string &body, const std::string &scalar) {
  std::ostringstream text;
  text << R"(
    func.func @tiling(%n: index {aicore.size = #aicore.size<num_elements of "x">})
        -> (index {aicore.name = "block_num"}, index {aicore.name = "n"}) attributes {aicore.tiling} {
      %c1 = arith.constant 1 : index
      return %c1, %n : index, index
    }
    func.func @kernel()";
  for (size_t i = 0; i < types.size(); ++i)
    text << (i ? ", " : "") << "%g" << i << ": memref<?x" << types[i] << ", #aicore.space<gm>>";
  if (!scalar.empty())
    text << ", %s: " << scalar;
  text << R"() attributes {aicore.kernel, aicore.phase = #aicore.phase<placed>, aicore.tiling_function = @tiling} {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %total = aicore.tiling_data "n" : index
    scf.for %start = %c0 to %total step %c256 {
      %left = arith.subi %total, %start : index
      %n = arith.minsi %left, %c256 : index
)";
  auto copy = [&](size_t i, bool in) {
    std::string gm = "memref<?x" + types[i] + ", strided<[1], offset: ?>, #aicore.space<gm>>", ub = tileType(types[i]);
    std::string from = "%t" + std::to_string(i), to = "%v" + std::to_string(i);
    text << (in ? "aicore.load " + to + " -> " + from : "aicore.store " + from + " -> " + to) << " : "
         << (in ? gm + " to " + ub : ub + " to " + gm) << "\n";
  };
  for (size_t i = 0; i < types.size(); ++i) {
    const std::string &type = types[i];
    text << "%v" << i << " = memref.subview %g" << i << "[%start] [%n] [1] : memref<?x" << type
         << ", #aicore.space<gm>> to memref<?x" << type << ", strided<[1], offset: ?>, #aicore.space<gm>>\n"
         << "%b" << i << " = aicore.buffer \"b" << i << "\" : memref<256x" << type << ", #aicore.space<ub>>\n"
         << "%t" << i << " = memref.subview %b" << i << "[0] [%n] [1] : memref<256x" << type
         << ", #aicore.space<ub>> to " << tileType(type) << "\n";
    copy(i, true);
  }
  text << body << "\n";
  copy(types.size() - 1, false);
  text << "}\nreturn\n}\n";
  return text.str();
}

} // namespace opc::test
