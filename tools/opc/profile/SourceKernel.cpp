// A kernel in Ascend C: compiled, recorded on the inputs, and run again for each change of figures. Its reads during
// recording depend only on the inputs, so one recording serves all runs.

#include "tools/opc/profile/ProfiledKernel.h"

#include <set>

namespace opc::tool {

namespace {
class SourceKernel final : public ProfiledKernel {
public:
  SourceKernel(const SourceRunOptions &options, const LaunchFlags &flags) : options(options), flags(flags) {}
  bool open(Diagnostics &diagnostics);
  bool simulate(const Target &chip, const SimOptions &simOptions, SimResult &result, Diagnostics &diagnostics) override;

private:
  void describe();

  const SourceRunOptions options;
  const LaunchFlags flags;
  std::unique_ptr<SourceProject> project;
  SourceRun run;
  std::optional<Target> target;
};
} // namespace

bool SourceKernel::open(Diagnostics &diagnostics) {
  const std::optional<Target> figures = readFigures(flags.figures, diagnostics);
  about.memory = memoryModel(flags.memory, flags.figures, diagnostics);
  const Target *chip = checkSourceOptions(options, diagnostics);
  if (diagnostics.hasErrors())
    return false;
  target = targetOf(std::string(chip->name()), figures, flags.figures, diagnostics);
  if (target)
    target = withRates(*target, about.memory);
  SourceInputs inputs;
  inputs.inputs = flags.inputs;
  inputs.attributes = flags.attributes;
  inputs.randomShapes = flags.shapes;
  inputs.dtype = flags.dtype;
  inputs.seed = flags.seed;
  if (flags.like) {
    inputs.knownFrom = "'" + printable(flags.like->kernel) + "'";
    for (const ProfiledTensor &of : flags.like->tensors)
      if (of.tensor && of.role != ProfiledTensor::Workspace)
        inputs.known.push_back({of.name, of.tensor, of.role == ProfiledTensor::Output});
  }
  project = target ? SourceProject::open(options, *target, diagnostics) : nullptr;
  if (!project || !project->prepare(inputs, std::nullopt, run, diagnostics) ||
      !recordLaunch(run.launch, *target, diagnostics))
    return false;
  describe();
  return true;
}

bool SourceKernel::simulate(const Target &chip, const SimOptions &simOptions, SimResult &result,
                            Diagnostics &diagnostics) {
  const size_t errors = diagnostics.errorCount();
  result = simulateLaunch(run.launch, chip, simOptions, diagnostics);
  return result.completed && diagnostics.errorCount() == errors;
}

void SourceKernel::describe() {
  about.operatorName = about.kernel = run.launch.source->kernel.name;
  about.source = options.source.path;
  about.program = &run.launch.recording.program;
  about.target = &*target;
  std::set<std::string> random(run.randomInputs.begin(), run.randomInputs.end());
  if (flags.like)
    for (const ProfiledTensor &of : flags.like->tensors)
      if (of.isRandom)
        random.insert(of.name);
  for (const KernelParameter &parameter : run.launch.parameters)
    if (parameter.tensor)
      about.tensors.push_back({parameter.name,
                               parameter.kind == KernelParameter::Workspace ? nullptr : parameter.tensor,
                               parameter.kind == KernelParameter::Output      ? ProfiledTensor::Output
                               : parameter.kind == KernelParameter::Workspace ? ProfiledTensor::Workspace
                                                                              : ProfiledTensor::Input,
                               random.count(parameter.name) != 0});
  about.figuresFile = flags.figures;
  about.blocks = run.launch.blocks;
  about.seed = flags.seed;
}

std::unique_ptr<ProfiledKernel> openSourceKernel(const SourceRunOptions &options, const LaunchFlags &flags,
                                                 Diagnostics &diagnostics) {
  auto kernel = std::make_unique<SourceKernel>(options, flags);
  return kernel->open(diagnostics) ? std::move(kernel) : nullptr;
}

} // namespace opc::tool
