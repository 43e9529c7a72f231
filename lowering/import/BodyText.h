// The text of a body before MLIR parses it: the aliases in its first line for a type row, and limits on hostile input.
//
//   !T = f16                                 in the file, which can be parsed as it is
//   !T = f32                                 for the row float32; the line remains one line, so no location changes
//
// `!T` is the type of the first input; `!NAME`, with the name of a tensor, is the type of that tensor. Other aliases
// in the first line are the author's and are not changed.

#ifndef OPC_LOWERING_IMPORT_BODYTEXT_H
#define OPC_LOWERING_IMPORT_BODYTEXT_H

#include "ops/contract/Contract.h"

#include <optional>
#include <string>

namespace opc {

/// Size limit for a body, in bytes.
inline constexpr int64_t kMaxBodyBytes = 4 << 20;

/// Reads a body and checks limits that bound the parser's recursion; nullopt after E0600 or E0300.
std::optional<std::string> readBody(const std::string &path, Diagnostics &diagnostics);

/// The text with the aliases of a type row; nullopt after E0310 (bind_c1) if an alias names a type that no row has.
std::optional<std::string> instantiate(const std::string &text, const Contract &contract, unsigned typeRow,
                                       const std::string &path, Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_BODYTEXT_H
