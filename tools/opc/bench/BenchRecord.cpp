#include "tools/opc/bench/BenchRecord.h"

#include "runtime/core/File.h"
#include "runtime/program/format/JsonText.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace opc::tool {

BenchStatistics statisticsOf(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  auto percentile = [&times](double share) {
    size_t rank = size_t(std::ceil(share * double(times.size())));
    return times[std::max<size_t>(rank, 1) - 1];
  };
  BenchStatistics statistics;
  statistics.mean = std::accumulate(times.begin(), times.end(), 0.0) / double(times.size());
  statistics.p50 = percentile(0.50);
  statistics.p95 = percentile(0.95);
  statistics.p99 = percentile(0.99);
  double squares = 0;
  for (double time : times)
    squares += (time - statistics.mean) * (time - statistics.mean);
  if (times.size() > 1 && statistics.mean > 0)
    statistics.cv = std::sqrt(squares / double(times.size() - 1)) / statistics.mean;
  return statistics;
}

std::string writeBenchRecord(const BenchRecord &record, int indent) {
  nlohmann::ordered_json json = {{"schema_version", 1},
                                 {"conditions", record.conditions},
                                 {"versions", record.versions},
                                 {"statistics",
                                  {{"mean_ms", record.statistics.mean},
                                   {"p50_ms", record.statistics.p50},
                                   {"p95_ms", record.statistics.p95},
                                   {"p99_ms", record.statistics.p99},
                                   {"cv", record.statistics.cv}}},
                                 {"elements", record.elements},
                                 {"gm_bytes", record.gmBytes},
                                 {"memory_peak_mb", record.memoryPeakMb},
                                 {"process_peak_mb", record.processPeakMb},
                                 {"cycles", record.cycles},
                                 {"findings", record.findings},
                                 {"report", record.report}};
  if (record.loadMs)
    json["load_ms"] = *record.loadMs;
  double sum = 0;
  for (const BenchKernel &kernel : record.kernels)
    sum += kernel.milliseconds;
  for (const BenchKernel &kernel : record.kernels)
    json["kernels"].push_back({{"kernel", kernel.name},
                               {"steps", kernel.steps},
                               {"ms", kernel.milliseconds},
                               {"share", sum > 0 ? kernel.milliseconds / sum : 0}});
  return writeJson(json, indent) + "\n";
}

/// The message of an exception without its prefix "[json.exception...]".
static std::string whatIsWrong(const nlohmann::json::exception &error) {
  const std::string text = error.what();
  const size_t end = text.find("] ");
  return printable(end == std::string::npos ? text : text.substr(end + 2), 200);
}

std::optional<BenchRecord> readBenchRecord(const std::string &path, Diagnostics &diagnostics) {
  std::optional<std::string> text = readFile(path, 16 << 20, diagnostics);
  if (!text)
    return std::nullopt;
  nlohmann::json json = nlohmann::json::parse(*text, nullptr, false);
  if (json.is_discarded()) {
    diagnostics.error(Code::E0114, {path}, "expects a benchmark.json that 'opc bench' wrote, found no JSON text");
    return std::nullopt;
  }
  try {
    BenchRecord record;
    if (json.at("schema_version").get<int>() != 1) {
      diagnostics.error(Code::E0114, {path}, "expects a benchmark.json of schema version 1");
      return std::nullopt;
    }
    record.conditions = json.at("conditions").get<std::map<std::string, std::string>>();
    record.versions = json.at("versions").get<std::map<std::string, std::string>>();
    const nlohmann::json &statistics = json.at("statistics");
    record.statistics = {statistics.at("mean_ms").get<double>(), statistics.at("p50_ms").get<double>(),
                         statistics.at("p95_ms").get<double>(), statistics.at("p99_ms").get<double>(),
                         statistics.at("cv").get<double>()};
    record.elements = json.at("elements").get<int64_t>();
    record.gmBytes = json.at("gm_bytes").get<int64_t>();
    record.memoryPeakMb = json.at("memory_peak_mb").get<double>();
    record.processPeakMb = json.at("process_peak_mb").get<double>();
    record.cycles = json.at("cycles").get<int64_t>();
    record.findings = json.at("findings").get<std::vector<std::string>>();
    record.report = json.at("report").get<std::map<std::string, std::string>>();
    return record;
  } catch (const nlohmann::json::exception &error) {
    diagnostics.error(Code::E0114, {path}, "expects a benchmark.json that 'opc bench' wrote: " + whatIsWrong(error));
    return std::nullopt;
  }
}

} // namespace opc::tool
