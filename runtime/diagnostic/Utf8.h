// UTF-8 texts of untrusted files.

#ifndef OPC_RUNTIME_DIAGNOSTIC_UTF8_H
#define OPC_RUNTIME_DIAGNOSTIC_UTF8_H

#include <cstddef>
#include <string_view>

namespace opc {

/// The length in bytes of the character at the start of `text`, 0 if it is malformed: an overlong form, a surrogate or
/// a value past U+10FFFF. Control characters are valid.
size_t utf8Length(std::string_view text);

} // namespace opc

#endif // OPC_RUNTIME_DIAGNOSTIC_UTF8_H
