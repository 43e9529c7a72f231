// The exports of the host files: their definitions, and shape inference and tiling for a launch.

#ifndef OPC_RUNTIME_ASCENDC_HOST_ENTRY_H
#define OPC_RUNTIME_ASCENDC_HOST_ENTRY_H

#include "runtime/ascendc/host/HostInterface.h"
#include "runtime/ascendc/host/Messages.h"
#include "runtime/ascendc/host/OpDef.h"
#include "runtime/ascendc/host/TemplateArguments.h"
#include "runtime/ascendc/host/TilingData.h"

namespace opc::ascendc {

class HostFiles final : public HostObject {
public:
  static constexpr size_t kMostRows = 1000;

  uint32_t version() const override { return kHostVersion; }

  void define(HostDefinition &definition) override {
    for (const RegisteredOp &registered : registeredOps()) {
      const std::unique_ptr<ops::OpDef> op = registered.make(registered.type);
      definition.op(registered.type, registered.file, registered.line);
      defineTensors(*op, definition);
      for (const auto &attribute : op->attributes.list())
        definition.attribute(attribute->name.c_str(), attribute->option != ops::OPTIONAL, attribute->defaultValue());
      for (const auto &[chip, config] : op->core.chips)
        definition.chip(chip.c_str());
      const HostFunctions functions = functionsOf(*op);
      definition.functions(functions.tiling, functions.inferShape, functions.inferType);
    }
    for (const RegisteredTiling &tiling : registeredTilings()) {
      definition.tilingClass(tiling.registeredFor, tiling.name);
      for (const TilingField &field : tiling.fields)
        definition.tilingField(field.type, field.name, field.count, field.isStructure);
    }
  }

  void launch(const HostLaunch &launch, HostResult &result) override {
    std::unique_ptr<ops::OpDef> op;
    for (const RegisteredOp &registered : registeredOps())
      if (std::string(registered.type) == launch.op)
        op = registered.make(registered.type);
    if (!op)
      return result.message("the operator is not defined");
    const HostFunctions functions = functionsOf(*op);
    messageTarget() = &result;
    std::vector<HostTensor> outputs(launch.outputs, launch.outputs + launch.numOutputs);
    HostLaunch inferred = launch;
    inferred.outputs = outputs.data();

    const bool allGiven =
        std::all_of(outputs.begin(), outputs.end(), [](const HostTensor &output) { return output.isGiven; });
    gert::InferShapeContext shapes(launch, result);
    if (functions.inferShape && !allGiven) {
      result.calls("InferShape");
      if (functions.inferShape(&shapes) != ge::GRAPH_SUCCESS)
        return result.failed();
    }
    std::vector<std::vector<int64_t>> sizes(outputs.size());
    for (uint32_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i].isGiven) {
        result.outputShape(i, outputs[i].sizes, outputs[i].rank);
        continue;
      }
      const gert::Shape &shape = *shapes.GetOutputShape(i);
      for (size_t axis = 0; axis < shape.GetDimNum(); ++axis)
        sizes[i].push_back(shape.GetDim(axis));
      outputs[i].sizes = sizes[i].data();
      outputs[i].rank = uint32_t(sizes[i].size());
      result.outputShape(i, sizes[i].data(), uint32_t(sizes[i].size()));
    }
    if (functions.inferType) {
      gert::InferDataTypeContext types(inferred, result);
      result.calls("InferDataType");
      if (functions.inferType(&types) != ge::GRAPH_SUCCESS)
        return result.failed();
    }
    if (!functions.tiling)
      return;
    void *info = functions.makeInfo ? functions.makeInfo() : nullptr;
    if (functions.parse) {
      gert::TilingParseContext parse(inferred, result, info);
      result.calls("TilingParse");
      if (functions.parse(&parse) != ge::GRAPH_SUCCESS)
        return result.failed();
    }
    gert::TilingContext tiling(inferred, result);
    tiling.SetCompileInfo(info);
    result.calls("TilingFunc");
    if (functions.tiling(&tiling) != ge::GRAPH_SUCCESS)
      return result.failed();
    tiling.report();
    reportTemplate(tiling.GetTilingKey(), result);
  }

private:
  static HostFunctions functionsOf(const ops::OpDef &op) {
    HostFunctions functions = op.functions;
    const auto found = hostFunctions().find(op.type);
    if (found == hostFunctions().end())
      return functions;
    const HostFunctions &apart = found->second;
    functions.tiling = functions.tiling ? functions.tiling : apart.tiling;
    functions.inferShape = functions.inferShape ? functions.inferShape : apart.inferShape;
    functions.inferType = functions.inferType ? functions.inferType : apart.inferType;
    functions.parse = functions.parse ? functions.parse : apart.parse;
    functions.makeInfo = apart.makeInfo;
    return functions;
  }

  /// The parameters of a direction on this chip: its own configuration replaces those of the operator.
  static std::vector<const ops::OpParamDef *> tensorsOf(const ops::OpDef &op, bool isOutput) {
    const auto *chosen = &(isOutput ? op.outputs : op.inputs).list();
    for (const auto &[chip, config] : op.core.chips)
      if (const auto &own = (isOutput ? config.lists->outputs : config.lists->inputs).list();
          chip == "ascend310b" && !own.empty())
        chosen = &own;
    std::vector<const ops::OpParamDef *> tensors;
    for (const auto &tensor : *chosen)
      tensors.push_back(tensor.get());
    return tensors;
  }

  static void defineTensors(const ops::OpDef &op, HostDefinition &definition) {
    const std::vector<const ops::OpParamDef *> inputs = tensorsOf(op, false), outputs = tensorsOf(op, true);
    std::vector<RowsOfParameter> parameters;
    for (const auto *list : {&inputs, &outputs})
      for (const ops::OpParamDef *tensor : *list)
        parameters.push_back(tensor->rows);
    const std::vector<std::vector<TypeAndFormat>> rows = typeRowsOf(parameters, kMostRows);
    size_t number = 0;
    for (const auto *list : {&inputs, &outputs})
      for (const ops::OpParamDef *tensor : *list) {
        const char *presence = tensor->option == ops::DYNAMIC    ? "DYNAMIC"
                               : tensor->option == ops::OPTIONAL ? "OPTIONAL"
                                                                 : "REQUIRED";
        definition.tensor(list == &outputs, tensor->name.c_str(), presence, tensor->valueDepend);
        for (const std::vector<TypeAndFormat> &row : rows)
          definition.row(row[number].type, row[number].format);
        ++number;
      }
  }
};

} // namespace opc::ascendc

extern "C" __attribute__((visibility("default"), used)) inline opc::ascendc::HostObject *opc_host_object() {
  static opc::ascendc::HostFiles files;
  return &files;
}

#endif // OPC_RUNTIME_ASCENDC_HOST_ENTRY_H
