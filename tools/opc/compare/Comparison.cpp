// Compares outputs and makes the record and the page of a comparison.

#include "tools/opc/compare/Comparison.h"

#include "runtime/target/Half.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace opc::tool {

using Json = nlohmann::ordered_json;

namespace {
/// An element as a number and as its place among the numbers of its type.
struct Element {
  double value = 0;
  double place = 0;
};
} // namespace

/// The place of a float with these bits among the floats of its width; both zeros have place 0.
static double placeOf(uint64_t bits, unsigned width) {
  const uint64_t sign = uint64_t(1) << (width - 1);
  return bits & sign ? -double(bits & (sign - 1)) : double(bits);
}

template <typename T> static T load(const void *data, int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char *>(data) + size_t(index) * sizeof(T), sizeof(T));
  return value;
}

static Element integer(double value) {
  return {value, value};
}

static Element elementOf(const Tensor &tensor, int64_t i) {
  const void *data = tensor.data();
  switch (tensor.type()) {
  case ElementType::Float16: {
    const auto bits = load<uint16_t>(data, i);
    return {double(toFloat(Half{bits})), placeOf(bits, 16)};
  }
  case ElementType::BFloat16: {
    const auto bits = load<uint16_t>(data, i);
    return {double(toFloat(BFloat16{bits})), placeOf(bits, 16)};
  }
  case ElementType::Float32:
    return {double(load<float>(data, i)), placeOf(load<uint32_t>(data, i), 32)};
  case ElementType::Float64:
    return {load<double>(data, i), placeOf(load<uint64_t>(data, i), 64)};
  case ElementType::Int16:
    return integer(load<int16_t>(data, i));
  case ElementType::UInt16:
    return integer(load<uint16_t>(data, i));
  case ElementType::Int32:
    return integer(load<int32_t>(data, i));
  case ElementType::UInt32:
    return integer(load<uint32_t>(data, i));
  case ElementType::Int64:
    return integer(double(load<int64_t>(data, i)));
  case ElementType::UInt64:
    return integer(double(load<uint64_t>(data, i)));
  case ElementType::Int8:
    return integer(load<int8_t>(data, i));
  default:
    return integer(load<uint8_t>(data, i));
  }
}

OutputDifference compareOutputs(const std::string &name, const Tensor &a, const Tensor &b) {
  OutputDifference result;
  result.name = name;
  result.elements = a.numElements();
  const auto size = size_t(elementSize(a.type()));
  for (int64_t i = 0; i < result.elements; ++i) {
    if (std::memcmp(static_cast<const char *>(a.data()) + size_t(i) * size,
                    static_cast<const char *>(b.data()) + size_t(i) * size, size) == 0)
      continue;
    const Element left = elementOf(a, i), right = elementOf(b, i);
    const bool isNaN = std::isnan(left.value), isOther = std::isnan(right.value);
    if ((isNaN && isOther) || left.value == right.value)
      continue;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    result.largest = std::max(result.largest, isNaN || isOther ? infinity : std::fabs(left.value - right.value));
    result.largestUlp = std::max(result.largestUlp, isNaN || isOther ? infinity : std::fabs(left.place - right.place));
    if (result.differing++ == 0) {
      result.first = i;
      result.firstA = left.value;
      result.firstB = right.value;
    }
  }
  return result;
}

BusyParts busyParts(const ProfiledLaunch &launch, const Profiler &profiler, int64_t cycles, size_t parts) {
  static constexpr Pipe kPipes[] = {Pipe::S, Pipe::MTE2, Pipe::V, Pipe::MTE3};
  BusyParts busy;
  const double length = double(std::max<int64_t>(1, cycles)) / double(parts);
  for (std::vector<double> &pipe : busy.pipes)
    pipe.resize(parts);
  for (const ProfiledStep &step : profiler.steps()) {
    const PipeInstruction &instruction = launch.program->instructions[step.instruction];
    const auto *const pipe = std::find(std::begin(kPipes), std::end(kPipes), instruction.pipe);
    if (isSync(instruction) || pipe == std::end(kPipes))
      continue;
    std::vector<double> &shares = busy.pipes[size_t(pipe - std::begin(kPipes))];
    for (auto part = size_t(double(step.start) / length); part < parts && double(part) * length < double(step.end);
         ++part) {
      const double from = std::max(double(step.start), double(part) * length);
      const double to = std::min(double(step.end), double(part + 1) * length);
      shares[part] = std::min(1.0, shares[part] + std::max(0.0, to - from) / length);
    }
  }
  return busy;
}

/// A number for JSON, which has neither infinity nor NaN.
static Json finite(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json comparisonJson(const Comparison &comparison) {
  const ComparedKernel &a = comparison.kernels[0], &b = comparison.kernels[1];
  Json outputs = Json::array();
  for (const OutputDifference &of : comparison.outputs) {
    Json record = {{"name", of.name},
                   {"elements", of.elements},
                   {"differing", of.differing},
                   {"max_abs", finite(of.largest)},
                   {"max_ulp", finite(of.largestUlp)}};
    if (of.first >= 0)
      record["first"] = {{"index", of.first}, {"a", finite(of.firstA)}, {"b", finite(of.firstB)}};
    outputs.push_back(std::move(record));
  }
  const double cycles = double(a.profile.cycles);
  return {{"schema_version", 1},
          {"cycles_b_over_a", cycles > 0 ? Json(double(b.profile.cycles) / cycles) : Json()},
          {"outputs", std::move(outputs)},
          {"a", profileJson(*a.launch, a.profile)},
          {"b", profileJson(*b.launch, b.profile)}};
}

std::string comparisonPage(const Comparison &comparison) {
  Json names = Json::array(), busy = Json::array();
  for (const ComparedKernel &kernel : comparison.kernels) {
    names.push_back(kernel.name);
    Json pipes = Json::array();
    for (const std::vector<double> &shares : kernel.busy.pipes) {
      Json list = Json::array();
      for (double share : shares)
        list.push_back(int(std::lround(share * 100)));
      pipes.push_back(std::move(list));
    }
    busy.push_back(std::move(pipes));
  }
  return pageOf("compare.html",
                {{"comparison", comparisonJson(comparison)}, {"names", std::move(names)}, {"busy", std::move(busy)}});
}

} // namespace opc::tool
