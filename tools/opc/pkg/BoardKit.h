// The board kit of a package: for each operator a folder to carry to a board, where the owner's own toolkit builds,
// installs, checks and measures it.
//
//   board_kit/README.md
//   board_kit/<op>/op.json, op_host/, op_kernel/, docs/    what the project is made of
//   board_kit/<op>/make.sh, check.sh, measure.sh           and what they share: operator.sh, toolkit.sh, presets.py,
//                                                          summary.py
//   board_kit/<op>/check.cpp, opc_check.h, check/<case>/*.npy
//   board_kit/<op>/errors.md                               numbers of the vendor's runtime, explained
//
// Expected outputs are made here, by the CPU kernel of the package.

#ifndef OPC_TOOLS_OPC_PKG_BOARDKIT_H
#define OPC_TOOLS_OPC_PKG_BOARDKIT_H

#include "lowering/pipelines/BuildPackage.h"

#include <string>
#include <vector>

namespace opc::tool {

struct KitFile {
  std::string path; ///< in the folder board_kit
  std::string bytes;
  bool executable = false;
};

struct BoardKitOptions {
  std::string vendor;
  std::string soc; ///< as the vendor's project generator spells it: "ascend310b"
};

/// Every file of the kit; `package` is the package's folder on disk, whose op folders are run. Empty after an error.
std::vector<KitFile> makeBoardKit(const std::vector<BoardKitOperator> &operators, const std::string &package,
                                  const BoardKitOptions &options, Diagnostics &diagnostics);

/// The program that compares on the board: the cases, and the two-phase call with their attributes.
struct KitCase {
  unsigned row = 0;
  std::string folder;                       ///< "float16_0"
  std::vector<std::vector<int64_t>> shapes; ///< of the inputs
  std::vector<AttributeValue> attributes;   ///< in the contract's order
};
std::string checkProgram(const Contract &contract, const std::vector<KitCase> &cases);

/// Cases of an operator: for each type row some shapes that the contract admits, and some values of its attributes.
std::vector<KitCase> kitCases(const Contract &contract, const std::vector<unsigned> &rows);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_PKG_BOARDKIT_H
