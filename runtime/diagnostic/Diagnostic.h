// What the user is told: one record for an error, a warning or a remark, whoever found it.
//
// A diagnostic has a place in the user's file, a stable code (OPC-E0213), the label of the rule that broke, what was
// found and what would fix it. Codes and their long explanations stand in codes/*.def, one file for each family; `opc
// explain` prints them. This folder is a leaf: every layer may include it.

#ifndef OPC_RUNTIME_DIAGNOSTIC_DIAGNOSTIC_H
#define OPC_RUNTIME_DIAGNOSTIC_DIAGNOSTIC_H

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace opc {

/// Exit status of every command. Worse than one code at once: the process ends with the first error's.
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
/// Accepts "OPC-E0213", "E0213", "0213"; nullptr when there is none.
const CodeInfo *findCode(std::string_view name);

/// A place in a text file. Lines and columns count from 1; 0 means unknown.
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
  std::string rule;    ///< label of the broken rule ("contract_c4"), empty when none has one
  std::string message; ///< the rule, then what was found; lower case, names in quotes, no full stop
  std::string fix;     ///< what would fix it; may be empty
  std::vector<Note> notes;
};

/// "file:line:col: error: OPC-E0213 [contract_c4]: message", then indented notes and "fix: ..." lines.
void printText(std::ostream &os, const Diagnostic &diagnostic);
/// One JSON object on one line, with schema_version.
void printJson(std::ostream &os, const Diagnostic &diagnostic);
/// Reads what printJson wrote; false, with `diagnostic` half filled, for any other text.
bool readJson(std::string_view line, Diagnostic &diagnostic);

/// Collects what a stage found. Stages go on after an error where they can, so that one run tells several.
class Diagnostics {
public:
  Diagnostic &error(Code code, Location location, std::string message, std::string rule = {}, std::string fix = {});
  Diagnostic &warning(Code code, Location location, std::string message, std::string rule = {}, std::string fix = {});
  void add(Diagnostic diagnostic);

  bool hasErrors() const { return errors != 0; }
  size_t errorCount() const { return errors; }
  const std::vector<Diagnostic> &all() const { return records; }
  /// Done without errors, else the exit code of the first error.
  ExitCode exitCode() const;

private:
  std::vector<Diagnostic> records;
  size_t errors = 0;
};

/// The candidate nearest to a misspelt name, or empty when none is near: more edits (an insertion, deletion,
/// replacement or swap of neighbours) than a third of the longer name, rounded up. Letter case decides among equals.
std::string nearestName(std::string_view name, const std::vector<std::string> &candidates);

/// A file's text as one line for a message: control characters escaped, cut after `limit` bytes.
std::string printable(std::string_view text, size_t limit = 80);

/// A path for a message: escaped like printable(), and whole, since its end is what names the file.
std::string printablePath(std::string_view path);

} // namespace opc

#endif // OPC_RUNTIME_DIAGNOSTIC_DIAGNOSTIC_H
