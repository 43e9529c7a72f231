#include "lowering/pipelines/operator/TestLevels.h"

#include "lowering/cpu/CpuLevel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <cstdlib>

namespace opc {

static constexpr llvm::StringLiteral kVariable = "OPC_TEST_CPU_LEVELS";

/// What the variable names, without empty names.
static llvm::SmallVector<llvm::StringRef> namesOfTest() {
  llvm::SmallVector<llvm::StringRef> names;
  if (const char *variable = std::getenv(kVariable.data()))
    llvm::StringRef(variable).split(names, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return names;
}

std::vector<std::string> levelsOfTest(std::vector<std::string> defaults) {
  const llvm::SmallVector<llvm::StringRef> names = namesOfTest();
  std::vector<std::string> chosen;
  for (const std::string &level : defaults)
    if (llvm::any_of(names, [&](llvm::StringRef name) { return cpuLevelByName(name) == cpuLevelByName(level); }))
      chosen.push_back(level);
  return chosen.empty() ? defaults : chosen;
}

bool checkLevelsOfTest(Diagnostics &diagnostics) {
  std::vector<std::string> known;
  for (const CpuLevel &level : cpuLevels())
    known.push_back(level.shortName.str());
  for (llvm::StringRef name : namesOfTest()) {
    if (cpuLevelByName(name))
      continue;
    const std::string nearest = nearestName(name.str(), known);
    diagnostics.error(Code::E0104, {},
                      (kVariable + " expects levels of CPU (" + llvm::join(known, ", ") + "): found '").str() +
                          printable(name.str()) + "'",
                      "", nearest.empty() ? "unset it: it is for tests of opc" : "did you mean '" + nearest + "'?");
    return false;
  }
  return true;
}

std::string fewerLevels() {
  const std::vector<std::string> all = defaultCpuLevels(/*multipliesBytes=*/true), chosen = levelsOfTest(all);
  return chosen.size() == all.size() ? "" : llvm::join(chosen, ",");
}

} // namespace opc
