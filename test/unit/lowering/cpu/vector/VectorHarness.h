// Builds te kernels at phase `fused` from text into a library of one level, and calls their entries with tiling data
// of the test's own.

#ifndef OPC_TEST_UNIT_LOWERING_CPU_VECTOR_VECTORHARNESS_H
#define OPC_TEST_UNIT_LOWERING_CPU_VECTOR_VECTORHARNESS_H

#include "runtime/device/cpu/KernelLibrary.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace opc::test {

class VectorHarness {
public:
  /// A module with kernels, each an entry, or with the nests of one entry, "k"; `tensorNames` in the contract's order;
  /// `fields` of the tiling data.
  VectorHarness(const std::string &text, std::vector<std::string> tensorNames, std::vector<std::string> fields,
                std::vector<std::string> levels);
  ~VectorHarness();

  /// Whether there is a library that this machine can run; `errors` says why not.
  bool ready() const { return library != nullptr; }
  std::string errors() const;
  const Diagnostics &diagnostics() const { return found; }
  const KernelLibrary &kernels() const { return *library; }
  const std::string &file() const { return path; }

  struct Tensor {
    const void *data;
    int64_t elements;
  };
  /// What the entry `name` returns for blocks first .. last.
  int32_t run(const std::string &name, const std::vector<Tensor> &tensors, const std::vector<int64_t> &tiling,
              int64_t first = 0, int64_t last = 1, int64_t streamThreshold = int64_t(1) << 40) const;
  /// Likewise with the input of a place (OPC_KERNEL_ENTRY_PACKS) packed before; what packing returns, if that is not 0.
  /// The memory of that input is not read again.
  int32_t runPacked(const std::string &name, int64_t place, std::vector<Tensor> tensors,
                    const std::vector<int64_t> &tiling, int64_t first, int64_t last) const;

private:
  std::string folder, path;
  Diagnostics found;
  std::shared_ptr<KernelLibrary> library;
};

template <typename T> VectorHarness::Tensor tensor(const std::vector<T> &values) {
  return {values.data(), int64_t(values.size())};
}

/// A kernel of one generic over one loop: `types` of the inputs and the output, payload over %0, %1, ... that ends
/// with `yield`. Scalar inputs are written "f32 scalar".
std::string flatKernel(const std::string &name, const std::vector<std::string> &types, const std::string &payload,
                       const std::string &launch = "");

/// Levels that this machine runs; with `ofBytes` those too that only products of bytes have code of their own for.
std::vector<std::string> levelsHere(bool ofBytes = false);

/// Whether a level takes the kernel or test of this number. One generator writes the code of all levels, and LLVM
/// takes most of the time of a test. So kernels take turns: of -v3 and -v4 the seed draws one for each, the next seed
/// the other one, and both take half of them in each run; of those with instructions for bytes likewise. With
/// OPC_TEST_FULL=1, or on a machine without AVX-512, each level takes them all.
bool takesLevel(const std::string &level, size_t number);

/// Tests with the level as parameter, which takes turns by the name of the test.
class LevelTest : public ::testing::TestWithParam<std::string> {
protected:
  void SetUp() override;
};

} // namespace opc::test

#endif // OPC_TEST_UNIT_LOWERING_CPU_VECTOR_VECTORHARNESS_H
