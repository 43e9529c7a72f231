// A compiled model that is ready to run: its plan with kernels loaded and launches bound, its weights mapped, its arena
// allocated.
//
//   open   files checked, weights mapped, each launch bound to its shapes: all that can fail does so here
//   run    the addresses of inputs and outputs put in their places, and checked if they are not those of the run
//          before; kernels called in order: no memory is asked for
//
// A model with open sizes (ModelSizes.h) has a plan for each choice of them, a form. `open` binds one form, `setShapes`
// another; the last few stay bound, and all of them use one arena of the size of the largest.
//
// A folder is not trusted: ModelPlan.h has the rules for plans, and a launch whose results differ in shape from the
// plan is refused.

#ifndef OPC_RUNTIME_CORE_MODEL_LOADEDMODEL_H
#define OPC_RUNTIME_CORE_MODEL_LOADEDMODEL_H

#include "runtime/core/launch/PreparedLaunch.h"
#include "runtime/core/model/HostStep.h"
#include "runtime/core/model/PackedStore.h"
#include "runtime/program/model/KernelTable.h"
#include "runtime/program/model/MappedFile.h"
#include "runtime/program/model/ModelManifest.h"
#include "runtime/program/model/ModelPlan.h"

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace opc {

/// model.json and the table of kernels of a folder, checked; plans, kernels and weights are not read.
struct ModelFolder {
  std::string path;
  std::string sha256; ///< of model.json, which has those of all other files
  ModelManifest manifest;
  std::vector<Manifest> kernels; ///< in the order of `manifest.kernels`
};

/// Whether a folder has a model.json, valid or not.
bool isModelFolder(const std::string &path);
/// Reads and checks a folder; nullopt after reporting E1020 or E1021.
std::optional<ModelFolder> openModelFolder(const std::string &path, Diagnostics &diagnostics);

class LoadedModel {
public:
  /// Loads a model for a device. Kernels that were not compiled for it run on `host`, if there is one; without it they
  /// are errors. Binds the form with `shapes`, as setShapes does, or without them the largest. Null after reporting
  /// E1020 or E1021, errors of an op folder or of a launch, E0523, or E0901 if the arena cannot be allocated. Constants
  /// that kernels pack are taken from `packed`, if it is not null, or put there; it must outlive the model.
  static std::unique_ptr<LoadedModel> open(const std::string &path, std::shared_ptr<Device> device,
                                           Diagnostics &diagnostics, std::shared_ptr<Device> host = nullptr,
                                           const std::vector<Shape> *shapes = nullptr,
                                           const PackedStore *packed = nullptr);

  /// The manifest of the folder, with the shapes of the inputs and outputs of the bound form.
  const ModelManifest &manifest() const { return shown; }
  const ModelPlan &plan() const { return form->plan; }
  /// The number of the bound form.
  size_t formNumber() const { return form->number; }
  /// Binds the form whose inputs have these shapes, in the manifest's order. False after reporting E0523 for shapes
  /// that the model was not compiled for, or an error of `open`; the previous form then stays bound. Does nothing if
  /// the form is already bound.
  bool setShapes(const std::vector<Shape> &shapes, Diagnostics &diagnostics);

  /// Runs the model once and waits for it. `inputs` and `outputs` point to the first elements, in the manifest's order;
  /// outputs must not overlap other tensors. One thread at a time. Allocates nothing. Returns false after reporting
  /// E0530 for memory that a launch cannot take, before any launch runs, or the error of a launch.
  bool run(void *const *inputs, void *const *outputs, Diagnostics &diagnostics) {
    return setCaller(inputs, outputs, diagnostics) && runSteps(0, form->steps.size(), nullptr, diagnostics);
  }
  /// The same, and calls `after` with the number of each step after it has run and its results are in memory. For a
  /// branch, the steps of the chosen list come before the branch itself.
  bool run(void *const *inputs, void *const *outputs, const std::function<void(size_t)> &after,
           Diagnostics &diagnostics) {
    return setCaller(inputs, outputs, diagnostics) && runSteps(0, form->steps.size(), &after, diagnostics);
  }
  /// The shape of an output in the last run: that of the manifest, with the actual number of rows if it depends
  /// on data.
  Shape shapeOfOutput(size_t number) const;

  /// The number of steps that run on `host`, and their operators: "MatMul", each once.
  size_t hostSteps() const { return form->ofHost; }
  const std::set<std::string> &hostOperators() const { return form->onHost; }

  /// The address of a value of the arena or the weights; null for memory of the caller. Later steps may overwrite
  /// values of the arena.
  const void *addressOf(const PlanValue &value) const;
  /// Replaces the elements of a value of the arena, between two steps of a run.
  void replace(const PlanValue &value, const void *elements);

private:
  struct Step {
    PreparedKernel *direct = nullptr;       ///< of `launch`, to run without reading it
    std::shared_ptr<PreparedLaunch> launch; ///< of a kernel
    std::unique_ptr<HostStep> host;         ///< of a function of the host
    size_t first = 0;                       ///< its addresses in `addresses`: inputs, then outputs
    uint64_t bytes = 0;                     ///< of a copy
    size_t behind = 0;                      ///< of a branch: the step that follows both of its lists; 0 elsewhere
    size_t ifFalse = 0;                     ///< of a branch: the first step of its second list
  };
  /// An address that the caller gives.
  struct Open {
    size_t place;
    bool isOutput;
    size_t number;
    uint64_t start; ///< bytes from its beginning
  };
  /// A plan whose launches are bound.
  struct Form {
    size_t number = 0;
    ModelPlan plan;
    std::vector<Step> steps;
    std::vector<void *> addresses;
    std::vector<Open> caller;          ///< the entries that each run sets in `addresses`
    std::vector<size_t> stepsOfCaller; ///< launches with such an entry, whose memory is checked when it changes
    bool isChecked = false;            ///< for the addresses of the last run
    std::optional<std::vector<PackedConstant>> packed; ///< of each step, from a file; while it is bound
    bool isRefused = false;                            ///< a step did not take what `packed` has for it
    size_t ofHost = 0;
    std::set<std::string> onHost;
  };
  bool mapWeights(Diagnostics &diagnostics);
  bool openLibrary(Device &cpu, std::vector<std::shared_ptr<Device>> &places, Diagnostics &diagnostics);
  bool loadKernels(const std::shared_ptr<Device> &device, const std::shared_ptr<Device> &host,
                   Diagnostics &diagnostics);
  /// Makes a form the current one, and binds it if it is not bound.
  bool choose(size_t number, Diagnostics &diagnostics);
  std::unique_ptr<Form> bindForm(size_t number, Diagnostics &diagnostics);
  void keepWeights(Form &bound, const PlanStep &planned, const Step &step);
  std::string packedKey(size_t form) const;
  bool bind(Form &bound, size_t number, Diagnostics &diagnostics);
  void addAddress(Form &bound, const PlanValue &value);
  bool setCaller(void *const *inputs, void *const *outputs, Diagnostics &diagnostics);
  bool runStep(const Step &step, Diagnostics &diagnostics);
  bool runSteps(size_t first, size_t end, const std::function<void(size_t)> *after, Diagnostics &diagnostics);
  bool bindLaunch(Form &bound, size_t number, Step &step, Diagnostics &diagnostics);

  ModelFolder folder;
  const PackedStore *store = nullptr;
  ModelManifest shown;
  std::unique_ptr<MappedFile> weights;
  Tensor arena;
  std::vector<std::shared_ptr<Operator>> kernels;
  std::vector<bool> isOnHost;               ///< by kernel
  std::vector<std::string> hostNames;       ///< by kernel, of those on the host: its operator
  bool hasOtherDevice = false;              ///< other than the CPU of the host
  std::vector<std::unique_ptr<Form>> forms; ///< bound ones, the one that was chosen last first
  Form *form = nullptr;                     ///< the first of them
};

} // namespace opc

#endif // OPC_RUNTIME_CORE_MODEL_LOADEDMODEL_H
