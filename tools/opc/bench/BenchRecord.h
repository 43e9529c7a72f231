// The record of one measurement, benchmark.json, which `opc bench` writes and `opc gate` compares.

#ifndef OPC_TOOLS_OPC_BENCH_BENCHRECORD_H
#define OPC_TOOLS_OPC_BENCH_BENCHRECORD_H

#include "runtime/diagnostic/Diagnostic.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace opc::tool {

/// Statistics of the times of one set of runs, in milliseconds.
struct BenchStatistics {
  double mean = 0, p50 = 0, p95 = 0, p99 = 0;
  double cv = 0; ///< standard deviation over mean
};

/// Computes statistics; percentiles are by nearest rank. Expects at least one time.
BenchStatistics statisticsOf(std::vector<double> milliseconds);

/// With a larger cv the machine was busy with other work, or the kernel's work varies between runs.
inline constexpr double kLargestVariation = 0.15;

/// The share of one kernel in a model's time.
struct BenchKernel {
  std::string name; ///< folder in the model's
  size_t steps = 0;
  double milliseconds = 0; ///< of a run, by the median of each step
};

struct BenchRecord {
  /// Conditions that must be equal for two records to be compared: "hardware.cpu" to "12th Gen ...".
  std::map<std::string, std::string> conditions;
  std::map<std::string, std::string> versions;
  BenchStatistics statistics;
  int64_t elements = 0;     ///< of the first output
  int64_t gmBytes = 0;      ///< read from and written to global memory, once each
  double memoryPeakMb = 0;  ///< of the tensors
  double processPeakMb = 0; ///< resident, of the process
  int64_t cycles = -1;      ///< simulated; -1 on other devices
  std::vector<std::string> findings;
  std::optional<double> loadMs;              ///< of a model: from its folder to the first run
  std::vector<BenchKernel> kernels;          ///< likewise, the longest first
  std::map<std::string, std::string> report; ///< the fields of the project's report, as text
};

std::string writeBenchRecord(const BenchRecord &record, int indent = 2);
/// Reads a record; nullopt after reporting E0600 or E0114.
std::optional<BenchRecord> readBenchRecord(const std::string &path, Diagnostics &diagnostics);

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_BENCH_BENCHRECORD_H
