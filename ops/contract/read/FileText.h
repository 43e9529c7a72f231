// The text of a file, up to a limit.

#ifndef OPC_OPS_CONTRACT_READ_FILETEXT_H
#define OPC_OPS_CONTRACT_READ_FILETEXT_H

#include <cstddef>
#include <istream>
#include <string>

namespace opc {

/// The most bytes of a contract or of a schedule file (contract_c1).
inline constexpr size_t kLargestFile = size_t(1) << 20;
/// One byte more, so that the rule detects a larger file without reading all of it.
inline constexpr size_t kReadLimit = kLargestFile + 1;

/// The bytes of `stream` up to its end, or the first `limit` ones. After an error `stream.bad()` holds.
std::string readUpTo(std::istream &stream, size_t limit);

} // namespace opc

#endif // OPC_OPS_CONTRACT_READ_FILETEXT_H
