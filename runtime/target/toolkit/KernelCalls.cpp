// Lookup in KernelCalls.def by name, form, type row and version.

#include "runtime/target/toolkit/KernelCalls.h"

#include "runtime/target/Target.h"

#include <algorithm>

using namespace opc;

namespace {

struct CallRow {
  std::string_view name, forms, in[2];
  CallFate others; ///< of types that the row does not list
};
struct ModesRow {
  std::string_view source, destination, in[2];
};
struct BothRow {
  std::string_view name, form;
};

/// The values of OTHERS in the table.
constexpr CallFate Silent = CallFate::Nothing, Refused = CallFate::Refused, NoOverload = CallFate::Refused,
                   Unchecked = CallFate::Unknown;

constexpr CallRow kCalls[] = {
#define OPC_CALL(NAME, FORMS, IN_8_1, IN_9_1, DOCUMENTED, OTHERS) {NAME, FORMS, {IN_8_1, IN_9_1}, OTHERS},
#define OPC_CAST_MODES(...)
#define OPC_CALL_OF_BOTH(...)
#include "runtime/target/toolkit/KernelCalls.def"
#undef OPC_CALL
#undef OPC_CAST_MODES
#undef OPC_CALL_OF_BOTH
};

constexpr ModesRow kModes[] = {
#define OPC_CALL(...)
#define OPC_CAST_MODES(SOURCE, DESTINATION, IN_8_1, IN_9_1, DOCUMENTED) {SOURCE, DESTINATION, {IN_8_1, IN_9_1}},
#define OPC_CALL_OF_BOTH(...)
#include "runtime/target/toolkit/KernelCalls.def"
#undef OPC_CALL
#undef OPC_CAST_MODES
#undef OPC_CALL_OF_BOTH
};

constexpr BothRow kOfBoth[] = {
#define OPC_CALL(...)
#define OPC_CAST_MODES(...)
#define OPC_CALL_OF_BOTH(NAME, FORM) {NAME, FORM},
#include "runtime/target/toolkit/KernelCalls.def"
#undef OPC_CALL
#undef OPC_CAST_MODES
#undef OPC_CALL_OF_BOTH
};

} // namespace

/// The words of a version; "=" means those of the first version.
static std::string_view wordsOf(const std::string_view (&in)[2], Cann version) {
  const std::string_view words = in[static_cast<size_t>(version)];
  return words == "=" ? in[0] : words;
}

static bool hasWord(std::string_view list, std::string_view word) {
  for (size_t at = 0; at <= list.size();) {
    const size_t end = std::min(list.find(' ', at), list.size());
    if (list.substr(at, end - at) == word)
      return true;
    at = end + 1;
  }
  return false;
}

std::string_view opc::cannName(Cann version) {
  return version == Cann::V8_1 ? "8.1" : "9.1";
}

std::optional<Cann> opc::findCann(std::string_view name) {
  for (Cann version : kCannVersions)
    if (cannName(version) == name)
      return version;
  return std::nullopt;
}

CallFate opc::callFate(Cann version, std::string_view name, std::string_view form, std::string_view row) {
  for (const CallRow &call : kCalls) {
    if (call.name != name || !hasWord(call.forms, form))
      continue;
    const std::string_view words = wordsOf(call.in, version);
    if (hasWord(words, row))
      return CallFate::Emits;
    if (words == "nothing")
      return CallFate::Nothing;
    if (words == "refused")
      return CallFate::Refused;
    if (words == "absent")
      return CallFate::Absent;
    return hasWord(words, std::string(row) + "?") ? CallFate::Unknown : call.others;
  }
  return CallFate::Unknown;
}

bool opc::hasCall(Cann version, std::string_view name) {
  return std::any_of(std::begin(kCalls), std::end(kCalls),
                     [&](const CallRow &call) { return call.name == name && wordsOf(call.in, version) != "absent"; });
}

bool opc::emitsCall(Cann version, std::string_view name) {
  return std::any_of(std::begin(kCalls), std::end(kCalls), [&](const CallRow &call) {
    const std::string_view words = wordsOf(call.in, version);
    return call.name == name && words != "absent" && words != "nothing" && words != "refused";
  });
}

std::string opc::callRows(Cann version, std::string_view name) {
  for (const CallRow &call : kCalls) {
    const std::string_view words = wordsOf(call.in, version);
    if (call.name == name && words != "absent" && words != "nothing" && words != "refused")
      return std::string(words);
  }
  return {};
}

bool opc::knowsCall(std::string_view name) {
  return std::any_of(std::begin(kCalls), std::end(kCalls), [&](const CallRow &call) { return call.name == name; });
}

std::string_view opc::callOfBoth(std::string_view name) {
  for (const BothRow &both : kOfBoth)
    if (both.name == name)
      return both.form;
  return {};
}

