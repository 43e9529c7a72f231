// The rows of types and formats that an operator's definition implies.

#ifndef OPC_RUNTIME_ASCENDC_HOST_TYPEROWS_H
#define OPC_RUNTIME_ASCENDC_HOST_TYPEROWS_H

#include "runtime/ascendc/host/Graph.h"

#include <algorithm>
#include <string>
#include <vector>

namespace ops {

enum Option { IGNORE = 0, OPTIONAL = 1, REQUIRED = 2, DYNAMIC = 3, VIRTUAL = 4 };
enum class FollowType { ALL = 0, DTYPE = 1, FORMAT = 2, SHAPE = 3, INVALID_TYPE = 4 };

/// Types or formats of a parameter: one for each row, or a list whose elements combine with every row of the others.
template <typename T> struct RowValues {
  std::vector<T> values;
  bool isList = false;
};

} // namespace ops

namespace opc::ascendc {

/// The types and formats of a parameter.
struct RowsOfParameter {
  std::string name;
  ops::RowValues<ge::DataType> types;
  ops::RowValues<ge::Format> formats;
  std::string follows; ///< an input before it; empty: none
  bool followsTypes = false, followsFormats = false;
};

struct TypeAndFormat {
  ge::DataType type = ge::DT_UNDEFINED;
  ge::Format format = ge::FORMAT_ND;
};

/// A row for each position of the parameters without lists, times every combination of the lists' elements, of which
/// the last list varies fastest; at most `most` rows. Parameters that follow another one have its type or format.
/// Without types there are no rows.
inline std::vector<std::vector<TypeAndFormat>> typeRowsOf(const std::vector<RowsOfParameter> &parameters, size_t most) {
  auto followed = [&](size_t i) {
    for (size_t j = 0; j < i; ++j)
      if (parameters[j].name == parameters[i].follows)
        return j;
    return i;
  };
  size_t count = 1;
  bool isFirst = true;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const RowsOfParameter &parameter = parameters[i];
    if (parameter.types.isList || (parameter.followsTypes && followed(i) != i))
      continue;
    count = isFirst ? parameter.types.values.size() : std::min(count, parameter.types.values.size());
    isFirst = false;
  }
  std::vector<std::vector<TypeAndFormat>> rows(std::min(count, most), std::vector<TypeAndFormat>(parameters.size()));
  for (size_t row = 0; row < rows.size(); ++row)
    for (size_t i = 0; i < parameters.size(); ++i) {
      const RowsOfParameter &parameter = parameters[i];
      if (!parameter.types.isList && row < parameter.types.values.size())
        rows[row][i].type = parameter.types.values[row];
      if (!parameter.formats.isList && row < parameter.formats.values.size())
        rows[row][i].format = parameter.formats.values[row];
    }
  auto combine = [&rows, most](const auto &list, auto set) {
    if (!list.isList)
      return;
    std::vector<std::vector<TypeAndFormat>> combined;
    for (const std::vector<TypeAndFormat> &row : rows)
      for (const auto &value : list.values)
        if (combined.size() < most) {
          combined.push_back(row);
          set(combined.back(), value);
        }
    rows = std::move(combined);
  };
  for (size_t i = 0; i < parameters.size(); ++i) {
    combine(parameters[i].types, [i](std::vector<TypeAndFormat> &row, ge::DataType type) { row[i].type = type; });
    combine(parameters[i].formats, [i](std::vector<TypeAndFormat> &row, ge::Format format) { row[i].format = format; });
  }
  for (std::vector<TypeAndFormat> &row : rows)
    for (size_t i = 0; i < parameters.size(); ++i) {
      if (parameters[i].followsTypes)
        row[i].type = row[followed(i)].type;
      if (parameters[i].followsFormats)
        row[i].format = row[followed(i)].format;
    }
  return rows;
}

} // namespace opc::ascendc

#endif // OPC_RUNTIME_ASCENDC_HOST_TYPEROWS_H
