// JSON text as a document and back. What is read is not trusted: bounded, no key twice, and a problem has its line.

#ifndef OPC_RUNTIME_PROGRAM_JSONTEXT_H
#define OPC_RUNTIME_PROGRAM_JSONTEXT_H

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace opc {

/// What a text may have at most.
struct JsonLimits {
  size_t bytes = 16u << 20;
  size_t levels = 16; ///< objects and lists within each other
  size_t keys = 64;   ///< of one object
};

/// Why a text was refused.
struct JsonProblem {
  unsigned line = 0, column = 0; ///< from 1 on; 0 when it is about the whole text
  std::string message;           ///< "expects each key once, found 'name' twice"
  /// "line 3, column 7: " and the message.
  std::string text() const;
};

/// Reads the text into `json`. False, with the first problem, when it is no JSON or breaks a limit; what breaks one
/// is not read on. `json` is then of no use.
bool parseJson(std::string_view text, const JsonLimits &limits, nlohmann::ordered_json &json, JsonProblem &problem);

/// The text of `json`: on one line, or on lines that are indented by so many blanks. Bytes that are no UTF-8 become
/// U+FFFD, since names and messages may hold any.
std::string writeJson(const nlohmann::ordered_json &json, int indent = -1);

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_JSONTEXT_H
