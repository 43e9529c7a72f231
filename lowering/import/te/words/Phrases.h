// Phrases that messages about a te body share.

#ifndef OPC_LOWERING_IMPORT_TE_WORDS_PHRASES_H
#define OPC_LOWERING_IMPORT_TE_WORDS_PHRASES_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace opc {

/// The page that shows how each operation is written.
inline constexpr llvm::StringLiteral kOperations = "docs/reference/te.md";

inline constexpr llvm::StringLiteral kNumberTypes =
    "numbers: f16, bf16, f32, i1, i8, ui8, i16, ui16, i32; aliases: !T, and !NAME of each tensor";

/// Follows the type of a value that represents each tensor of an input with a count.
inline constexpr llvm::StringLiteral kOfEach = " for each of several tensors";

/// The text between the first two quotes of a message from `from` on; empty if there are none.
std::string quoted(llvm::StringRef message, size_t from = 0);

/// Names for a message. A body may have any number of them; the last ones are the most likely and are listed.
std::string listed(const std::vector<std::string> &names);

/// The question whether the nearest of the names is meant; empty if none is near.
std::string meant(const std::string &name, const std::vector<std::string> &names);

} // namespace opc

#endif // OPC_LOWERING_IMPORT_TE_WORDS_PHRASES_H
