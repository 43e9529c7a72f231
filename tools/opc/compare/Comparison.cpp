// Compares outputs and makes the record and the page of a comparison.

#include "tools/opc/compare/Comparison.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace opc::tool {

using Json = nlohmann::ordered_json;

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
