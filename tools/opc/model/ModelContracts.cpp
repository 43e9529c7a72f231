#include "tools/opc/model/ModelContracts.h"

#include "ops/contract/read/Reader.h"

#include <algorithm>
#include <filesystem>

namespace opc::tool {

namespace fs = std::filesystem;

/// Contracts of ops/library, by the path of each.
static const std::pair<const char *, const char *> kLibrary[] = {
#include "tools/opc/Library.inc"
};
/// Likewise their bodies.
static const std::pair<const char *, const char *> kBodies[] = {
#include "tools/opc/LibraryBodies.inc"
};

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

bool ModelContracts::readFolder(const std::string &folder, Diagnostics &diagnostics) {
  std::vector<std::string> files = contractsIn(folder);
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
    index.add(*contracts.back(), /*ofUser=*/true);
    if (contracts.back()->onnx.empty())
      diagnostics.warning(Code::E0260, contracts.back()->location,
                          "expects contracts of --contracts to say under 'onnx' which nodes they compute, found none",
                          "contract_c60",
                          "add 'onnx:' with '- operator: NAME'; docs/reference/contract.md describes it");
  }
  return true;
}

bool ModelContracts::read(const std::vector<std::string> &folders, Diagnostics &diagnostics) {
  for (const auto &[path, text] : kLibrary) {
    std::optional<Contract> contract = parseContract(text, path, diagnostics);
    if (!contract)
      return false;
    for (ContractBody &body : contract->bodies)
      for (const auto &[name, bodyText] : kBodies)
        if (body.level == BodyLevel::Te && contract->filePath(body.file) == name)
          readTeBody(body, bodyText);
    contracts.push_back(std::make_unique<Contract>(std::move(*contract)));
    index.add(*contracts.back(), /*ofUser=*/false);
  }
  for (const std::string &folder : folders)
    if (!readFolder(folder, diagnostics))
      return false;
  return true;
}

} // namespace opc::tool
