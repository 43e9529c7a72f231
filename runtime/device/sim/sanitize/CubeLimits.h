// Limits of the sizes that instructions of the cube have, from figures of the vendor's calls.

#ifndef OPC_RUNTIME_DEVICE_SIM_SANITIZE_CUBELIMITS_H
#define OPC_RUNTIME_DEVICE_SIM_SANITIZE_CUBELIMITS_H

#include "runtime/device/sim/launch/Launch.h"

#include <optional>
#include <string_view>
#include <vector>

namespace opc::sim {

/// A size of an instruction of the cube, with its limits.
struct CubeSize {
  std::string_view what;
  int64_t value, least, most;
};

/// The figures are looked up once for a launch: each instruction is checked.
class CubeLimits {
public:
  explicit CubeLimits(const Launch &launch);

  /// The first size of an instruction of the cube that is beyond its limits; nullopt if none is.
  std::optional<CubeSize> beyond(const SimInstruction &op) const;

private:
  std::optional<CubeSize> beyondOfNz(const SimInstruction &op) const;
  std::optional<CubeSize> beyondOfImage(const SimInstruction &op) const;

  bool isRecorded;
  int64_t copyBlocks, copyLength, nzRows, nzColumns, nzPitch, nzHeight, fillRepeats, fractalRepeats, fractalStride;
  int64_t im2colSize, mmadSize, fixpipeRows, fixpipeColumns;
  std::vector<int64_t> image; ///< of each number of a load of windows
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SANITIZE_CUBELIMITS_H
