#include "ops/onnx/coverage/ContractSet.h"

#include "ops/contract/Places.h"
#include "ops/contract/read/Reader.h"

#include <algorithm>
#include <filesystem>

namespace opc::onnx {

namespace fs = std::filesystem;

/// Contracts in a folder and in the folders in it, in the order of their paths.
static std::vector<std::string> contractsIn(const std::string &folder) {
  std::vector<std::string> files;
  auto add = [&](const fs::path &path) {
    std::error_code error;
    if (fs::is_regular_file(path / "op_contract.yaml", error))
      files.push_back((path / "op_contract.yaml").string());
  };
  add(folder);
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->is_directory(error))
      add(entry->path());
  std::sort(files.begin(), files.end());
  return files;
}

bool ContractSet::addOfLibrary(std::string_view text, const std::string &path, const BodyText &bodyText,
                               Diagnostics &diagnostics) {
  std::optional<Contract> contract = parseContract(text, path, diagnostics);
  if (!contract)
    return false;
  for (ContractBody &body : contract->bodies)
    if (body.level == BodyLevel::Te)
      readTeBody(body, bodyText(contract->filePath(body.file)));
  bindParts(*contract);
  needPlaces(*contract);
  contracts.push_back(std::make_unique<Contract>(std::move(*contract)));
  index.add(*contracts.back(), /*ofUser=*/false);
  return true;
}

bool ContractSet::addFolder(const std::string &folder, bool ofUser, Diagnostics &diagnostics) {
  // Contracts of the library have paths such as "abs/op_contract.yaml"; a user's contract never has such a path.
  const bool isBare = ofUser && !folder.empty() && folder.front() != '.' && folder.front() != '/';
  std::vector<std::string> files = contractsIn(isBare ? "./" + folder : folder);
  if (files.empty()) {
    diagnostics.error(Code::E0600, {folder, 0, 0},
                      "expects a folder with an op_contract.yaml, or with folders that have one, found none", {},
                      "'opc new' writes a folder with a contract");
    return false;
  }
  for (const std::string &file : files) {
    std::optional<Contract> contract = loadContract(file, diagnostics);
    if (!contract)
      return false;
    contracts.push_back(std::make_unique<Contract>(std::move(*contract)));
    index.add(*contracts.back(), ofUser);
    if (ofUser && contracts.back()->onnx.empty())
      diagnostics.warning(Code::E0260, contracts.back()->location,
                          "expects contracts of --contracts to say under 'onnx' which nodes they compute, found none",
                          "contract_c60",
                          "add 'onnx:' with '- operator: NAME'; docs/reference/contract.md describes it");
  }
  return true;
}

const Contract *ContractSet::find(std::string_view path) const {
  for (const std::unique_ptr<Contract> &contract : contracts)
    if (contract->path == path)
      return contract.get();
  return nullptr;
}

const Contract *ContractSet::findOperator(std::string_view opType) const {
  // The library is read first.
  for (const std::unique_ptr<Contract> &contract : contracts)
    if (contract->opType == opType)
      return contract.get();
  return nullptr;
}

} // namespace opc::onnx
