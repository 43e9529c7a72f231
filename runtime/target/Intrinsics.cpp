// The table of Intrinsics.def with its type rows parsed, and the names of modes.

#include "runtime/target/Intrinsics.h"

using namespace opc;

/// The element type with this name in MLIR; `word` comes from Intrinsics.def only.
static ElementType typeOfWord(std::string_view word) {
  for (unsigned i = 0; i < kNumElementTypes; ++i)
    if (mlirTypeName(static_cast<ElementType>(i)) == word)
      return static_cast<ElementType>(i);
  return ElementType::Float64; // unreachable: no intrinsic has the type
}

/// Parses type rows: "f16 f32>f16".
static std::vector<TypeRow> parseRows(std::string_view text) {
  std::vector<TypeRow> rows;
  while (!text.empty()) {
    std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size() < text.size() ? word.size() + 1 : word.size());
    size_t arrow = word.find('>');
    ElementType source = typeOfWord(word.substr(0, arrow));
    bool same = arrow == std::string_view::npos;
    rows.push_back({source, same ? source : typeOfWord(word.substr(arrow + 1))});
  }
  return rows;
}

const std::vector<IntrinsicInfo> &opc::allIntrinsics() {
  static const std::vector<IntrinsicInfo> table = {
#define OPC_INTRINSIC(NAME, ASCENDC, FORM, TYPES)                                                                      \
  {Intrinsic::NAME, #NAME, ASCENDC, IntrinsicForm::FORM, parseRows(TYPES)},
#include "runtime/target/Intrinsics.def"
#undef OPC_INTRINSIC
  };
  return table;
}

const IntrinsicInfo &opc::intrinsicInfo(Intrinsic intrinsic) {
  return allIntrinsics()[static_cast<size_t>(intrinsic)];
}

std::optional<Intrinsic> opc::findIntrinsic(std::string_view name) {
  for (const IntrinsicInfo &info : allIntrinsics())
    if (info.name == name)
      return info.intrinsic;
  return std::nullopt;
}

std::string_view opc::roundingModeName(RoundingMode mode) {
  static constexpr std::string_view names[] = {"none", "rint", "floor", "ceil", "round", "trunc", "odd"};
  return names[static_cast<unsigned>(mode)];
}

std::string_view opc::ascendCRoundingName(RoundingMode mode) {
  static constexpr std::string_view names[] = {"CAST_NONE",  "CAST_RINT",  "CAST_FLOOR", "CAST_CEIL",
                                               "CAST_ROUND", "CAST_TRUNC", "CAST_ODD"};
  return names[static_cast<unsigned>(mode)];
}

std::string_view opc::compareModeName(CompareMode mode) {
  static constexpr std::string_view names[] = {"lt", "gt", "eq", "le", "ge", "ne"};
  return names[static_cast<unsigned>(mode)];
}

unsigned opc::arithmeticSteps(Intrinsic intrinsic) {
  switch (intrinsic) {
  case Intrinsic::vand:
  case Intrinsic::vor:
  case Intrinsic::vxor:
  case Intrinsic::vnot:
  case Intrinsic::vshl:
  case Intrinsic::vshr:
    return 0;
  case Intrinsic::vaddrelu:
  case Intrinsic::vsubrelu:
  case Intrinsic::vaddrelucast:
  case Intrinsic::vsubrelucast:
  case Intrinsic::vleakyrelu:
  case Intrinsic::vfma:
  case Intrinsic::vmuladd:
  case Intrinsic::vaxpy:
    return 2;
  case Intrinsic::vmuladdrelu:
    return 3;
  case Intrinsic::vcopy:
    return 0;
  default:
    break;
  }
  switch (intrinsicInfo(intrinsic).form) {
  case IntrinsicForm::Unary:
  case IntrinsicForm::Binary:
  case IntrinsicForm::Scalar:
  case IntrinsicForm::UnaryScratch:
  case IntrinsicForm::BinaryScratch:
  case IntrinsicForm::Reduce:
  case IntrinsicForm::RepeatReduce:
  case IntrinsicForm::BlockReduce:
  case IntrinsicForm::PairReduce:
    return 1;
  default:
    return 0;
  }
}
