// Parses JSON text to a document and writes it. Input is untrusted: its size is limited, duplicate keys are refused,
// and an error has its line.

#ifndef OPC_RUNTIME_PROGRAM_FORMAT_JSONTEXT_H
#define OPC_RUNTIME_PROGRAM_FORMAT_JSONTEXT_H

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace opc {

/// Limits of a text.
struct JsonLimits {
  size_t bytes = 16u << 20;
  size_t levels = 16; ///< nesting depth of objects and lists
  size_t keys = 64;   ///< of one object
};

/// Why a text was refused.
struct JsonProblem {
  unsigned line = 0, column = 0; ///< count from 1; 0 for an error of the whole text
  std::string message;           ///< "expects each key once, found 'name' twice"
  /// "line 3, column 7: " and the message.
  std::string text() const;
};

/// Parses a text into `json`. Returns false with the first problem when the text is not JSON or exceeds a limit;
/// parsing stops there, and the contents of `json` are unspecified.
bool parseJson(std::string_view text, const JsonLimits &limits, nlohmann::ordered_json &json, JsonProblem &problem);

/// The text of `json`: on one line when `indent` is -1, else with `indent` blanks per level. Names and messages may
/// contain any bytes; bytes that are not UTF-8 become U+FFFD.
std::string writeJson(const nlohmann::ordered_json &json, int indent = -1);

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_FORMAT_JSONTEXT_H
