// Sizes of on-chip memory in messages.

#ifndef OPC_RUNTIME_DIAGNOSTIC_KILOBYTES_H
#define OPC_RUNTIME_DIAGNOSTIC_KILOBYTES_H

#include <cstdint>
#include <string>

namespace opc {

/// Formats `bytes`, at least 0, in units of 1024 bytes: "12 KB", "12.5 KB". Rounds up to a tenth, so that a size that
/// exceeds a memory is never printed as the size of the memory.
std::string kilobytes(int64_t bytes);

} // namespace opc

#endif // OPC_RUNTIME_DIAGNOSTIC_KILOBYTES_H
