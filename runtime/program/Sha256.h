// The checksum that manifests and contract hashes carry.

#ifndef OPC_RUNTIME_PROGRAM_SHA256_H
#define OPC_RUNTIME_PROGRAM_SHA256_H

#include <string>
#include <string_view>

namespace opc {

/// SHA-256 of bytes, 64 lower-case hex digits; empty when libcrypto refuses.
std::string sha256(std::string_view bytes);

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_SHA256_H
