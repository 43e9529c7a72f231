// Weights in files beside the model (onnx_c9). Their paths follow the rule of contracts and manifests: below the folder
// of the model, also after links are followed. A file is mapped once for all its tensors.

#include "ops/contract/Names.h"
#include "ops/onnx/read/Parts.h"

#include <algorithm>
#include <filesystem>

namespace opc::onnx {

namespace fs = std::filesystem;

namespace {

class ExternalData {
public:
  ExternalData(Model &model, Diagnostics &diagnostics) : model(model), diagnostics(diagnostics) {}

  bool visit(const Graph &graph) {
    for (const Tensor &tensor : graph.initializers)
      if (!open(tensor))
        return false;
    for (const SparseTensor &tensor : graph.sparseInitializers)
      if (!open(tensor.values) || !open(tensor.indices))
        return false;
    return visit(graph.nodes);
  }

  bool visit(const std::vector<Node> &nodes) {
    for (const Node &node : nodes)
      if (!visit(node.attributes))
        return false;
    return true;
  }

  bool visit(const std::vector<Attribute> &attributes) {
    for (const Attribute &attribute : attributes)
      if (!visit(attribute))
        return false;
    return true;
  }

private:
  bool visit(const Attribute &attribute) {
    for (const Tensor &tensor : attribute.tensors)
      if (!open(tensor))
        return false;
    for (const SparseTensor &tensor : attribute.sparseTensors)
      if (!open(tensor.values) || !open(tensor.indices))
        return false;
    for (const Graph &graph : attribute.graphs)
      if (!visit(graph))
        return false;
    return true;
  }

  bool fail(const Tensor &tensor, const std::string &message, const std::string &fix = {}) {
    diagnostics.error(Code::E1003, {model.path, 0, 0},
                      message + ", for '" + printable(tensor.name, 60) + "' at byte " + std::to_string(tensor.at),
                      "onnx_c9", fix);
    return false;
  }

  bool open(const Tensor &tensor) {
    if (tensor.storage != Tensor::External)
      return true;
    auto known = model.externalFiles.find(tensor.location);
    if (known == model.externalFiles.end()) {
      std::shared_ptr<MappedFile> file = map(tensor);
      if (!file)
        return false;
      known = model.externalFiles.emplace(std::string(tensor.location), std::move(file)).first;
    }
    uint64_t size = known->second->bytes().size();
    if (tensor.offset <= size && tensor.length <= size - tensor.offset)
      return true;
    return fail(tensor,
                "expects external data within its file, found bytes " + std::to_string(tensor.offset) + " to " +
                    std::to_string(tensor.offset + tensor.length) + " of '" + printable(tensor.location, 80) +
                    "', which has " + std::to_string(size),
                "the file may have been cut off");
  }

  std::shared_ptr<MappedFile> map(const Tensor &tensor) {
    std::string_view location = tensor.location;
    // Some exporters begin with the model's own folder.
    if (location.substr(0, 2) == "./")
      location.remove_prefix(2);
    std::string wrong = checkRelativePath(location);
    if (!wrong.empty()) {
      fail(tensor,
           "expects external data below the model's folder, found '" + printable(location, 80) + "', which " + wrong);
      return nullptr;
    }
    std::error_code error;
    fs::path root = fs::canonical(model.folder, error);
    fs::path real = error ? fs::path() : fs::canonical(fs::path(model.folder) / location, error);
    if (error) {
      fail(tensor, "expects external data in a file beside the model, found no '" + printable(location, 80) + "'",
           "copy the file beside the model");
      return nullptr;
    }
    if (std::mismatch(root.begin(), root.end(), real.begin(), real.end()).first != root.end()) {
      fail(tensor, "expects external data below the model's folder, found '" + printable(location, 80) +
                       "', which is a link out of it");
      return nullptr;
    }
    std::string found;
    std::shared_ptr<MappedFile> file = MappedFile::open(real.string(), found);
    if (!file)
      fail(tensor, "expects external data that can be read, found " + found + " at '" + printable(location, 80) + "'");
    return file;
  }

  Model &model;
  Diagnostics &diagnostics;
};

} // namespace

bool openExternalData(Model &model, Diagnostics &diagnostics) {
  ExternalData data(model, diagnostics);
  if (!data.visit(model.graph))
    return false;
  for (const Function &function : model.functions)
    if (!data.visit(function.attributeDefaults) || !data.visit(function.nodes))
      return false;
  return true;
}

} // namespace opc::onnx
