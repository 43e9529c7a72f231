// te bodies of the operator library on the CPU, whole: contract, body, phases, tiling function, library; launched for
// shapes as the runtime does it.

#include "lowering/pipelines/operator/CpuRequest.h"

#include "lowering/import/te/ImportTe.h"
#include "lowering/pipelines/Pipelines.h"
#include "ops/contract/domain/ShapeKeys.h"
#include "ops/contract/read/Reader.h"
#include "runtime/device/cpu/KernelLibrary.h"
#include "runtime/program/Bytecode.h"
#include "test/unit/Folders.h"

#include "mlir/IR/MLIRContext.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <numeric>
#include <sstream>
#include <unistd.h>

using namespace opc;

namespace {

using Shape = std::vector<int64_t>;

int64_t elements(const Shape &shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

class TeLibrary {
public:
  explicit TeLibrary(const std::string &op) {
    std::optional<Contract> found =
        loadContract(test::sourceFolder() + "/ops/library/" + op + "/op_contract.yaml", said);
    if (!found)
      return;
    contract = *found;
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    std::vector<unsigned> rows(contract.typeRows());
    std::iota(rows.begin(), rows.end(), 0u);
    auto module = importTe(context, contract, *contract.findBody(BodyLevel::Te), rows, said);
    if (!module)
      return;
    mlir::PassManager passes(&context);
    buildTePipeline(passes);
    StaticShapes dynamic;
    buildCpuTePipeline(passes, contract, dynamic);
    if (failed(passes.run(*module)))
      return;
    std::optional<CpuLibraryRequest> request = teCpuRequest(*module, contract);
    if (!request)
      return;
    std::string pattern = (std::filesystem::temp_directory_path() / "opc-te-XXXXXX").string();
    folder = mkdtemp(pattern.data());
    if (buildCpuLibrary(*module, *request, folder + "/op.so", said, &times))
      library = KernelLibrary::open(folder + "/op.so", said);
  }
  ~TeLibrary() {
    library.reset();
    std::error_code error;
    std::filesystem::remove_all(folder, error);
  }

  std::string errors() const {
    std::ostringstream os;
    for (const Diagnostic &diagnostic : said.all())
      printText(os, diagnostic);
    return os.str();
  }

  /// Runs the kernel of a type row; "" or what went wrong.
  std::string run(unsigned row, const std::vector<Shape> &shapes, const std::vector<void *> &data,
                  const std::vector<int64_t> &attributes = {}) {
    const opc_kernel_entry *first = nullptr;
    for (uint64_t i = 0; i < library->level().entry_count && !first; ++i)
      if (library->level().entries[i].tiling_key / kMaxShapeKeys == row)
        first = &library->level().entries[i];
    TilingFunction tiling;
    if (!first || !readTiling(first->tiling_code, first->tiling_size, tiling).empty())
      return "no tiling function";
    std::vector<int64_t> inputs, fields(tiling.outputs.size());
    for (const TilingInput &input : tiling.inputs) {
      const Shape &shape = shapes[input.tensor];
      int64_t at = int64_t(shape.size()) + input.dim;
      switch (input.kind) {
      case TilingInput::NumElements:
        inputs.push_back(elements(shape));
        break;
      case TilingInput::Dim:
        inputs.push_back(at >= 0 && at < int64_t(shape.size()) ? shape[at] : 1);
        break;
      case TilingInput::Rank:
        inputs.push_back(int64_t(shape.size()));
        break;
      default:
        inputs.push_back(input.kind == TilingInput::MaxBlocks ? 64 : 1);
      }
    }
    if (EvalStatus status = runTiling(tiling, inputs.data(), fields.data()); status != EvalStatus::Ok)
      return std::string(evalStatusText(status));
    int64_t key = 0, blocks = 0;
    for (size_t i = 0; i < fields.size(); ++i) {
      if (tiling.outputs[i].field.name == "tiling_key")
        key = fields[i];
      if (tiling.outputs[i].field.name == "block_num")
        blocks = fields[i];
    }
    std::vector<int64_t> sizes;
    for (const Shape &shape : shapes)
      sizes.push_back(elements(shape));
    fields.insert(fields.end(), attributes.begin(), attributes.end());
    for (uint64_t i = 0; i < library->level().entry_count; ++i) {
      const opc_kernel_entry &entry = library->level().entries[i];
      if (int64_t(entry.tiling_key) != key)
        continue;
      lastKernel = entry.name;
      opc_kernel_arguments arguments{data.data(), sizes.data(), fields.data(), INT64_MAX, 1 << 20};
      int32_t status = 0;
      for (int64_t block = 0; block < blocks; ++block)
        status |= entry.function(&arguments, block, block + 1);
      return status ? "status " + std::to_string(status) : "";
    }
    return "no kernel of key " + std::to_string(key);
  }

  Contract contract;
  Diagnostics said;
  CpuLibraryTimes times;
  std::shared_ptr<KernelLibrary> library;
  std::string folder, lastKernel;
};

float number(int64_t i) {
  return float((i * 7919) % 2003 - 1001) / 256.0f;
}

} // namespace

TEST(TeCpu, SwishOfEveryRank) {
  TeLibrary op("swish");
  ASSERT_TRUE(op.library) << op.errors();
  float beta = 1.5f;
  int64_t bits = 0;
  memcpy(&bits, &beta, 4);
  for (const Shape &shape :
       std::vector<Shape>{{1}, {7}, {64, 3}, {5, 1, 9, 11}, {3, 5, 7, 2, 1, 2, 3, 2}, {400000}, {0, 3}}) {
    int64_t n = elements(shape);
    std::vector<float> x(n), y(n, -7.0f);
    for (int64_t i = 0; i < n; ++i)
      x[i] = number(i);
    ASSERT_EQ(op.run(1, {shape, shape}, {x.data(), y.data()}, {bits}), "");
    for (int64_t i = 0; i < n; ++i) {
      double exact = x[i] / (1 + std::exp(-double(beta) * x[i]));
      ASSERT_NEAR(y[i], exact, std::abs(exact) * 1e-6 + 1e-30) << i;
    }
  }
}

// What breaks without it: a broadcast dimension, a batch, or the row after the first.
TEST(TeCpu, AddReluOfEveryBroadcast) {
  TeLibrary op("add_relu");
  ASSERT_TRUE(op.library) << op.errors();
  std::vector<std::pair<Shape, Shape>> cases = {
      {{6, 50}, {6, 50}}, {{6, 50}, {50}},       {{6, 50}, {6, 1}},       {{6, 50}, {1}},
      {{1, 50}, {6, 1}},  {{3, 1, 70}, {4, 70}}, {{3, 4, 1}, {3, 1, 90}}, {{2, 3, 4, 5}, {3, 1, 1}},
      {{9, 200}, {200}},  {{300, 3}, {3}},       {{70000}, {1}},          {{2, 1, 3, 1, 70}, {5, 1, 6, 70}},
      {{1}, {4, 1, 5}},   {{0, 5}, {5}}};
  bool broadcasts = op.contract.inputs[1].broadcast != Broadcast::None;
  for (auto [a, b] : cases) {
    if (!broadcasts && a != b)
      continue;
    size_t rank = std::max(a.size(), b.size());
    auto dim = [&](const Shape &shape, size_t d) {
      return d + shape.size() < rank ? 1 : shape[d + shape.size() - rank];
    };
    Shape out(rank);
    for (size_t d = 0; d < rank; ++d)
      out[d] = dim(a, d) == 1 ? dim(b, d) : dim(a, d);
    std::vector<float> x1(elements(a)), x2(elements(b)), y(elements(out), -7.0f);
    for (size_t i = 0; i < x1.size(); ++i)
      x1[i] = number(int64_t(i));
    for (size_t i = 0; i < x2.size(); ++i)
      x2[i] = number(int64_t(i) * 3 + 1);
    ASSERT_EQ(op.run(1, {a, b, out}, {x1.data(), x2.data(), y.data()}), "") << op.lastKernel;
    for (int64_t i = 0; i < int64_t(y.size()); ++i) {
      int64_t rest = i, p = 0, q = 0, stepA = 1, stepB = 1;
      for (size_t d = rank; d-- > 0;) {
        int64_t at = rest % out[d];
        rest /= out[d];
        p += dim(a, d) == 1 ? 0 : at * stepA;
        q += dim(b, d) == 1 ? 0 : at * stepB;
        stepA *= dim(a, d);
        stepB *= dim(b, d);
      }
      ASSERT_EQ(y[i], std::max(x1[p] + x2[q], 0.0f)) << op.lastKernel << " " << i;
    }
  }
  printf("llvm %.1f ms, optimise %.1f ms, codegen %.1f ms, link %.1f ms\n", op.times.llvm * 1e3,
         op.times.optimise * 1e3, op.times.codegen * 1e3, op.times.link * 1e3);
}
