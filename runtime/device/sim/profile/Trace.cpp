// Writes the Chrome trace event by event. nlohmann-json throws only on malformed text, and names are made
// printable before.

#include "runtime/device/sim/profile/Trace.h"

#include "runtime/device/sim/launch/Capture.h"
#include "runtime/program/format/JsonText.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <unistd.h>
#include <vector>

using Json = nlohmann::ordered_json;

namespace opc::sim {

static std::string textOf(const Json &event) {
  return writeJson(event);
}

Trace::~Trace() {
  if (temporary.empty())
    return;
  file.close();
  std::remove(temporary.c_str());
}

bool Trace::cannotWrite() {
  launch.diagnostics.error(Code::E0601, Location{launch.options.traceFile},
                           "expects a trace file that can be written, found none");
  return false;
}

bool Trace::begin() {
  if (!wanted())
    return true;
  if (!launch.options.traceFile.empty()) {
    std::error_code failed;
    if (std::filesystem::is_directory(launch.options.traceFile, failed))
      return cannotWrite();
    temporary = launch.options.traceFile + "." + std::to_string(getpid()) + ".tmp";
    file.open(temporary, std::ios::binary | std::ios::trunc);
    if (!file) {
      temporary.clear();
      return cannotWrite();
    }
  }
  metadata();
  return true;
}

void Trace::emit(const std::string &event) {
  const char *before = first ? "{\"displayTimeUnit\":\"ns\",\"schema_version\":1,\"traceEvents\":[\n" : ",\n";
  first = false;
  if (launch.options.traceText)
    launch.options.traceText->append(before).append(event);
  if (!temporary.empty())
    file << before << event;
}

void Trace::metadata() {
  const std::string name = printable(launch.program.kernel) + " on " + std::string(launch.target.name()) + ", AI Core";
  if (launch.options.traceText)
    launch.options.traceText->clear();
  emit(textOf({{"ph", "M"}, {"pid", 1}, {"name", "process_name"}, {"args", {{"name", name}}}}));
  // Pipes are in the order in which data passes them.
  static const std::vector<std::pair<Pipe, const char *>> ofVector = {{Pipe::S, "S: scalar unit"},
                                                                      {Pipe::MTE2, "MTE2: GM to UB"},
                                                                      {Pipe::V, "V: vector unit"},
                                                                      {Pipe::MTE3, "MTE3: UB to GM"}};
  static const std::vector<std::pair<Pipe, const char *>> ofCube = {
      {Pipe::S, "S: scalar unit"},   {Pipe::MTE2, "MTE2: GM to L1 and UB"}, {Pipe::MTE1, "MTE1: L1 to L0A and L0B"},
      {Pipe::M, "M: cube"},          {Pipe::FIX, "FIX: L0C to UB and GM"},  {Pipe::V, "V: vector unit"},
      {Pipe::MTE3, "MTE3: UB to GM"}};
  const bool hasCube = std::any_of(launch.program.instructions.begin(), launch.program.instructions.end(),
                                   [](const PipeInstruction &instruction) { return isOfCube(instruction.kind); });
  const auto &pipes = hasCube ? ofCube : ofVector;
  int position = 0;
  for (const auto &[pipe, text] : pipes) {
    Json event = {{"ph", "M"}, {"pid", 1}, {"tid", indexOf(pipe)}, {"name", "thread_name"}, {"args", {{"name", text}}}};
    emit(textOf(event));
    event["name"] = "thread_sort_index";
    event["args"] = {{"sort_index", position++}};
    emit(textOf(event));
  }
}

bool Trace::performs(const SimInstruction &op) {
  slice(op);
  if (op.instruction->kind == PipeInstruction::SetFlag || op.instruction->kind == PipeInstruction::WaitFlag)
    arrow(op);
  return true;
}

std::string nameOf(const PipeInstruction &instruction) {
  const std::string pipe(pipeName(instruction.pipe)), other(pipeName(instruction.other));
  switch (instruction.kind) {
  case PipeInstruction::Load:
    return "load";
  case PipeInstruction::Store:
    return "store";
  case PipeInstruction::Vector:
    return std::string(intrinsicInfo(instruction.intrinsic).name);
  case PipeInstruction::SetFlag:
    return "set_flag " + pipe + " -> " + other;
  case PipeInstruction::WaitFlag:
    return "wait_flag " + other + " -> " + pipe;
  case PipeInstruction::Barrier:
    return "pipe_barrier " + pipe;
  case PipeInstruction::ScalarRead:
    return "scalar_read";
  case PipeInstruction::ScalarWrite:
    return "scalar_write";
  case PipeInstruction::ScalarWork:
    return "scalar code";
  case PipeInstruction::LoadNz:
    return instruction.pipe == Pipe::MTE3 ? "store_nz" : "load_nz";
  case PipeInstruction::Fill:
    return "fill";
  case PipeInstruction::LoadFractals:
    return "load_fractals";
  case PipeInstruction::LoadIm2col:
    return "load_im2col";
  case PipeInstruction::LoadBias:
    return "load_bias";
  case PipeInstruction::Mmad:
    return "mmad";
  case PipeInstruction::Fixpipe:
    return "fixpipe";
  }
  return "";
}

/// The name of a slice, with the event id of flags.
static std::string nameOf(const SimInstruction &op) {
  const bool flag =
      op.instruction->kind == PipeInstruction::SetFlag || op.instruction->kind == PipeInstruction::WaitFlag;
  return nameOf(*op.instruction) + (flag ? " [" + std::to_string(op.flagId) + "]" : "");
}

void Trace::slice(const SimInstruction &op) {
  const double clock = launch.target.clockMHz();
  const Location location = launch.locationOf(*op.instruction);
  Json arguments = {{"start_cycle", op.start},
                    {"cycles", op.end - op.start},
                    {"block", op.block},
                    {"line", printable(location.file) + ":" + std::to_string(location.line)}};
  const bool isCode = op.instruction->kind == PipeInstruction::ScalarWork;
  const bool work = op.numAccesses != 0 || isCode;
  if (isCode) {
    arguments["instructions"] = op.count;
  } else if (work) {
    int64_t bytes = 0;
    for (unsigned i = 0; i < op.numAccesses; ++i)
      bytes = std::max(bytes, op.accesses[i].rows * op.accesses[i].rowBytes);
    arguments["bytes"] = bytes;
    // The rows of other vector instructions are repeats of their operands, which `count` includes.
    const bool isVector = op.instruction->kind == PipeInstruction::Vector && !sim::reducesRows(*op.instruction);
    arguments["count"] = isVector ? op.count : op.count * op.rows;
    arguments["destination"] = op.accesses[0].write ? launch.describe(*op.accesses[0].operand) : "";
  }
  emit(textOf({{"ph", "X"},
               {"pid", 1},
               {"tid", indexOf(op.instruction->pipe)},
               {"cat", work ? "work" : "sync"},
               {"name", nameOf(op)},
               {"ts", double(op.start) / clock},
               {"dur", double(op.end - op.start) / clock},
               {"args", std::move(arguments)}}));
}

/// Writes an arrow from inside the slice of a set to the end of the slice of its wait.
void Trace::arrow(const SimInstruction &op) {
  const PipeInstruction &instruction = *op.instruction;
  const bool set = instruction.kind == PipeInstruction::SetFlag;
  std::deque<int64_t> &open = set ? arrows[{instruction.pipe, instruction.other, op.flagId}]
                                  : arrows[{instruction.other, instruction.pipe, op.flagId}];
  if (set)
    open.push_back(++lastArrow);
  if (open.empty())
    return;
  const int64_t id = set ? open.back() : open.front();
  if (!set)
    open.pop_front();
  Json event = {{"ph", set ? "s" : "f"},
                {"pid", 1},
                {"tid", indexOf(instruction.pipe)},
                {"cat", "flag"},
                {"name", "flag"},
                {"id", id},
                {"ts", double(set ? op.start : op.end - 1) / launch.target.clockMHz()}};
  if (!set)
    event["bp"] = "e";
  emit(textOf(event));
}

bool Trace::finish() {
  if (!wanted())
    return true;
  if (launch.options.traceText)
    launch.options.traceText->append("\n]}\n");
  if (temporary.empty())
    return true;
  file << "\n]}\n";
  file.close();
  if (!file || std::rename(temporary.c_str(), launch.options.traceFile.c_str()) != 0)
    return cannotWrite();
  temporary.clear();
  return true;
}

} // namespace opc::sim
