// A file of figures for the cost model: what `opc target calibrate` fitted, and what runs on the simulator
// take with --target-figures.
//
//   {"schema_version": 1, "target": "Ascend310B1",
//    "figures": [{"name": "load_rate", "value": 19.2, "standard_error": 0.1}, ...]}
//
// Figures of the cost model alone may stand in it: no plan, no limit and no check depends on the file.

#ifndef OPC_RUNTIME_PROGRAM_TARGETFIGURES_H
#define OPC_RUNTIME_PROGRAM_TARGETFIGURES_H

#include "runtime/target/Target.h"

#include <string>
#include <vector>

namespace opc {

struct TargetFigure {
  std::string name;
  double value = 0;
  double standardError = 0; ///< 0: not known
};

struct TargetFigures {
  std::string target; ///< soc version
  std::vector<TargetFigure> figures;
};

std::string writeTargetFigures(const TargetFigures &figures);
/// Returns the reason of a refusal, empty when all is well: text that is no such file, an unknown chip, a figure that
/// is not of the cost model, a value that is not above 0 and finite.
std::string readTargetFigures(const std::string &text, TargetFigures &figures);
/// The chip with these figures; `figures` is as readTargetFigures took it, for this chip.
Target withFigures(const Target &target, const TargetFigures &figures);

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_TARGETFIGURES_H
