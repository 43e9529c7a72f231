// The forms of a model (ModelSizes.h) together: kernels and weights are stored once, plans are files.

#ifndef OPC_TOOLS_OPC_COMPILE_MODEL_MODELFAMILY_H
#define OPC_TOOLS_OPC_COMPILE_MODEL_MODELFAMILY_H

#include "lowering/pipelines/CompileModel.h"
#include "runtime/program/model/ModelSizes.h"

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace opc::tool {

class ModelFamily {
public:
  /// `sizes` and `inputs` are those of InputForms; a model without open sizes has no sizes, and one form.
  explicit ModelFamily(std::vector<ModelSize> sizes = {}, std::vector<std::vector<std::string>> inputs = {})
      : sizes(std::move(sizes)), inputSizes(std::move(inputs)) {}

  /// Why the outputs of a form cannot have the same description as those of the forms before it: types and ranks
  /// differ. Empty if they can.
  std::string checkOutputs(const CompiledModel &compiled) const;
  /// Adds a form that checkOutputs accepts, the largest one first: a constant that equals the first bytes of a stored
  /// one becomes a part of it. Takes the bytes that `compiled` owns, and changes its plan to that of the family.
  /// Returns why this plan cannot be run (checkPlan), empty if it can.
  std::string add(size_t form, CompiledModel &compiled);

  std::vector<ModelSize> sizes;
  std::string name;
  std::vector<ModelTensor> inputs, outputs; ///< sizes that differ between forms are open
  std::vector<KernelRequest> kernels;       ///< of all forms, each once
  std::vector<ModelWeight> weights;         ///< by offset
  uint64_t weightBytes = 0, arenaBytes = 0;
  std::vector<std::pair<std::string, std::string>> plans; ///< path in the folder, bytes

private:
  uint32_t kernelOf(const KernelRequest &request);
  uint64_t offsetOf(std::string_view bytes);
  void addEnds(const CompiledModel &compiled);

  std::vector<std::vector<std::string>> inputSizes;
  std::map<std::tuple<std::string, std::vector<std::string>, std::map<std::string, std::string>>, uint32_t> numbers;
  std::unordered_multimap<std::string, size_t> beginnings; ///< the first bytes of a constant, its index in `weights`
  std::vector<std::unique_ptr<std::string>> owned;
};

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_COMPILE_MODEL_MODELFAMILY_H
