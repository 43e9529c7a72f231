#include "tools/opc/bench/BenchMachine.h"

#include "runtime/core/File.h"
#include "tools/opc/Version.h"
#include "tools/opc/text/Words.h"

#include <cstring>
#include <ctime>
#include <filesystem>
#include <sys/utsname.h>
#include <thread>

namespace opc::tool {

/// The text after "name:" in a file of /proc; empty when there is none.
static std::string procField(const char *path, const std::string &name) {
  FILE *file = std::fopen(path, "re");
  char line[512];
  std::string value;
  while (file && value.empty() && std::fgets(line, sizeof line, file))
    if (std::strncmp(line, name.c_str(), name.size()) == 0)
      if (const char *colon = std::strchr(line, ':'))
        value = colon + 1;
  if (file)
    std::fclose(file);
  size_t first = value.find_first_not_of(" \t"), last = value.find_last_not_of(" \t\n");
  return first == std::string::npos ? "" : value.substr(first, last - first + 1);
}

/// The lowest and the highest temperature of the machine's sensors, in degrees Celsius; nullopt when it has none.
static std::optional<std::pair<double, double>> temperatures() {
  std::optional<std::pair<double, double>> range;
  std::error_code error;
  for (std::filesystem::directory_iterator it("/sys/class/thermal", error), end; !error && it != end;
       it.increment(error)) {
    Diagnostics ignored;
    FILE *file = std::fopen((it->path() / "temp").c_str(), "re");
    long thousandths = 0;
    if (file && std::fscanf(file, "%ld", &thousandths) == 1 && thousandths > 0) {
      double degrees = double(thousandths) / 1e3;
      range = range ? std::pair(std::min(range->first, degrees), std::max(range->second, degrees))
                    : std::pair(degrees, degrees);
    }
    if (file)
      std::fclose(file);
  }
  return range;
}

void describeMachine(BenchRecord &record, const std::string &model, int64_t batch, const std::string &commit) {
  auto &conditions = record.conditions;
  utsname system{};
  uname(&system);
  conditions["hardware.cpu"] = procField("/proc/cpuinfo", "model name");
  conditions["hardware.machine"] = system.machine;
  conditions["hardware.cores"] = std::to_string(std::thread::hardware_concurrency());
  conditions["hardware.memory"] = procField("/proc/meminfo", "MemTotal");
  record.versions["opc"] = OPC_VERSION;
  record.versions["llvm"] = OPC_LLVM_VERSION;
  record.versions["system"] = std::string(system.sysname) + " " + system.release;
  record.processPeakMb = std::strtod(procField("/proc/self/status", "VmHWM").c_str(), nullptr) / 1e3;
  if (record.statistics.cv > kLargestVariation)
    record.findings.push_back("the times vary by " + numberText("%.2f", record.statistics.cv) +
                              " of their mean (more than 0.15): other work ran beside them");
  char date[32] = "unknown";
  std::time_t now = std::time(nullptr);
  std::tm parts{};
  if (gmtime_r(&now, &parts))
    std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts);
  auto range = temperatures();
  double seconds = record.statistics.mean / 1e3;
  record.report = {{"commit", commit.empty() ? "unknown" : commit},
                   {"model", model},
                   {"batch", std::to_string(batch)},
                   {"avg_latency_ms", numberText("%.6g", record.statistics.mean)},
                   {"p95_latency_ms", numberText("%.6g", record.statistics.p95)},
                   {"throughput_fps", seconds > 0 ? numberText("%.6g", double(batch) / seconds) : "unknown"},
                   {"h2d_ms_ratio", "0"},
                   {"post_ms_ratio", "0"},
                   {"memory_peak_mb", numberText("%.3f", record.memoryPeakMb)},
                   {"temperature_c_range",
                    range ? numberText("%.1f", range->first) + " to " + numberText("%.1f", range->second) : "unknown"},
                   {"profiling_date", date}};
}

std::string reportText(const BenchRecord &record) {
  std::string text = "| field | value |\n|---|---|\n";
  for (const char *field : {"commit", "model", "batch", "avg_latency_ms", "p95_latency_ms", "throughput_fps",
                            "h2d_ms_ratio", "post_ms_ratio", "memory_peak_mb", "temperature_c_range", "profiling_date"})
    text += "| " + std::string(field) + " | " + printable(record.report.at(field), 200) + " |\n";
  for (const std::string &finding : record.findings)
    text += "\nfinding: " + finding + "\n";
  return text;
}

bool writeBenchFile(const BenchRecord &record, const std::string &path, Diagnostics &diagnostics) {
  const std::string json = writeBenchRecord(record);
  std::optional<AtomicFile> file = AtomicFile::create(path, diagnostics);
  return file && file->write(json.data(), json.size()) && file->commit(diagnostics);
}

} // namespace opc::tool
