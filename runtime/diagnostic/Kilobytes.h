// Sizes of on-chip memory in messages.

#ifndef OPC_RUNTIME_DIAGNOSTIC_KILOBYTES_H
#define OPC_RUNTIME_DIAGNOSTIC_KILOBYTES_H

#include <cstdint>
#include <string>

namespace opc {

/// "12 KB", "12.5 KB": at least 0 bytes for a message, in units of 1024, rounded up to a tenth: what takes more than
/// a memory has never looks as if it fitted.
std::string kilobytes(int64_t bytes);

} // namespace opc

#endif // OPC_RUNTIME_DIAGNOSTIC_KILOBYTES_H