bool opc::castRounds(Cann version, TypeRow types, RoundingMode mode) {
  for (const ModesRow &modes : kModes)
    if (modes.source == mlirTypeName(types.source) && modes.destination == mlirTypeName(types.destination))
      return hasWord(wordsOf(modes.in, version), roundingModeName(mode));
  return false;
}

std::string_view opc::callForm(const IntrinsicInfo &info) {
  switch (info.form) {
  case IntrinsicForm::Select:
    return "tensor_count";
  case IntrinsicForm::SelectScalar:
    return "scalar_count";
  case IntrinsicForm::UnaryScratch:
  case IntrinsicForm::BinaryScratch:
    return "tmp";
  case IntrinsicForm::RepeatReduce:
  case IntrinsicForm::BlockReduce:
  case IntrinsicForm::PairReduce:
    return "mask";
  case IntrinsicForm::GatherMask:
    return "tensor_pattern";
  case IntrinsicForm::GatherPattern:
    return "fixed_pattern";
  case IntrinsicForm::Transpose:
    return "16x16";
  case IntrinsicForm::ChannelsLast:
    return "tensor_lists";
  case IntrinsicForm::Sort:
    return "repeat";
  case IntrinsicForm::Merge:
    return "MrgSort4Info";
  default:
    return info.intrinsic == Intrinsic::vcopy ? "mask" : "count";
  }
}

std::string opc::callRow(const IntrinsicInfo &info, TypeRow types) {
  std::string row(mlirTypeName(types.source));
  if (info.intrinsic == Intrinsic::vbrc && types.source == ElementType::BFloat16)
    return "ui16";                            // kernels fill the bits: no version takes the type
  if (info.form == IntrinsicForm::GatherMask) // bits in words as wide as the elements
    return row + (elementSize(types.source) == 2 ? ":ui16" : ":ui32");
  if (hasMask(info.form))
    return row + ":ui8";
  if (types.source != types.destination)
    row += ">" + std::string(mlirTypeName(types.destination));
  return row;
}

bool opc::vectorUnitTakes(ElementType type) {
  if (type == ElementType::Bool || type == ElementType::Int64)
    return type == ElementType::Bool;
  const std::vector<TypeRow> &rows = intrinsicInfo(Intrinsic::vcast).types;
  return std::any_of(rows.begin(), rows.end(), [type](TypeRow row) { return row.source == type; });
}

ElementType opc::productType(ElementType type) {
  return elementSize(type) == 1 ? ElementType::Int32 : ElementType::Float32;
}

/// Whether both versions have the call that transposes squares of elements.
static bool transposesSquares(ElementType type) {
  const std::string_view row = mlirTypeName(type);
  return callFate(Cann::V8_1, "LoadDataWithTranspose", "params", row) == CallFate::Emits &&
         callFate(Cann::V9_1, "LoadDataWithTranspose", "params", row) == CallFate::Emits;
}

bool opc::cubeTransposesLeft(ElementType type) {
  return elementSize(type) == 2 || (type == ElementType::Float32 && transposesSquares(type));
}

bool opc::cubeTransposesRight(ElementType type) {
  return cubeTransposesLeft(type) || (type == ElementType::Int8 && transposesSquares(type));
}

bool opc::cubeMultiplies(ElementType type) {
  if (type != ElementType::Int8 && !cubeTransposesLeft(type))
    return false;
  const std::string name(mlirTypeName(type)),
      row = name + "*" + name + ">" + std::string(mlirTypeName(productType(type)));
  return callFate(Cann::V8_1, "Mmad", "no_bias", row) == CallFate::Emits &&
         callFate(Cann::V9_1, "Mmad", "no_bias", row) == CallFate::Emits;
}

bool opc::cubeConvolves(ElementType type) {
  const std::vector<TypeRow> &rows = intrinsicInfo(Intrinsic::vgather).types;
  return cubeMultiplies(type) && std::any_of(rows.begin(), rows.end(), [type](TypeRow row) {
           return row.source == type && row.destination == type;
         });
}

bool Target::hasFlag(Pipe from, Pipe to) const {
  if (fixToV && ((from == Pipe::FIX && to == Pipe::V) || (from == Pipe::V && to == Pipe::FIX)))
    return true;
  static const std::vector<bool> pairs = [] {
    std::vector<bool> found;
    for (unsigned pair = 0; pair < kNumPipes * kNumPipes; ++pair) {
      const std::string name = std::string(ascendCPipeName(Pipe(pair / kNumPipes))) + "_" +
                               std::string(ascendCPipeName(Pipe(pair % kNumPipes)));
      found.push_back(callFate(Cann::V8_1, "SetFlag", "call", name) == CallFate::Emits &&
                      callFate(Cann::V9_1, "SetFlag", "call", name) == CallFate::Emits);
    }
    return found;
  }();
  return pairs[unsigned(from) * kNumPipes + unsigned(to)];
}
