// Rule 41: the files that a contract names exist, are regular files, and are inside its folder after resolving links.

#include "ops/contract/read/Parts.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace opc {

namespace fs = std::filesystem;

/// Why a file of the contract is refused, empty when it is accepted.
static std::string checkFile(const fs::path &folder, const fs::path &file) {
  std::error_code error;
  fs::path root = fs::canonical(folder, error);
  if (error)
    return "cannot be looked up";
  fs::path real = fs::canonical(folder / file, error);
  if (error)
    return "does not exist";
  auto [rootEnd, realRest] = std::mismatch(root.begin(), root.end(), real.begin(), real.end());
  if (rootEnd != root.end())
    return "is a link out of the contract's folder";
  if (!fs::is_regular_file(real, error))
    return "is no plain file";
  std::ifstream stream(real, std::ios::binary);
  if (!stream)
    return "cannot be read";
  return {};
}

void checkFiles(ContractErrors &errors, const ContractDraft &draft) {
  const Contract &contract = draft.contract;
  auto check = [&](const std::string &file, const Location &where, const char *what) {
    if (file.empty())
      return;
    std::string wrong = checkFile(contract.directory, file);
    if (!wrong.empty())
      errors.report(ContractRule::FileThere, where,
                    std::string("expects ") + what + " beside the contract, found that '" + printable(file, 80) + "' " +
                        wrong);
  };
  for (const ContractBody &body : contract.bodies)
    check(body.file, body.location, "the body");
  check(contract.reference, draft.referenceAt, "the reference");
  check(contract.schedule, draft.scheduleAt, "the schedule");
}

} // namespace opc
