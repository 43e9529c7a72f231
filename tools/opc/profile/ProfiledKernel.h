// A kernel with its tensors, ready to run on the simulator: of an op folder or a contract, or in Ascend C.
//
//   opc profile, opc compare  ->  openFolderKernel | openSourceKernel  ->  simulate, as often as figures change

#ifndef OPC_TOOLS_OPC_PROFILE_PROFILEDKERNEL_H
#define OPC_TOOLS_OPC_PROFILE_PROFILEDKERNEL_H

#include "tools/opc/CacheFlags.h"
#include "tools/opc/SimFlags.h"
#include "tools/opc/profile/Profile.h"
#include "tools/opc/source/SourceRun.h"

#include <memory>

namespace opc::tool {

class ProfiledKernel {
public:
  virtual ~ProfiledKernel() = default;
  /// Runs the kernel; its outputs are those of `launch()`. False after an error.
  virtual bool simulate(const Target &chip, const SimOptions &options, SimResult &result, Diagnostics &diagnostics) = 0;
  const ProfiledLaunch &launch() const { return about; }

protected:
  ProfiledLaunch about;
};

/// The options that define the tensors of a launch.
struct LaunchFlags {
  std::vector<std::string> inputs, attributes;
  std::string shapes, dtype; ///< of inputs with random elements
  std::string figures;       ///< --target-figures
  MemoryFlags memory;
  uint64_t seed = 310;
  CacheFlags cache;
  /// Tensors of another launch: inputs by name, and shapes and types of outputs; null: the options above.
  const ProfiledLaunch *like = nullptr;
};

/// Null after an error.
std::unique_ptr<ProfiledKernel> openFolderKernel(const std::string &folder, const LaunchFlags &flags,
                                                 Diagnostics &diagnostics);
std::unique_ptr<ProfiledKernel> openSourceKernel(const SourceRunOptions &options, const LaunchFlags &flags,
                                                 Diagnostics &diagnostics);

/// Runs a kernel with a profiler and makes its profile; with `effects` it also runs it at half and double of each
/// assumed figure. Nullopt after an error.
std::optional<Profile> profileKernel(ProfiledKernel &kernel, Profiler &profiler, bool effects, std::string *trace,
                                     Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_PROFILE_PROFILEDKERNEL_H
