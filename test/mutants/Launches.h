// Launches that show what a kernel does: of each kernel from a small one to one of many tiles, every other one cut
// into several blocks.

#ifndef OPC_TEST_MUTANTS_LAUNCHES_H
#define OPC_TEST_MUTANTS_LAUNCHES_H

#include "ops/contract/Contract.h"
#include "runtime/core/launch/Launch.h"
#include "runtime/device/sim/Simulator.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>

namespace opc::mutants {

struct KernelLaunch {
  std::vector<Tensor> inputs;
  BoundLaunch bound;
  std::vector<SimTensor> tensors; ///< over both
};

/// Makes launches of the kernels of one operator.
class LaunchMaker {
public:
  /// The manifest is held by reference; launches point into it.
  LaunchMaker(const Contract &contract, const Manifest &manifest, uint64_t seed);
  /// Some launches of a kernel, from the smallest on; none when no shape reaches it.
  std::vector<std::unique_ptr<KernelLaunch>> launchesOf(const std::string &kernel) const;
  /// All launches of a kernel, from the smallest on, on one block and on three, and likewise those with one dimension
  /// of another size, until `visit` returns false.
  void forEachLaunch(const std::string &kernel, const std::function<bool(KernelLaunch &)> &visit) const;

private:
  struct Candidate {
    std::vector<Shape> shapes;
    std::vector<NamedValue> attributes;
    unsigned typeRow;
    int64_t elements;  ///< of the inputs
    size_t number = 0; ///< among those of its kernel, as they came
  };
  std::optional<BoundLaunch> bindCandidate(const Candidate &candidate, const std::vector<Tensor> &inputs,
                                           int64_t blocks, const MakeTensor &makeOutput) const;
  std::unique_ptr<KernelLaunch> make(const Candidate &candidate, int64_t blocks) const;
  using ByKernel = std::map<std::string, std::vector<Candidate>>;
  void consider(const Candidate &candidate, ByKernel &found) const;
  static void sortBySize(std::vector<Candidate> &list);
  void findOthers() const;

  const Manifest &manifest;
  uint64_t seed;
  std::vector<Candidate> cases; ///< those of the tests
  ByKernel candidates;
  mutable std::optional<ByKernel> others; ///< with another size; made when they are needed
};

} // namespace opc::mutants

#endif // OPC_TEST_MUTANTS_LAUNCHES_H
