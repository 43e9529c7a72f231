// The kinds of mistakes that the sanitizers look for, and which code tells which kind.
//
//   mem    an access leaves its memory, its buffer, or the boundary it must keep
//   race   two accesses to one byte, one of them a write, that no flag and no barrier orders
//   init   bytes are read that were never written, or not for this reader; values are lost
//   sync   flags: a wait without a set, a set without a wait, a double set, reuse, deadlock

#ifndef OPC_RUNTIME_DEVICE_SIM_LAUNCH_KINDS_H
#define OPC_RUNTIME_DEVICE_SIM_LAUNCH_KINDS_H

#include "runtime/diagnostic/Diagnostic.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace opc {

/// A set of kinds, as --sanitize names it.
struct Sanitize {
  bool mem = false, race = false, init = false, sync = false;

  static Sanitize all() { return {true, true, true, true}; }
};

/// "mem", "race", "init", "sync".
const std::vector<std::string> &sanitizerKinds();
/// Reads "mem,race"; nullopt with the name that is none in `wrong` (empty: a name is missing).
std::optional<Sanitize> parseSanitize(std::string_view list, std::string &wrong);

/// What a code and a rule stand for: their kind, and the word that the vendor's run-time checker has for the mistake
/// (ours where it has none). Empty for codes that no sanitizer reports.
struct Finding {
  std::string_view kind, word;
};
Finding findingOf(Code code, std::string_view rule);

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_SIM_LAUNCH_KINDS_H
