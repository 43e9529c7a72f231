// profile.json.

#include "tools/opc/profile/Profile.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace opc::tool {

using Json = nlohmann::ordered_json;

static const Figure &figureNamed(const Target &target, std::string_view name) {
  return *std::find_if(target.figures().begin(), target.figures().end(),
                       [name](const Figure &figure) { return figure.name == name; });
}

static Json copiesJson(const CopyProfile &copies) {
  return {{"count", copies.count},
          {"bursts", copies.bursts},
          {"bytes", copies.bytes},
          {"bytes_per_burst", copies.bursts ? double(copies.bytes) / double(copies.bursts) : 0.0},
          {"efficiency", copies.efficiency}};
}

static Json tensorsJson(const ProfiledLaunch &launch) {
  Json list = Json::array();
  static constexpr const char *kRoles[] = {"input", "output", "workspace"};
  for (auto role : {ProfiledTensor::Input, ProfiledTensor::Output, ProfiledTensor::Workspace})
    for (const ProfiledTensor &of : launch.tensors) {
      if (!of.tensor || of.role != role)
        continue;
      Json tensor = {{"name", of.name},
                     {"role", kRoles[role]},
                     {"type", elementTypeName(of.tensor->type())},
                     {"shape", of.tensor->shape()}};
      if (role == ProfiledTensor::Input)
        tensor["values"] = of.isRandom ? "random" : "given";
      list.push_back(std::move(tensor));
    }
  return list;
}

static Json rooflineJson(const Roofline &roof) {
  return {{"flop_per_byte", roof.flopPerByte},
          {"flop_per_cycle", roof.flopPerCycle},
          {"compute_roof_flop_per_cycle", roof.computeRoof},
          {"memory_roof_bytes_per_cycle", roof.memoryRoof},
          {"memory_cycles", roof.memoryCycles},
          {"vector_cycles", roof.vectorCycles},
          {"roof_share", roof.roofShare},
          {"limit", roof.memoryBound ? "memory" : "compute"},
          {"depends_on", roof.dependsOn}};
}

static Json memoryJson(const ProfiledLaunch &launch, const MemoryRates &memory) {
  return {{"rates", !launch.figuresFile.empty() ? "figures"
                    : launch.memory.boardRates  ? "board"
                                                : "file"},
          {"source", launch.memory.boardRates ? "likely: the geometric mean of what owners of boards report of loads"
                                              : std::string(figureNamed(*launch.target, "load_rate").source)},
          {"load_gb_per_s", memory.load},
          {"store_gb_per_s", memory.store},
          {"boards",
           {{"load_gb_per_s", {memory.boards.low, memory.boards.high}},
            {"source", figureNamed(*launch.target, "board_load_rate_low").source},
            {"cycles",
             memory.cyclesOfBoards ? Json({memory.cyclesOfBoards->first, memory.cyclesOfBoards->second}) : Json()}}},
          {"l2",
           {{"modelled", launch.memory.l2},
            {"bytes", int64_t(launch.target->figure("l2_bytes"))},
            {"read_bytes_per_cycle", launch.target->figure("l2_read_width")},
            {"loaded_bytes", memory.cachedBytes}}}};
}

/// An array with what `of` makes of each element of a list.
template <typename List, typename Function> static Json listJson(const List &list, Function of) {
  Json array = Json::array();
  for (const auto &element : list)
    array.push_back(of(element));
  return array;
}

static Json pipeJson(const PipeProfile &pipe) {
  return {{"pipe", pipeName(pipe.pipe)},
          {"busy_cycles", pipe.busyCycles},
          {"start_up_cycles", pipe.startUpCycles},
          {"sync_cycles", pipe.syncCycles},
          {"idle_share", pipe.idleShare},
          {"instructions", pipe.instructions},
          {"bytes", pipe.bytes}};
}

static Json trafficJson(const TensorTraffic &traffic) {
  Json of = {{"tensor", traffic.tensor}, {"direction", traffic.written ? "store" : "load"}};
  of.update(copiesJson(traffic.copies));
  return of;
}

static Json intrinsicJson(const IntrinsicProfile &of) {
  return {{"name", of.name},         {"types", of.types},   {"calls", of.calls},
          {"elements", of.elements}, {"cycles", of.cycles}, {"share", of.share}};
}

static Json lineJson(const LineProfile &of) {
  return {{"file", of.file}, {"line", of.line}, {"calls", of.calls}, {"cycles", of.cycles}, {"share", of.share}};
}

static Json bufferJson(const BufferProfile &of) {
  return {{"name", of.name},           {"file", of.file},
          {"line", of.line},           {"memory", memoryName(of.memory)},
          {"address", of.address},     {"slot_bytes", of.slotBytes},
          {"slots", of.slots},         {"lives", of.lives},
          {"held_share", of.heldShare}};
}

static Json peakJson(const MemoryProfile &of) {
  return {{"memory", memoryName(of.memory)}, {"bytes", of.bytes}, {"peak_bytes", of.peakBytes}};
}

static Json effectJson(const FigureEffect &of) {
  return {{"figure", of.name},
          {"value", of.value},
          {"unit", of.unit},
          {"source", of.source},
          {"cycles_at_half", of.halfCycles},
          {"cycles_at_double", of.doubleCycles}};
}

nlohmann::ordered_json profileJson(const ProfiledLaunch &launch, const Profile &profile) {
  return {
      {"schema_version", 2},
      {"operator", launch.operatorName},
      {"kernel", launch.kernel},
      {"source", launch.source.empty() ? Json() : Json(printablePath(launch.source))},
      {"device", "sim"},
      {"target", launch.target->name()},
      {"clock_mhz", launch.target->clockMHz()},
      {"figures", launch.figuresFile.empty() ? "built in" : printablePath(launch.figuresFile)},
      {"type_row", launch.typeRow},
      {"blocks", launch.blocks},
      {"seed", launch.seed},
      {"tensors", tensorsJson(launch)},
      {"cycles", profile.cycles},
      {"microseconds", profile.microseconds},
      {"bound",
       {{"pipe", pipeName(profile.bound)}, {"busy_share", profile.boundShare}, {"depends_on", profile.boundDependsOn}}},
      {"idle_share", profile.idleShare},
      {"pipes", listJson(profile.pipes, pipeJson)},
      {"flop", profile.flop},
      {"scalar_code", {{"instructions", profile.codeInstructions}, {"cycles", profile.codeCycles}}},
      {"integer_operations", profile.integerOps},
      {"gm_read_bytes", profile.gmReadBytes},
      {"gm_written_bytes", profile.gmWrittenBytes},
      {"memory", memoryJson(launch, profile.memory)},
      {"roofline", rooflineJson(profile.roofline)},
      {"dma",
       {{"loads", copiesJson(profile.loads)},
        {"stores", copiesJson(profile.stores)},
        {"tensors", listJson(profile.tensors, trafficJson)}}},
      {"intrinsics", listJson(profile.intrinsics, intrinsicJson)},
      {"lines", listJson(profile.lines, lineJson)},
      {"memories", listJson(profile.memories, peakJson)},
      {"buffers", listJson(profile.buffers, bufferJson)},
      {"assumed_figures", listJson(profile.effects, effectJson)},
      {"timeline",
       {{"steps", profile.steps},
        {"dropped_steps", profile.droppedSteps},
        {"lives", profile.lives},
        {"dropped_lives", profile.droppedLives}}}};
}

} // namespace opc::tool
