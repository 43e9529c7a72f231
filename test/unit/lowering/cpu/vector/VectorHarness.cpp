#include "test/unit/lowering/cpu/vector/VectorHarness.h"

#include "dialect/te/Reader.h"
#include "dialect/te/TeDialect.h"
#include "lowering/cpu/library/CpuLibrary.h"
#include "runtime/program/Bytecode.h"
#include "runtime/program/opc_kernel_library.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <sstream>
#include <unistd.h>

namespace opc::test {

VectorHarness::VectorHarness(const std::string &text, std::vector<std::string> tensorNames,
                             std::vector<std::string> fields, std::vector<std::string> levels) {
  std::string pattern = (std::filesystem::temp_directory_path() / "opc-vec-XXXXXX").string();
  folder = mkdtemp(pattern.data());
  path = folder + "/kernels.so";
  mlir::DialectRegistry registry;
  registry.insert<mlir::arith::ArithDialect, mlir::bufferization::BufferizationDialect, mlir::func::FuncDialect,
                  mlir::linalg::LinalgDialect, mlir::math::MathDialect, mlir::memref::MemRefDialect,
                  mlir::tensor::TensorDialect, te::TeDialect>();
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  mlir::OwningOpRef<mlir::ModuleOp> module = te::parseModule(text, context, "fused.mlir");
  if (!module) {
    found.error(Code::E0900, {}, "the test's module does not parse");
    return;
  }
  TilingFunction tiling;
  for (const std::string &field : fields) {
    TilingFunction::Output output;
    output.field.name = field;
    tiling.outputs.push_back(output);
  }
  CpuLibraryRequest request;
  request.opType = "Test";
  request.tensorNames = std::move(tensorNames);
  request.cpuLevels = std::move(levels);
  for (auto function : module->getOps<mlir::func::FuncOp>()) {
    const bool isNest = function->hasAttr(te::TeDialect::kNestAttr);
    if (!isNest || request.kernels.empty())
      request.kernels.push_back({isNest ? "k" : function.getName().str(), 0, writeTiling(tiling)});
    if (isNest)
      request.kernels.back().nests.push_back(function.getName().str());
  }
  if (buildCpuLibrary(*module, request, path, found))
    library = KernelLibrary::open(path, found);
}

VectorHarness::~VectorHarness() {
  library.reset();
  std::error_code error;
  std::filesystem::remove_all(folder, error);
}

std::string VectorHarness::errors() const {
  std::ostringstream text;
  for (const Diagnostic &diagnostic : found.all())
    printText(text, diagnostic);
  return text.str();
}

int32_t VectorHarness::run(const std::string &name, const std::vector<Tensor> &tensors,
                           const std::vector<int64_t> &tiling, int64_t first, int64_t last,
                           int64_t streamThreshold) const {
  std::vector<void *> pointers;
  std::vector<int64_t> sizes;
  for (const Tensor &tensor : tensors) {
    pointers.push_back(const_cast<void *>(tensor.data));
    sizes.push_back(tensor.elements);
  }
  opc_kernel_arguments arguments{pointers.data(), sizes.data(), tiling.data(),      INT64_MAX,
                                 streamThreshold, nullptr,      OPC_KERNEL_UNPACKED};
  const opc_kernel_entry *entry = library->find(name);
  return entry ? entry->function(&arguments, first, last) : -1;
}

int32_t VectorHarness::runPacked(const std::string &name, int64_t place, std::vector<Tensor> tensors,
                                 const std::vector<int64_t> &tiling, int64_t first, int64_t last) const {
  const opc_kernel_entry *entry = library->find(name);
  const int64_t input = entry ? OPC_KERNEL_PACKED_INPUT(entry->flags, place) : -1;
  if (input < 0 || input >= int64_t(tensors.size()))
    return -1;
  std::vector<void *> pointers;
  std::vector<int64_t> sizes;
  for (const Tensor &tensor : tensors) {
    pointers.push_back(const_cast<void *>(tensor.data));
    sizes.push_back(tensor.elements);
  }
  // What lies after the form must stay.
  constexpr size_t kMargin = 16;
  const size_t room = size_t(sizes[size_t(input)]) + OPC_KERNEL_BEHIND_PACKED / sizeof(float);
  std::vector<float> packed(room + kMargin, -55.0f);
  opc_kernel_arguments arguments{pointers.data(), sizes.data(),  tiling.data(),         INT64_MAX,
                                 INT64_MAX,       packed.data(), OPC_KERNEL_PACK(place)};
  const int32_t status = entry->function(&arguments, first, last);
  // What cannot be packed is not read from there either, whatever a caller gives.
  if (status == OPC_KERNEL_NOT_PACKED) {
    arguments.packing = OPC_KERNEL_READ_PACKED(place);
    return entry->function(&arguments, first, last) == 0 ? status : -1;
  }
  if (status != 0)
    return status;
  if (!std::all_of(packed.begin() + int64_t(room), packed.end(), [](float value) { return value == -55.0f; }))
    return -1;
  pointers[size_t(input)] = nullptr;
  arguments.packing = OPC_KERNEL_READ_PACKED(place);
  return entry->function(&arguments, first, last);
}

std::string flatKernel(const std::string &name, const std::vector<std::string> &types, const std::string &payload,
                       const std::string &launch) {
  std::ostringstream text;
  auto element = [&](size_t i) { return types[i].substr(0, types[i].find(' ')); };
  auto shape = [&](size_t i) { return (types[i].find("scalar") == std::string::npos ? "?x" : "1x") + element(i); };
  size_t output = types.size() - 1;
  text << "func.func @" << name << "(";
  for (size_t i = 0; i < types.size(); ++i)
    text << (i ? ", " : "") << "%m" << i << ": memref<" << shape(i) << ">";
  text << launch
       << ") attributes {te.kernel, te.shape_key = \"flat\"} {\n%c0 = arith.constant 0 : "
          "index\n";
  std::string maps, values, tensors, arguments;
  size_t sized = 0;
  for (size_t i = 0; i < output; ++i) {
    bool scalar = types[i].find("scalar") != std::string::npos;
    if (!scalar)
      sized = i;
    text << "%t" << i << " = bufferization.to_tensor %m" << i << " restrict : memref<" << shape(i) << "> to tensor<"
         << shape(i) << ">\n";
    maps += std::string("affine_map<(d0) -> (") + (scalar ? "0" : "d0") + ")>, ";
    values += (i ? ", %t" : "%t") + std::to_string(i);
    tensors += (i ? ", tensor<" : "tensor<") + shape(i) + ">";
    arguments += "%" + std::to_string(i) + ": " + element(i) + ", ";
  }
  std::string y = "tensor<" + shape(output) + ">";
  text << "%n = tensor.dim %t" << sized << ", %c0 : tensor<" << shape(sized) << ">\n%e = "
       << "tensor.empty(%n) : " << y << "\n%r = linalg.generic {indexing_maps = [" << maps
       << "affine_map<(d0) -> (d0)>], iterator_types = [\"parallel\"]} ins(" << values << " : " << tensors
       << ") outs(%e : " << y << ") {\n^bb0(" << arguments << "%out: " << element(output) << "):\n"
       << payload << "\nlinalg.yield %y : " << element(output) << "\n} -> " << y
       << "\nbufferization.materialize_in_destination %r in restrict writable %m" << output << " : (" << y
       << ", memref<" << shape(output) << ">) -> ()\nreturn\n}\n";
  return text.str();
}

std::vector<std::string> levelsHere(bool ofBytes) {
  std::vector<std::string> levels = {"x86-64-v3"};
  if (ofBytes && __builtin_cpu_supports("avxvnni"))
    levels.push_back("x86-64-v3-vnni");
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    levels.push_back("x86-64-v4");
  if (ofBytes && levels.back() == "x86-64-v4" && __builtin_cpu_supports("avx512vnni"))
    levels.push_back("x86-64-v4-vnni");
  return levels;
}

bool takesLevel(const std::string &level, size_t number) {
  const std::vector<std::string> levels = levelsHere();
  if (levels.back() != "x86-64-v4" || std::getenv("OPC_TEST_FULL"))
    return true;
  const char *seed = std::getenv("OPC_TEST_SEED");
  const bool isWide = level.find("-v4") != std::string::npos, hasDots = level.find("-vnni") != std::string::npos;
  return (number + (seed ? std::strtoul(seed, nullptr, 10) : 1) + isWide + hasDots) % 2 == 0;
}

void LevelTest::SetUp() {
  // "SoftmaxOfEveryLength/v3"
  const std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
  const size_t end = std::min(name.find('/'), name.size());
  if (!takesLevel(GetParam(), size_t(std::accumulate(name.begin(), name.begin() + ptrdiff_t(end), 0))))
    GTEST_SKIP() << "the other level takes it with this seed; OPC_TEST_SEED and OPC_TEST_FULL=1 say so";
}

} // namespace opc::test
