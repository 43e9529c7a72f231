// UTF-8 texts of files that nobody vouches for.

#ifndef OPC_RUNTIME_DIAGNOSTIC_UTF8_H
#define OPC_RUNTIME_DIAGNOSTIC_UTF8_H

#include <cstddef>
#include <string_view>

namespace opc {

/// The length in bytes of the character at the start of `text`, 0 when it is malformed: overlong forms, surrogates and
/// values past U+10FFFF are. Control characters are characters.
size_t utf8Length(std::string_view text);

} // namespace opc

#endif // OPC_RUNTIME_DIAGNOSTIC_UTF8_H
