// `opc profile`: profiles a launch on the simulator, or each step of a model.
//
//   an op folder, a contract, or a kernel in Ascend C -> one run with a profiler -> figures
//                                                    \-> runs with each assumed figure halved and doubled
//   text or JSON on stdout; with --output=DIR all results as files, including the page

#include "runtime/core/model/LoadedModel.h"
#include "runtime/device/registry/Devices.h"
#include "runtime/program/format/JsonText.h"
#include "tools/opc/Command.h"
#include "tools/opc/OperatorSource.h"
#include "tools/opc/profile/ModelProfile.h"
#include "tools/opc/profile/ProfiledKernel.h"

#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

namespace opc::tool {

struct ProfileOptions {
  std::string folder, device = "sim", output;
  LaunchFlags launch;
  SourceRunOptions source;
  size_t steps = 200'000;
  bool noEffects = false;
};

static void checkOptions(const ProfileOptions &options, Diagnostics &diagnostics) {
  std::unique_ptr<Device> device = createDevice(options.device, 0, diagnostics);
  if (device && device->name() != "sim")
    diagnostics.error(Code::E0104, {},
                      "'opc profile' profiles on the simulator: found --device=" + printable(options.device), {},
                      "--device=sim; 'opc bench' measures on the others");
  const std::string stray = options.source.stray();
  if (options.source.given() && !options.folder.empty())
    diagnostics.error(Code::E0104, {}, "--source expects no op folder: a kernel source has no contract");
  else if (!options.source.given() && !stray.empty())
    diagnostics.error(Code::E0104, {}, stray + " goes with --source");
  else if (!options.source.given() && options.folder.empty())
    diagnostics.error(Code::E0103, {}, "expects an operator, or --source with a kernel, found neither");
}

static ExitCode execute(const ProfileOptions &options, Context &context) {
  Diagnostics diagnostics;
  checkOptions(options, diagnostics);
  if (diagnostics.hasErrors())
    return context.finish(diagnostics);
  const std::unique_ptr<ProfiledKernel> kernel = options.source.given()
                                                     ? openSourceKernel(options.source, options.launch, diagnostics)
                                                     : openFolderKernel(options.folder, options.launch, diagnostics);
  if (!kernel)
    return context.finish(diagnostics);
  const ProfiledLaunch &launched = kernel->launch();
  Profiler profiler(*launched.program, options.steps);
  std::string trace;
  const std::optional<Profile> profile =
      profileKernel(*kernel, profiler, !options.noEffects, options.output.empty() ? nullptr : &trace, diagnostics);
  if (!profile)
    return context.finish(diagnostics);
  const nlohmann::ordered_json json = profileJson(launched, *profile);
  auto dump = [&](int indent) { return writeJson(json, indent) + "\n"; };
  if (!options.output.empty()) {
    std::vector<ProfileFile> files = {{"profile.json", dump(2)}, {"trace.json", std::move(trace)}};
    for (ProfileFile &table : profileTables(launched, *profile, profiler))
      files.push_back(std::move(table));
    files.push_back({"profile.html", profilePage(launched, *profile, profiler)});
    if (!writeProfileFolder(options.output, "profile", files, diagnostics))
      return context.finish(diagnostics);
    context.info("wrote " + printablePath(options.output) + ": profile.html, and " + std::to_string(files.size() - 1) +
                 " other files");
  }
  context.print(diagnostics);
  std::cout << (context.json() ? dump(-1) : profileText(launched, *profile));
  if (profile->droppedSteps || profile->droppedLives)
    context.info("the timeline holds the first " + std::to_string(options.steps) +
                 " steps, the sums all; --steps=N holds more");
  return ExitCode::Done;
}

static ExitCode executeModel(const ProfileOptions &options, const Arguments &arguments, Context &context) {
  Diagnostics diagnostics;
  checkOptions(options, diagnostics);
  if (const std::string stray =
          arguments.firstGiven({"--dtype", "--attr", "--cache-path", "--cache-setting", "--memory-rates", "--l2",
                                "--target-figures", "--no-effects", "--steps"});
      !stray.empty())
    diagnostics.error(Code::E0104, {},
                      stray + " goes with an operator, found the model '" + printablePath(options.folder) + "'");
  if (diagnostics.hasErrors())
    return context.finish(diagnostics);
  return profileModelFolder(
      {options.folder, options.output, options.launch.inputs, options.launch.seed, options.launch.shapes}, context);
}

static Action declare(Declaration &declaration) {
  auto options = std::make_shared<ProfileOptions>();
  Arguments &arguments = declaration.arguments;
  arguments
      .option("operator", options->folder,
              std::string(kOperatorSourceHelp) + "; or a model folder, which gives a line for each step")
      .typeName("OPERATOR");
  arguments.option("--device", options->device, "device to profile on: sim (default)").typeName("sim");
  addInputs(arguments, options->launch.inputs);
  addInputShape(arguments, options->launch.shapes,
                "shapes of the inputs without --input, which are filled with random numbers: \"x1:2,3;x2:2,3\"; of a "
                "model those of "
                "all inputs (default the largest)");
  arguments
      .option("--dtype", options->launch.dtype,
              "row of the type table (default for random inputs the first); with --source the type of random inputs")
      .typeName("ROW");
  addAttributes(arguments, options->launch.attributes);
  addCacheFlags(arguments, options->launch.cache);
  addSeed(arguments, options->launch.seed, "seed of random inputs (default 310)");
  addMemoryFlags(arguments, options->launch.memory);
  addTargetFigures(arguments, options->launch.figures);
  arguments.flag("--no-effects", options->noEffects, "omit the runs with half and double of each assumed figure");
  arguments
      .option("--steps", options->steps, "maximum number of steps in the timeline and the storyboard (default 200000)")
      .typeName("N")
      .check(wholeNumber(1, 10'000'000));
  addOutput(arguments, options->output,
            "write profile.html, profile.json, trace.json and the vendor's tables to this folder; of a model "
            "profile.json alone");
  addSourceOptions(arguments, options->source);
  return [options, arguments](Context &context) {
    const bool isModel = !options->source.given() && !options->folder.empty() && isModelFolder(options->folder);
    return isModel ? executeModel(*options, arguments, context) : execute(*options, context);
  };
}

const Command &profileCommand() {
  static const Command command = {"profile", "profile a launch or a model on the simulator",
                                  "  opc profile out --device=sim --input_shape='x:1024,1000' --dtype=float16\n"
                                  "  opc profile op_contract.yaml --input_shape='x:1024,1000' --dtype=float16\n"
                                  "  opc profile out --input x=@a.npy --attr beta=1.5 --format=json\n"
                                  "  opc profile out --input_shape='x:1024,1000' --output=prof   # prof/profile.html\n"
                                  "  opc profile model_folder\n"
                                  "  opc profile --source kernel.cpp --input x=@x.npy --tiling t.bin --block_dim 2",
                                  declare};
  return command;
}

} // namespace opc::tool
