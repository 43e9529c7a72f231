// The text of a file, up to a limit.

#ifndef OPC_OPS_CONTRACT_READ_FILETEXT_H
#define OPC_OPS_CONTRACT_READ_FILETEXT_H

#include <cstddef>
#include <istream>
#include <string>

namespace opc {

/// The bytes of `stream` up to its end, or the first `limit` ones. After an error `stream.bad()` holds.
std::string readUpTo(std::istream &stream, size_t limit);

} // namespace opc

#endif // OPC_OPS_CONTRACT_READ_FILETEXT_H
