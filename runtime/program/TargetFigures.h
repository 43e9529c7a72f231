// A file of figures for the cost model: `opc target calibrate` writes it, and runs on the simulator take it
// with --target-figures.
//
//   {"schema_version": 1, "target": "Ascend310B1",
//    "figures": [{"name": "load_rate", "value": 19.2, "standard_error": 0.1}, ...]}
//
// It may contain figures of the cost model only: no plan, no limit and no check depends on the file.

#ifndef OPC_RUNTIME_PROGRAM_TARGETFIGURES_H
#define OPC_RUNTIME_PROGRAM_TARGETFIGURES_H

#include "runtime/target/Target.h"

#include <string>
#include <vector>

namespace opc {

struct TargetFigure {
  std::string name;
  double value = 0;
  double standardError = 0; ///< 0: unknown
};

struct TargetFigures {
  std::string target; ///< soc version
  std::vector<TargetFigure> figures;
};

std::string writeTargetFigures(const TargetFigures &figures);
/// Parses an untrusted text. Returns the error, empty on success: the text is not such a file, the chip is unknown, a
/// figure is not of the cost model, a value is not finite and above 0.
std::string readTargetFigures(const std::string &text, TargetFigures &figures);
/// The chip with these figures; `figures` must come from readTargetFigures and be for this chip.
Target withFigures(const Target &target, const TargetFigures &figures);

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_TARGETFIGURES_H
