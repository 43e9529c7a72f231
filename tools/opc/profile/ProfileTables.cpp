// Writes the tables of the vendor's simulator (code_exe, instr_exe) and profiler (op_summary, op_statistic) with the
// vendor's column names, so that tools for those tables can read them.

#include "runtime/device/sim/profile/Trace.h"
#include "tools/opc/profile/Profile.h"
#include "tools/opc/text/Csv.h"
#include "tools/opc/text/Words.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace opc::tool {

static std::string lineText(const std::string &file, unsigned line) {
  return printable(file, 300) + ":" + std::to_string(line);
}

static std::string codeTable(const ProfiledLaunch &launch, const Profile &profile) {
  std::string text = csvLine({"code", "call_count", "cycles", "running_time(us)"});
  for (const LineProfile &of : profile.lines)
    text += csvLine({lineText(of.file, of.line), std::to_string(of.calls), std::to_string(of.cycles),
                     numberText("%.6g", double(of.cycles) / launch.target->clockMHz())});
  return text;
}

static std::string detailOf(const PipeInstruction &instruction, const InstructionSums &sums) {
  if (sums.bytes)
    return "bytes: " + std::to_string(sums.bytes) + ", bursts: " + std::to_string(sums.rows);
  if (instruction.kind == PipeInstruction::Vector)
    return "elements: " + std::to_string(sums.elements);
  return "";
}

static std::string instructionTable(const ProfiledLaunch &launch, const Profiler &profiler) {
  std::string text = csvLine({"instr", "addr", "pipe", "call_count", "cycles", "running_time(us)", "detail"});
  for (size_t i = 0; i < profiler.sums().size(); ++i) {
    const InstructionSums &sums = profiler.sums()[i];
    const PipeInstruction &instruction = launch.program->instructions[i];
    char address[32];
    std::snprintf(address, sizeof address, "0x%zx", i);
    if (sums.calls)
      text +=
          csvLine({sim::nameOf(instruction), address, std::string(tablePipeName(instruction.pipe)),
                   std::to_string(sums.calls), std::to_string(sums.cycles),
                   numberText("%.6g", double(sums.cycles) / launch.target->clockMHz()), detailOf(instruction, sums)});
  }
  return text;
}

/// The names of element types in the vendor's profiler.
static std::string tableType(ElementType type) {
  switch (type) {
  case ElementType::Float16:
    return "FLOAT16";
  case ElementType::Float32:
    return "FLOAT";
  case ElementType::Float64:
    return "DOUBLE";
  case ElementType::BFloat16:
    return "DT_BF16";
  default: {
    std::string name(elementTypeName(type));
    for (char &c : name)
      c = c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c;
    return name;
  }
  }
}

namespace {
/// Shapes, types and formats of tensors, separated by ';'.
struct TensorColumns {
  std::string shapes, types, formats;
  void add(const Tensor &tensor) {
    const char *between = types.empty() ? "" : ";";
    std::string shape;
    for (int64_t size : tensor.shape())
      shape += (shape.empty() ? "" : ",") + std::to_string(size);
    shapes += between + shape;
    types += between + tableType(tensor.type());
    formats += std::string(between) + "ND";
  }
};
} // namespace

static std::string summaryTable(const ProfiledLaunch &launch, const Profile &profile) {
  TensorColumns inputs, outputs;
  for (const ProfiledTensor &of : launch.tensors)
    if (of.tensor && of.role != ProfiledTensor::Workspace)
      (of.role == ProfiledTensor::Output ? outputs : inputs).add(*of.tensor);
  const std::string time = numberText("%.6g", profile.microseconds);
  std::vector<std::pair<std::string, std::string>> row = {{"Device_id", "0"},
                                                          {"Model Name", "opc profile"},
                                                          {"Model ID", "0"},
                                                          {"Task ID", "0"},
                                                          {"Stream ID", "0"},
                                                          {"Infer ID", "0"},
                                                          {"Op Name", launch.kernel},
                                                          {"OP Type", launch.operatorName},
                                                          {"OP State", launch.isStatic ? "static" : "dynamic"},
                                                          {"Task Type", "AI_CORE"},
                                                          {"Task Start Time(us)", "0"},
                                                          {"Task Duration(us)", time},
                                                          {"Task Wait Time(us)", "0"},
                                                          {"Block Num", std::to_string(launch.blocks)},
                                                          {"Input Shapes", inputs.shapes},
                                                          {"Input Data Types", inputs.types},
                                                          {"Input Formats", inputs.formats},
                                                          {"Output Shapes", outputs.shapes},
                                                          {"Output Data Types", outputs.types},
                                                          {"Output Formats", outputs.formats},
                                                          {"aicore_time(us)", time},
                                                          {"total_cycles", std::to_string(profile.cycles)}};
  const std::pair<const char *, Pipe> pipes[] = {
      {"vec", Pipe::V},     {"mac", Pipe::M},     {"scalar", Pipe::S},    {"mte1", Pipe::MTE1},
      {"mte2", Pipe::MTE2}, {"mte3", Pipe::MTE3}, {"fixpipe", Pipe::FIX},
  };
  for (const auto &[name, pipe] : pipes) {
    double busy = 0;
    for (const PipeProfile &of : profile.pipes)
      busy = of.pipe == pipe ? double(of.busyCycles) : busy;
    row.emplace_back(std::string(name) + "_exe_time(us)", numberText("%.6g", busy / launch.target->clockMHz()));
    row.emplace_back(std::string(name) + "_exe_ratio",
                     numberText("%.6g", profile.cycles ? busy / double(profile.cycles) : 0));
  }
  std::vector<std::string> names, values;
  for (const auto &[name, value] : row) {
    names.push_back(name);
    values.push_back(value);
  }
  return csvLine(names) + csvLine(values);
}

static std::string statisticTable(const ProfiledLaunch &launch, const Profile &profile) {
  const std::string time = numberText("%.6g", profile.microseconds);
  return csvLine({"Device_id", "Model Name", "OP Type", "Core Type", "Count", "Total Time(us)", "Avg Time(us)",
                  "Min Time(us)", "Max Time(us)", "Ratio(%)"}) +
         csvLine({"0", "opc profile", launch.operatorName, "AI_CORE", "1", time, time, time, time, "100"});
}

std::vector<ProfileFile> profileTables(const ProfiledLaunch &launch, const Profile &profile, const Profiler &profiler) {
  return {{"code_exe.csv", codeTable(launch, profile)},
          {"instr_exe.csv", instructionTable(launch, profiler)},
          {"op_summary.csv", summaryTable(launch, profile)},
          {"op_statistic.csv", statisticTable(launch, profile)}};
}

} // namespace opc::tool
