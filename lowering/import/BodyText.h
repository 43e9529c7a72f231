// The text of a body before MLIR sees it: the first line's aliases for one type row, and limits on hostile input.
//
//   !T = f16                                 in the file; it parses alone
//   !T = f32                                 what the row float32 gets; the line stays one line, so no place moves
//
// `!T` is the type of the first input; `!NAME`, with the name of a tensor, is the type of that tensor. Other aliases
// of the first line are the author's and stay.

#ifndef OPC_LOWERING_IMPORT_BODYTEXT_H
#define OPC_LOWERING_IMPORT_BODYTEXT_H

#include "ops/contract/Contract.h"

#include <optional>
#include <string>

namespace opc {

/// Longest body that is read.
inline constexpr int64_t kMaxBodyBytes = 4 << 20;

/// Reads a body and holds it to limits that keep the parser's recursion bounded; nothing, with E0600 or E0300.
std::optional<std::string> readBody(const std::string &path, Diagnostics &diagnostics);

/// The text with the aliases of a type row; nothing, with E0310 (bind_c1), when an alias names a type that no row has.
std::optional<std::string> instantiate(const std::string &text, const Contract &contract, unsigned typeRow,
                                       const std::string &path, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_BODYTEXT_H
