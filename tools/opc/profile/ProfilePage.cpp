// Writes profile.html from the page's files and the data. The page inserts names as text, never as markup.

#include "runtime/device/sim/profile/Trace.h"
#include "tools/opc/html/HtmlPage.h"
#include "tools/opc/profile/Profile.h"

#include <nlohmann/json.hpp>

#include <iterator>
#include <utility>

namespace opc::tool {

using Json = nlohmann::ordered_json;

static const std::pair<const char *, const char *> kPageFiles[] = {
#include "tools/opc/ProfilePage.inc"
};

static Json instructionsJson(const ProfiledLaunch &launch) {
  Json list = Json::array();
  for (const PipeInstruction &instruction : launch.program->instructions) {
    const ProgramLocation &place = launch.program->locations[instruction.location];
    auto nameOf = [&](const ProgramOperand &operand) -> std::string {
      if (operand.space == ProgramOperand::UB)
        return launch.program->buffers[operand.buffer].name;
      if (operand.space != ProgramOperand::GM)
        return "";
      return launch.tensors[operand.tensor].name;
    };
    std::string sources;
    for (const ProgramOperand &source : instruction.sources)
      if (source.space != ProgramOperand::None)
        sources += (sources.empty() ? "" : ", ") + nameOf(source);
    const bool sync = isSync(instruction);
    list.push_back({{"name", sim::nameOf(instruction)},
                    {"pipe", pipeName(instruction.pipe)},
                    {"sync", sync},
                    {"flag", sync && instruction.kind != PipeInstruction::Barrier},
                    {"place", place.file + ":" + std::to_string(place.line)},
                    {"to", nameOf(instruction.destination)},
                    {"from", sources}});
  }
  return list;
}

/// Steps as columns; starts are delta-encoded to keep them short.
static Json stepsJson(const Profiler &profiler) {
  Json starts = Json::array(), durations = Json::array(), instructions = Json::array(), amounts = Json::array();
  int64_t before = 0;
  for (const ProfiledStep &step : profiler.steps()) {
    starts.push_back(step.start - before);
    durations.push_back(step.end - step.start);
    instructions.push_back(step.instruction);
    amounts.push_back(step.bytes ? step.bytes : step.count ? step.count : step.flagId);
    before = step.start;
  }
  return {{"start", std::move(starts)},
          {"cycles", std::move(durations)},
          {"instruction", std::move(instructions)},
          {"amount", std::move(amounts)}};
}

static Json livesJson(const ProfiledLaunch &launch, const Profiler &profiler) {
  Json columns = {{"buffer", Json::array()}, {"address", Json::array()}, {"bytes", Json::array()},
                  {"start", Json::array()},  {"end", Json::array()},     {"writer", Json::array()},
                  {"last", Json::array()}};
  for (const BufferLife &life : profiler.lives()) {
    columns["buffer"].push_back(life.buffer);
    columns["address"].push_back(life.address - windowOf(launch.program->buffers[life.buffer].memory()));
    columns["bytes"].push_back(life.bytes);
    columns["start"].push_back(life.start);
    columns["end"].push_back(life.end);
    columns["writer"].push_back(life.writer);
    columns["last"].push_back(life.last);
  }
  return columns;
}

std::string pageOf(const std::string &file, const Json &data) {
  return htmlPage({std::begin(kPageFiles), std::end(kPageFiles)}, file, data);
}

std::string profilePage(const ProfiledLaunch &launch, const Profile &profile, const Profiler &profiler) {
  return pageOf("page.html", {{"profile", profileJson(launch, profile)},
                              {"instructions", instructionsJson(launch)},
                              {"steps", stepsJson(profiler)},
                              {"lives", livesJson(launch, profiler)}});
}

} // namespace opc::tool
