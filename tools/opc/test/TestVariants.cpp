#include "tools/opc/test/TestVariants.h"

#include "ops/contract/AttributeText.h"
#include "ops/contract/Places.h"
#include "ops/contract/Shapes.h"
#include "tools/opc/text/Words.h"

#include <algorithm>
#include <cstdint>
#include <map>

namespace opc::tool {

/// Most values of an attribute, since kernels are compiled for each value.
static constexpr size_t kMostValues = 4;
/// The largest tested value of an attribute that is a size, if its range has larger ones.
static constexpr int64_t kMostSize = 4096;
/// The same for a factor of other sizes: each case has this many times its elements.
static constexpr int64_t kMostFactor = 3;

/// Other values as text, so that they are parsed and checked against the range like those of users.
static std::vector<std::string> otherValues(const ContractAttribute &attribute) {
  std::vector<std::string> values;
  const double *real = std::get_if<double>(&attribute.defaultValue);
  const int64_t *whole = std::get_if<int64_t>(&attribute.defaultValue);
  const bool *truth = std::get_if<bool>(&attribute.defaultValue);
  const std::string *text = std::get_if<std::string>(&attribute.defaultValue);
  if (real)
    values = {numberText("%.17g", attribute.minimum.value_or(*real - 1)),
              numberText("%.17g", attribute.maximum.value_or(*real + 1))};
  if (whole) {
    auto end = [&](const std::optional<double> &bound, int64_t step) {
      return bound ? numberText("%.17g", *bound) : std::to_string(*whole + step);
    };
    bool atEnd = *whole == INT64_MIN || *whole == INT64_MAX;
    if (!atEnd)
      values = {end(attribute.minimum, -1), end(attribute.maximum, 1)};
  }
  if (truth)
    values = {*truth ? "false" : "true"};
  for (const std::string &choice : attribute.choices)
    if (text && choice != *text)
      values.push_back(choice);
  if (values.size() > kMostValues)
    values.resize(kMostValues);
  return values;
}

static std::string listText(const std::vector<int64_t> &list) {
  std::string text;
  for (int64_t number : list)
    text += (text.empty() ? "" : ",") + std::to_string(number);
  return "[" + text + "]";
}

/// A list around the default whose adjacent elements differ, so that exchanging two elements gives another list.
static std::vector<int64_t> unevenList(const ContractAttribute &attribute, std::vector<int64_t> list) {
  // Upwards, so that padding stays smaller than the windows, and no window consists only of padding.
  static constexpr int64_t kSteps[] = {1, 0, 2};
  for (size_t i = 0; i < list.size(); ++i) {
    const double number = double(list[i]) + double(kSteps[i % 3]);
    list[i] = int64_t(std::clamp(number, attribute.minimum.value_or(number), attribute.maximum.value_or(number)));
  }
  return list;
}

/// Other orders of the same rank: reversed, and the first one moved to the end.
static std::vector<std::string> otherOrders(const std::vector<int64_t> &order) {
  std::vector<int64_t> turned(order.size()), moved(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    turned[i] = int64_t(order.size() - 1 - i);
    moved[i] = int64_t((i + 1) % order.size());
  }
  std::vector<std::string> values;
  for (const std::vector<int64_t> &other : {turned, moved})
    values.push_back(listText(other));
  return values;
}

static bool isOfReduction(const Contract &contract, const std::string &name) {
  return std::any_of(contract.outputs.begin(), contract.outputs.end(), [&](const ContractTensor &output) {
    return output.reduces && (output.reduces->axes == name || output.reduces->keepDims == name);
  });
}

/// Whether an attribute is the size of a dimension that is a factor of another one.
static bool isFactor(const Contract &contract, const std::string &name) {
  auto isSize = [&](const ContractDim &dim) {
    return std::any_of(contract.dimensions.begin(), contract.dimensions.end(), [&](const ContractDimension &one) {
      return one.name == dim.name && one.equals && one.equals->op == SizeExpression::Symbol &&
             one.equals->symbol == name;
    });
  };
  return std::any_of(contract.outputs.begin(), contract.outputs.end(), [&](const ContractTensor &output) {
    return std::any_of(output.shape.begin(), output.shape.end(), [&](const ContractDim &dim) {
      return std::any_of(dim.factors.begin(), dim.factors.end(), isSize);
    });
  });
}

std::vector<TestVariant> testVariants(const Contract &contract) {
  std::vector<TestVariant> variants = {{contract, {}}};
  std::map<std::string, std::string> lists;
  for (const ContractAttribute &attribute : contract.attributes) {
    if (attribute.binding != Binding::Compile || isOfReduction(contract, attribute.name))
      continue;
    const auto *order = std::get_if<std::vector<int64_t>>(&attribute.defaultValue);
    // The first and the last axis have separate kernels; the ends of the range exceed the ranks of all tests.
    std::vector<std::string> values = otherValues(attribute);
    if (order && isOrder(contract, attribute.name))
      values = otherOrders(*order);
    else if (isAxis(contract, attribute.name))
      values = {"0", "-1"};
    // The largest size uses the same kernel as one just beyond a vector, and costs its elements in every case.
    else if (const auto *size = std::get_if<int64_t>(&attribute.defaultValue);
             size && isAttributeOfSizes(contract, attribute.name) && attribute.maximum.value_or(0) > kMostSize)
      values = {values.front(), std::to_string(isFactor(contract, attribute.name) ? kMostFactor : kMostSize - 1)};
    for (const std::string &value : values) {
      TestVariant variant{contract, attribute.name + "=" + value};
      Diagnostics refused; // skip a value that is out of range
      if (bindAttributes(variant.contract, {{attribute.name, value}}, refused) &&
          variant.contract.findAttribute(attribute.name)->defaultValue != attribute.defaultValue)
        variants.push_back(std::move(variant));
    }
    if (const auto *list = std::get_if<std::vector<int64_t>>(&attribute.defaultValue);
        list && !isOrder(contract, attribute.name))
      lists.emplace(attribute.name, listText(unevenList(attribute, *list)));
  }
  // Lists such as strides and pads belong together: all of them change at once.
  TestVariant uneven{contract, {}};
  for (const auto &[name, text] : lists)
    uneven.changed += (uneven.changed.empty() ? "" : " ") + name + "=" + text;
  Diagnostics refused;
  if (!lists.empty() && bindAttributes(uneven.contract, lists, refused))
    variants.push_back(std::move(uneven));
  return variants;
}

} // namespace opc::tool
