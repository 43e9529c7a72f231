// The kinds of errors that the sanitizers find, and their codes.
//
//   mem    an access leaves its memory or its buffer, or is misaligned
//   race   two accesses to a byte, one of them a write, without happens-before by flags or barriers
//   init   bytes are read that were never written, or written for another reader; values are lost
//   sync   flags: a wait without a set, a set without a wait, a double set, reuse, deadlock

#ifndef OPC_RUNTIME_DEVICE_SIM_LAUNCH_KINDS_H
#define OPC_RUNTIME_DEVICE_SIM_LAUNCH_KINDS_H

#include "runtime/diagnostic/Diagnostic.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opc {

/// A set of kinds, for --sanitize.
struct Sanitize {
  bool mem = false, race = false, init = false, sync = false;

  static Sanitize all() { return {true, true, true, true}; }
};

/// "mem", "race", "init", "sync".
const std::vector<std::string> &sanitizerKinds();
/// Parses "mem,race". Returns nullopt and sets `wrong` to the unknown name; empty when a name is missing.
std::optional<Sanitize> parseSanitize(std::string_view list, std::string &wrong);

/// The kind of a code and a rule, and the name that the vendor's run-time checker has for the error (opc's own name
/// where it has none). Empty for codes that no sanitizer reports.
struct Finding {
  std::string_view kind, word;
};
Finding findingOf(Code code, std::string_view rule);

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_SIM_LAUNCH_KINDS_H
