#include "tools/opc/run/Expected.h"

#include "runtime/core/tensor/Npy.h"
#include "tools/opc/source/ConvertTensor.h"
#include "tools/opc/source/host/SourceContract.h"
#include "tools/opc/tensors/OutputDifference.h"
#include "tools/opc/text/Words.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace opc::tool {

void addExpectedFlags(Arguments &arguments, ExpectedFlags &flags) {
  arguments
      .option("--expected", flags.files,
              "compare an output with an array, NAME=@FILE.npy, which is rounded to the output's type; the exit code "
              "is 1 if they differ")
      .typeName("NAME=@FILE")
      .oneEach();
  arguments
      .option("--max_ulp", flags.maxUlp,
              "with --expected: differences of up to N units in the last place pass (default: integers are equal, "
              "float32 is within 840 or 1e-4, float16 within 2 or 1e-3, bfloat16 within 2 or 4e-3)")
      .typeName("N");
}

std::optional<ExpectedOutputs> ExpectedOutputs::read(const ExpectedFlags &flags, const std::string &owner,
                                                     const std::vector<std::string> &outputs,
                                                     Diagnostics &diagnostics) {
  ExpectedOutputs expected;
  expected.maxUlp = flags.maxUlp;
  expected.files = parseTensorFiles(flags.files, "output", owner, outputs, diagnostics);
  if (flags.maxUlp && flags.files.empty())
    diagnostics.error(Code::E0104, {}, "--max_ulp goes with --expected");
  for (const TensorFile &file : expected.files)
    if (std::optional<Tensor> tensor = readNpy(file.path, file.bfloat16, diagnostics))
      expected.values.push_back(std::move(*tensor));
  if (diagnostics.hasErrors())
    return std::nullopt;
  return expected;
}

std::vector<std::string> ExpectedOutputs::names() const {
  std::vector<std::string> names;
  for (const TensorFile &file : files)
    names.push_back(file.name);
  return names;
}

static AllowedDifference allowedOf(ElementType type, const std::optional<uint64_t> &maxUlp) {
  if (maxUlp)
    return {double(*maxUlp), 0};
  if (type != ElementType::Float16 && type != ElementType::BFloat16 && type != ElementType::Float32)
    return {};
  const ContractTolerance tolerance = defaultTolerance(type);
  return {tolerance.maxUlp.value_or(0), tolerance.absolute.value_or(0)};
}

/// The indices of an element: "[3, 0]".
static std::string placeText(int64_t element, const Shape &shape) {
  Shape place(shape.size());
  for (size_t axis = shape.size(); axis-- > 0;) {
    place[axis] = element % shape[axis];
    element /= shape[axis];
  }
  return shapeText(place);
}

nlohmann::ordered_json ExpectedOutputs::check(const std::function<const Tensor *(const std::string &)> &outputOf,
                                              const Context &context, Diagnostics &diagnostics) const {
  nlohmann::ordered_json records = nlohmann::ordered_json::array();
  for (size_t i = 0; i < files.size(); ++i) {
    const std::string who = "output '" + printable(files[i].name) + "'";
    const Tensor *output = outputOf(files[i].name);
    if (!output || output->shape() != values[i].shape()) {
      diagnostics.error(Code::E0700, {files[i].path},
                        who + " expects the shape " + shapeText(values[i].shape()) + ", found " +
                            (output ? shapeText(output->shape()) : std::string("an input alone")));
      continue;
    }
    const std::optional<Tensor> rounded = convertTensor(values[i], output->type());
    if (!rounded) {
      diagnostics.error(Code::E0527, {files[i].path}, "there is no memory for " + who);
      continue;
    }
    const OutputDifference difference =
        compareOutputs(files[i].name, *output, *rounded, allowedOf(output->type(), maxUlp));
    auto finite = [](double value) { return std::isfinite(value) ? nlohmann::ordered_json(value) : nullptr; };
    records.push_back({{"name", files[i].name},
                       {"elements", difference.elements},
                       {"wrong", difference.differing},
                       {"max_abs", finite(difference.largest)},
                       {"max_ulp", finite(difference.largestUlp)}});
    const std::string far = "at most " + numberText("%.9g", difference.largestUlp) + " ulp and " +
                            numberText("%.9g", difference.largest) + " off";
    if (difference.differing == 0) {
      context.info(who + " is as expected: " + std::to_string(difference.elements) + " elements, " + far);
      continue;
    }
    diagnostics.error(Code::E0700, {files[i].path},
                      who + " differs from what is expected in " + std::to_string(difference.differing) + " of " +
                          std::to_string(difference.elements) + " elements, " + far + "; element " +
                          placeText(difference.first, output->shape()) + " is " +
                          numberText("%.9g", difference.firstA) + ", expected " + numberText("%.9g", difference.firstB),
                      {}, maxUlp ? "" : "--max_ulp=N lets N units in the last place pass");
  }
  return records;
}

} // namespace opc::tool
