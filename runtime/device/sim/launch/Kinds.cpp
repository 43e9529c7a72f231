// Names of kinds, and the table of codes.

#include "runtime/device/sim/launch/Kinds.h"

namespace opc {

const std::vector<std::string> &sanitizerKinds() {
  static const std::vector<std::string> kinds = {"mem", "race", "init", "sync"};
  return kinds;
}

std::optional<Sanitize> parseSanitize(std::string_view list, std::string &wrong) {
  Sanitize result;
  for (size_t begin = 0; begin <= list.size();) {
    const size_t end = std::min(list.find(',', begin), list.size());
    const std::string_view name = list.substr(begin, end - begin);
    if (name == "mem")
      result.mem = true;
    else if (name == "race")
      result.race = true;
    else if (name == "init")
      result.init = true;
    else if (name == "sync")
      result.sync = true;
    else {
      wrong = name;
      return std::nullopt;
    }
    begin = end + 1;
  }
  return result;
}

Finding findingOf(Code code, std::string_view rule) {
  switch (code) {
  case Code::E0560:
    return {"mem", "out of bounds"};
  case Code::E0561:
    return {"mem", "misaligned"};
  case Code::E0562:
    return {"mem", "wrong buffer use"};
  case Code::E0563:
    return {"mem", "count or type"};
  case Code::E0564:
    return {"mem", "overlap"};
  case Code::E0566:
    return {"init", rule == "sim_c21"   ? "freed"
                    : rule == "init_c1" ? "output never written"
                    : rule == "init_c2" ? "never read"
                                        : "never written"};
  case Code::E0570:
    return {"sync", rule == "sync_c12" ? "set overtakes wait" : rule == "sync_c13" ? "event reuse" : "double set"};
  case Code::E0571:
    return {"sync", "set without wait"};
  case Code::E0572:
    return {"sync", "wait without set"};
  case Code::E0573:
    return {"sync", "event id"};
  case Code::E0574:
  case Code::E0822:
    return {"race", "unordered"};
  default:
    return {};
  }
}

} // namespace opc
