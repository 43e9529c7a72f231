// Builds a kernel library from text and launches it through the device: what the numeric tests of the
// CPU form stand on.
//
// A harness takes a module with one kernel `@kernel` and its tiling function; the test gives the tiling data itself.

#ifndef OPC_TEST_UNIT_LOWERING_CPU_CPUHARNESS_H
#define OPC_TEST_UNIT_LOWERING_CPU_CPUHARNESS_H

#include "runtime/device/cpu/CpuDevice.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace opc::test {

/// A tensor of a launch: raw bytes with the type of its elements.
struct Operand {
  ElementType type;
  void *data;
  int64_t bytes;
};

template <typename T> Operand operand(ElementType type, std::vector<T> &values) {
  return {type, values.data(), int64_t(values.size() * sizeof(T))};
}

class CpuHarness {
public:
  /// `fields` results of the tiling function, `attributes` launch scalars.
  CpuHarness(const std::string &text, unsigned tensors, unsigned fields, unsigned attributes = 0, int threads = 0);
  ~CpuHarness();

  /// False when the module was refused or the library could not be loaded; `errors` says why.
  bool ready() const { return kernel != nullptr; }
  bool launch(const std::vector<Operand> &tensors, const std::vector<int64_t> &tiling, int64_t blocks = 1);
  /// Code and message of everything that was found so far.
  std::string errors() const;
  const std::string &library() const { return path; }
  const Diagnostics &diagnostics() const { return found; }

private:
  std::string folder, path;
  Manifest manifest;
  Diagnostics found;
  std::unique_ptr<Device> device;
  std::unique_ptr<Kernel> kernel;
};

/// Builds `text` into a library at `path`, one entry for each name; what opc_cpu_lowering says goes to `diagnostics`.
bool buildLibrary(const std::string &text, const std::vector<std::string> &names, const std::string &path,
                  const TilingFunction &tiling, Diagnostics &diagnostics);

/// A module with one kernel over tensors of `types` ("f16", ...): each is loaded into a tile of 256 elements, `body`
/// works on the tiles %t0, %t1, ... of %n elements and the scalars %s (first attribute), and the last one is stored.
std::string kernelOver(const std::vector<std::string> &types, const std::string &body, const std::string &scalar = "");
/// "memref<?xf16, strided<[1]>, #aicore.space<ub>>"
std::string tileType(const std::string &element);

} // namespace opc::test

#endif // OPC_TEST_UNIT_LOWERING_CPU_CPUHARNESS_H
