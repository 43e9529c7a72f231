// The table of codes, read from codes/*.def at compile time, and the lookup by name.

#include "runtime/diagnostic/Diagnostic.h"

using namespace opc;

const std::vector<CodeInfo> &opc::allCodes() {
  static const std::vector<CodeInfo> table = {
#define OPC_CODE(NUMBER, EXIT, TITLE, EXPLANATION)                                                                     \
  {Code::E##NUMBER, "OPC-E" #NUMBER, ExitCode::EXIT, TITLE, EXPLANATION},
#include "runtime/diagnostic/codes/All.def"
#undef OPC_CODE
  };
  return table;
}

const CodeInfo &opc::codeInfo(Code code) {
  return allCodes()[static_cast<size_t>(code)];
}

const CodeInfo *opc::findCode(std::string_view name) {
  auto dropPrefix = [&name](std::string_view upper, std::string_view lower) {
    std::string_view head = name.substr(0, upper.size());
    if (head == upper || head == lower)
      name.remove_prefix(upper.size());
  };
  dropPrefix("OPC-", "opc-");
  dropPrefix("E", "e");
  if (name.size() != 4)
    return nullptr;
  for (const CodeInfo &info : allCodes())
    if (info.name.substr(info.name.size() - 4) == name)
      return &info;
  return nullptr;
}
