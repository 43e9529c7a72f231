// Whether the vendor's kernel-side API has a call on this chip, and what to write instead of a missing call.

#include "runtime/diagnostic/Diagnostic.h"
#include "runtime/target/Target.h"

#include <unordered_map>

using namespace opc;

static const std::unordered_map<std::string_view, ApiSupport> &apiNames() {
  static const std::unordered_map<std::string_view, ApiSupport> names = {
#define OPC_API(NAME, SUPPORT) {NAME, ApiSupport::SUPPORT},
#include "runtime/target/toolkit/KernelApi.def"
#undef OPC_API
  };
  return names;
}

static std::string_view substituteFor(std::string_view name) {
  static const std::unordered_map<std::string_view, std::string_view> texts = {
#define OPC_SUBSTITUTE(NAME, TEXT) {NAME, TEXT},
#include "runtime/target/toolkit/Substitutes.def"
#undef OPC_SUBSTITUTE
  };
  auto found = texts.find(name);
  return found == texts.end() ? std::string_view() : found->second;
}

ApiAnswer opc::queryApi(std::string_view name) {
  ApiAnswer answer{ApiSupport::Unknown, {}, {}};
  auto found = apiNames().find(name);
  if (found != apiNames().end()) {
    answer.support = found->second;
    answer.substitute = substituteFor(name);
    return answer;
  }
  answer.nearest = nearestName(name, apiCallNames());
  return answer;
}

std::vector<std::string> opc::apiCallNames() {
  return {
#define OPC_API(NAME, SUPPORT) NAME,
#include "runtime/target/toolkit/KernelApi.def"
#undef OPC_API
  };
}

const std::vector<std::string_view> &opc::builtinOperators() {
  static const std::vector<std::string_view> names = {
#define OPC_BUILTIN_OPERATOR(NAME) NAME,
#include "runtime/target/toolkit/BuiltinOperators.def"
#undef OPC_BUILTIN_OPERATOR
  };
  return names;
}
