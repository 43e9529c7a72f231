// A folder of a test, with a contract in it.

#ifndef OPC_TEST_UNIT_CONTRACTFOLDER_H
#define OPC_TEST_UNIT_CONTRACTFOLDER_H

#include "ops/contract/read/Reader.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <optional>
#include <string>

namespace opc::test {

/// A folder of its own below the system's place for temporary files, gone with this object.
class ContractFolder {
public:
  ContractFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "opc-contract-XXXXXX").string();
    if (mkdtemp(pattern.data()))
      folder = pattern;
    else
      ADD_FAILURE() << "cannot make a folder like " << pattern;
  }
  ~ContractFolder() { std::filesystem::remove_all(folder); }
  ContractFolder(const ContractFolder &) = delete;
  ContractFolder &operator=(const ContractFolder &) = delete;

  const std::filesystem::path &path() const { return folder; }

  /// Puts a file into the folder.
  void write(const std::string &name, const std::string &text) const {
    std::ofstream(folder / name, std::ios::binary) << text;
  }

  /// The contract of `text`, which lies in the folder then. The test fails when it is refused.
  Contract contract(const std::string &text) const {
    write("op_contract.yaml", text);
    Diagnostics diagnostics;
    std::optional<Contract> parsed = parseContract(text, (folder / "op_contract.yaml").string(), diagnostics);
    for (const Diagnostic &diagnostic : diagnostics.all())
      ADD_FAILURE() << diagnostic.message;
    return parsed ? *parsed : Contract();
  }

private:
  std::filesystem::path folder;
};

} // namespace opc::test

#endif // OPC_TEST_UNIT_CONTRACTFOLDER_H
