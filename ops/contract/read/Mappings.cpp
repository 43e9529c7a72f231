#include "ops/contract/read/Mappings.h"

#include <algorithm>

namespace opc {
namespace mappings {

const Mapping contract = {"a contract",
                          {"schema", "op_type", "kernel_name", "version", "summary", "inputs", "outputs", "attributes",
                           "dimensions", "boundary", "precision", "onnx", "bodies", "reference", "schedule",
                           "test_shapes"}};
const Mapping input = {"an input",
                       {"name", "summary", "types", "formats", "shape", "required", "constant", "broadcast", "reduces",
                        "values", "present", "absent", "count"}};
const Mapping output = {"an output", input.keys};
const Mapping reduces = {"'reduces'", {"input", "axes", "keep_dims"}};
const Mapping values = {"'values'", {"along", "negative", "outside"}};
const Mapping attribute = {"an attribute", {"name", "summary", "type", "bind", "default", "range", "choices"}};
const Mapping range = {"'range'", {"minimum", "maximum"}};
const Mapping dimension = {"a dimension",
                           {"name", "minimum", "maximum", "minimum_rank", "maximum_rank", "equals", "window", "axis"}};
const Mapping window = {"a window", {"over", "size", "stride", "dilation", "pad_begin", "pad_end", "round_up"}};
const Mapping boundary = {"'boundary'", {"overflow", "saturation", "rounding", "empty", "nan", "infinity"}};
const Mapping precision = {"'precision'", {"compute", "accumulate", "tolerance", "chip_tolerance"}};
const Mapping tolerance = {"a tolerance",
                           {"type", "max_ulp", "plus_ulp_of", "sums", "absolute", "mean_relative", "max_relative"}};
const Mapping chipTolerance = {
    "a chip tolerance",
    {"type", "max_ulp", "plus_ulp_of", "sums", "absolute", "mean_relative", "max_relative", "subnormal"}};
const Mapping body = {"a body", {"level", "file", "types", "devices"}};
const Mapping onnxForm = {"a form of ONNX",
                          {"operator", "domain", "since", "until", "inputs", "outputs", "attributes"}};
const Mapping onnxAttribute = {"an attribute of a form",
                               {"name", "attribute", "value", "axis", "type", "ignored", "default"}};

} // namespace mappings

std::string mappingsWith(std::string_view key) {
  using namespace mappings;
  static const Mapping *const all[] = {&contract,      &input,     &output,   &reduces,      &values,    &attribute,
                                       &range,         &dimension, &window,   &boundary,     &precision, &tolerance,
                                       &chipTolerance, &body,      &onnxForm, &onnxAttribute};
  std::vector<std::string> found;
  for (const Mapping *mapping : all)
    if (std::find(mapping->keys.begin(), mapping->keys.end(), key) != mapping->keys.end())
      found.push_back(mapping->name);
  std::string words;
  for (size_t i = 0; i < found.size(); ++i)
    words += (i == 0 ? "" : i + 1 == found.size() ? " or " : ", ") + found[i];
  return words;
}

} // namespace opc
