#include "lowering/pipelines/operator/TestLevels.h"

#include "lowering/cpu/CpuLevel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdlib>

namespace opc {

std::vector<std::string> levelsOfTest(std::vector<std::string> defaults) {
  const char *variable = std::getenv("OPC_TEST_CPU_LEVELS");
  if (!variable)
    return defaults;
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(variable).split(names, ',');
  std::vector<std::string> chosen;
  for (const std::string &level : defaults)
    if (llvm::any_of(names, [&](llvm::StringRef name) { return cpuLevelByName(name) == cpuLevelByName(level); }))
      chosen.push_back(level);
  return chosen.empty() ? defaults : chosen;
}

} // namespace opc
