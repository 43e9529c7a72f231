// The checksum in manifests and contract hashes.

#ifndef OPC_RUNTIME_PROGRAM_FORMAT_SHA256_H
#define OPC_RUNTIME_PROGRAM_FORMAT_SHA256_H

#include <string>
#include <string_view>

namespace opc {

/// SHA-256 of bytes as 64 lower-case hex digits; empty when libcrypto fails.
std::string sha256(std::string_view bytes);

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_FORMAT_SHA256_H
