// Diagnostics: one record for each error, warning or remark, from any stage.
//
// A diagnostic has a location in the user's file, a stable code (OPC-E0213), the label of the broken rule, a message
// that says what was found, and a fix. Codes and their explanations are in codes/*.def, one file for each family;
// `opc explain` prints them. This folder is a leaf: every layer may include it.

#ifndef OPC_RUNTIME_DIAGNOSTIC_DIAGNOSTIC_H
#define OPC_RUNTIME_DIAGNOSTIC_DIAGNOSTIC_H

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace opc {

/// Exit status of every command. After errors with different exit codes the process exits with that of the first error.
enum class ExitCode : int {
  Done = 0,
  CheckFailed = 1,
  Usage = 2,
  Contract = 3,
  Compile = 4,
  Resources = 5,
  Environment = 6,
  Internal = 70,
};

/// A stable code; the enumerator E0213 prints as "OPC-E0213".
enum class Code : uint16_t {
#define OPC_CODE(NUMBER, EXIT, TITLE, EXPLANATION) E##NUMBER,
#include "runtime/diagnostic/codes/All.def"
#undef OPC_CODE
};

struct CodeInfo {
  Code code;
  std::string_view name; ///< "OPC-E0213"
  ExitCode exit;
  std::string_view title;       ///< one line, lower case
  std::string_view explanation; ///< what it means, why it is refused, what to do; several lines
};

/// All codes in the order of their numbers.
const std::vector<CodeInfo> &allCodes();
const CodeInfo &codeInfo(Code code);
/// Finds a code by "OPC-E0213", "E0213" or "0213"; nullptr when it does not exist.
const CodeInfo *findCode(std::string_view name);

/// A position in a text file. Lines and columns count from 1; 0 means unknown.
struct Location {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
};

enum class Severity { Error, Warning, Remark };

struct Note {
  Location location;
  std::string message;
};

struct Diagnostic {
  Severity severity = Severity::Error;
  Code code{};
  Location location;
  std::string rule;    ///< label of the broken rule ("contract_c4"), may be empty
  std::string message; ///< the rule, then what was found; lower case, names in quotes, no full stop
  std::string fix;     ///< what would fix it; may be empty
  std::vector<Note> notes;
};

/// "file:line:col: error: OPC-E0213 [contract_c4]: message", then indented notes and "fix: ..." lines.
void printText(std::ostream &os, const Diagnostic &diagnostic);
/// One JSON object on one line, with schema_version.
void printJson(std::ostream &os, const Diagnostic &diagnostic);
/// Parses a line that printJson wrote. Returns false for any other text, and may leave `diagnostic` partly filled.
bool readJson(std::string_view line, Diagnostic &diagnostic);

/// Collects the diagnostics of a stage. Stages continue after an error where they can, so that one run reports
/// several. Not thread-safe.
class Diagnostics {
public:
  Diagnostic &error(Code code, Location location, std::string message, std::string rule = {}, std::string fix = {});
  Diagnostic &warning(Code code, Location location, std::string message, std::string rule = {}, std::string fix = {});
  Diagnostic &remark(Code code, Location location, std::string message, std::string rule = {}, std::string fix = {});
  void add(Diagnostic diagnostic);
  void add(const Diagnostics &others);

  bool hasErrors() const { return errors != 0; }
  size_t errorCount() const { return errors; }
  const std::vector<Diagnostic> &all() const { return records; }
  /// ExitCode::Done when there are no errors, else the exit code of the first error.
  ExitCode exitCode() const;

private:
  std::vector<Diagnostic> records;
  size_t errors = 0;
};

/// The candidate nearest to a misspelt name, by number of edits: insertions, deletions, replacements and swaps of
/// neighbours. Empty when every candidate needs more edits than a third of the longer name's length, rounded up.
/// Letter case breaks ties.
std::string nearestName(std::string_view name, const std::vector<std::string> &candidates);

/// Text from a file as one line for a message: control characters escaped, truncated after `limit` bytes.
std::string printable(std::string_view text, size_t limit = 80);

/// A path for a message: escaped as by printable(), but not truncated, since the end of a path names the file.
std::string printablePath(std::string_view path);

} // namespace opc

#endif // OPC_RUNTIME_DIAGNOSTIC_DIAGNOSTIC_H
