// Reads `boundary` and `precision`: behaviour at the edges of the number range, and tolerances of results.

#include "ops/contract/read/Parts.h"

namespace opc {

void readBoundary(ContractErrors &errors, const YamlNode *node, ContractDraft &draft) {
  using B = ContractBoundary;
  static const Choices<B::Overflow> overflows = {
      {"infinity", B::Overflow::Infinity}, {"wrap", B::Overflow::Wrap}, {"unspecified", B::Overflow::Unspecified}};
  static const Choices<B::Saturation> saturations = {{"none", B::Saturation::None}, {"clamp", B::Saturation::Clamp}};
  static const Choices<B::Rounding> roundings = {{"nearest_even", B::Rounding::NearestEven},
                                                 {"nearest_away", B::Rounding::NearestAway},
                                                 {"floor", B::Rounding::Floor},
                                                 {"ceil", B::Rounding::Ceil},
                                                 {"trunc", B::Rounding::Trunc},
                                                 {"unspecified", B::Rounding::Unspecified}};
  static const Choices<B::Empty> empties = {{"allowed", B::Empty::Allowed}, {"refused", B::Empty::Refused}};
  static const Choices<B::Nan> nans = {
      {"propagate", B::Nan::Propagate}, {"reference", B::Nan::Reference}, {"unspecified", B::Nan::Unspecified}};
  static const Choices<B::Infinity> infinities = {{"reference", B::Infinity::Reference},
                                                  {"unspecified", B::Infinity::Unspecified}};
  if (!node)
    return;
  Fields fields(errors, *node, mappings::boundary);
  B &boundary = draft.contract.boundary;
  draft.boundary = fields.keyLocation("overflow");
  draft.overflowGiven = fields.find("overflow") != nullptr;
  boundary.overflow = readChoice(errors, fields.find("overflow"), "'overflow'", overflows).value_or(boundary.overflow);
  boundary.saturation =
      readChoice(errors, fields.find("saturation"), "'saturation'", saturations).value_or(boundary.saturation);
  boundary.rounding = readChoice(errors, fields.find("rounding"), "'rounding'", roundings).value_or(boundary.rounding);
  boundary.empty = readChoice(errors, fields.find("empty"), "'empty'", empties).value_or(boundary.empty);
  boundary.nan = readChoice(errors, fields.find("nan"), "'nan'", nans).value_or(boundary.nan);
  boundary.infinity = readChoice(errors, fields.find("infinity"), "'infinity'", infinities).value_or(boundary.infinity);
}

/// A bound on an error: finite and not negative.
static std::optional<double> readMeasure(ContractErrors &errors, const Fields &fields, const char *key) {
  const YamlNode *node = fields.find(key);
  std::optional<double> value = readNumber(errors, node, "'" + std::string(key) + "'");
  if (!value || *value >= 0)
    return value;
  errors.report(ContractRule::ToleranceForm, errors.at(node->line, node->column),
                "expects '" + std::string(key) + "' not to be negative, found " + node->text);
  return std::nullopt;
}

static ContractTolerance readTolerance(ContractErrors &errors, const YamlNode &node, bool ofChip, bool &hasType) {
  Fields fields(errors, node, ofChip ? mappings::chipTolerance : mappings::tolerance);
  ContractTolerance tolerance;
  const YamlNode *typeNode = fields.require("type");
  std::optional<ElementType> type = readElementType(errors, typeNode, "'type'");
  hasType = type.has_value();
  tolerance.type = type.value_or(ElementType::Float32);
  tolerance.location = typeNode ? errors.at(typeNode->line, typeNode->column) : fields.location();
  tolerance.maxUlp = readMeasure(errors, fields, "max_ulp");
  tolerance.absolute = readMeasure(errors, fields, "absolute");
  tolerance.meanRelative = readMeasure(errors, fields, "mean_relative");
  tolerance.maxRelative = readMeasure(errors, fields, "max_relative");
  static const Choices<bool> subnormals = {{"kept", false}, {"flushed", true}};
  if (ofChip)
    tolerance.subnormalsFlushed =
        readChoice(errors, fields.find("subnormal"), "'subnormal'", subnormals).value_or(false);
  bool measured = fields.find("max_ulp") || fields.find("mean_relative") || fields.find("max_relative");
  if (fields.isMap() && !measured)
    errors.report(ContractRule::ToleranceForm, fields.location(),
                  "expects 'max_ulp', 'mean_relative' or 'max_relative' in a tolerance, found none of them");
  const std::vector<YamlNode> *names = readList(errors, fields.find("plus_ulp_of"), "'plus_ulp_of'", 1);
  for (size_t i = 0; names && i < names->size(); ++i)
    if (std::optional<std::string> name = readName(errors, &(*names)[i], "a factor of 'plus_ulp_of'"))
      tolerance.plusUlpOf.push_back(*name);
  if (names && !fields.find("max_ulp"))
    errors.report(ContractRule::ToleranceForm, fields.keyLocation("plus_ulp_of"),
                  "expects 'max_ulp' beside 'plus_ulp_of', found none", "add 'max_ulp:'");
  const std::vector<YamlNode> *sums = readList(errors, fields.find("sums"), "'sums'", 1);
  for (size_t i = 0; sums && i < sums->size(); ++i)
    if (std::optional<std::string> name = readName(errors, &(*sums)[i], "a dimension in 'sums'"))
      tolerance.sums.push_back(*name);
  if (sums && !fields.find("max_ulp"))
    errors.report(ContractRule::ToleranceForm, fields.keyLocation("sums"),
                  "expects 'max_ulp' beside 'sums', found none", "add 'max_ulp:'");
  return tolerance;
}

/// "storage" gives nullopt: each type row computes in the type it stores.
static std::optional<ElementType> readComputeType(ContractErrors &errors, const YamlNode *node,
                                                  const std::string &what) {
  static const Choices<std::optional<ElementType>> choices = {{"storage", std::nullopt},
                                                              {"float16", ElementType::Float16},
                                                              {"bfloat16", ElementType::BFloat16},
                                                              {"float32", ElementType::Float32},
                                                              {"int32", ElementType::Int32}};
  return readChoice(errors, node, what, choices).value_or(std::nullopt);
}

void readPrecision(ContractErrors &errors, const YamlNode *node, ContractDraft &draft) {
  if (!node)
    return;
  Fields fields(errors, *node, mappings::precision);
  ContractPrecision &precision = draft.contract.precision;
  draft.precision = fields.keyLocation("compute");
  precision.compute = readComputeType(errors, fields.find("compute"), "'compute'");
  precision.accumulate = readComputeType(errors, fields.find("accumulate"), "'accumulate'");
  auto readAll = [&](const YamlNode *list, const char *what, bool ofChip, std::vector<ContractTolerance> &tolerances) {
    const std::vector<YamlNode> *items = readList(errors, list, what, 1);
    for (size_t i = 0; items && i < items->size(); ++i) {
      bool hasType = false;
      ContractTolerance tolerance = readTolerance(errors, (*items)[i], ofChip, hasType);
      if (hasType)
        tolerances.push_back(std::move(tolerance));
    }
    return items && tolerances.size() == items->size();
  };
  draft.toleranceUnread = !readAll(fields.require("tolerance"), "'tolerance'", false, precision.tolerances);
  readAll(fields.find("chip_tolerance"), "'chip_tolerance'", true, precision.chipTolerances);
}

} // namespace opc
