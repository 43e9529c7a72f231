// The board kit of a package: a folder for each operator to copy to a board, where the vendor's toolkit builds,
// installs, checks and measures it.
//
//   board_kit/README.md
//   board_kit/<op>/op.json, op_host/, op_kernel/, docs/    the sources of the project
//   board_kit/<op>/make.sh, check.sh, measure.sh           and their common parts: operator.sh, toolkit.sh, presets.py,
//                                                          summary.py
//   board_kit/<op>/check.cpp, opc_check.h, check/<case>/*.npy
//   board_kit/<op>/errors.md                               numbers of the vendor's runtime, explained
//
// The CPU kernel of the package computes the expected outputs.

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
  std::string soc; ///< the name for the vendor's project generator: "ascend310b"
};

/// Makes all files of the kit. Runs the op folders in the package's folder `package`. Empty after an error.
std::vector<KitFile> makeBoardKit(const std::vector<BoardKitOperator> &operators, const std::string &package,
                                  const BoardKitOptions &options, Diagnostics &diagnostics);

/// A case of the program that compares results on the board with the two-phase call.
struct KitCase {
  unsigned row = 0;
  std::string folder;                       ///< "float16_0"
  std::vector<std::vector<int64_t>> shapes; ///< of the inputs
  std::vector<AttributeValue> attributes;   ///< in the contract's order
};
std::string checkProgram(const Contract &contract, const std::vector<KitCase> &cases);

/// The cases of an operator: for each type row some shapes that the contract allows, and some values of its attributes.
std::vector<KitCase> kitCases(const Contract &contract, const std::vector<unsigned> &rows);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_PKG_BOARDKIT_H
