// The contexts that InferShape, InferDataType, TilingParse and TilingFunc get.

#ifndef OPC_RUNTIME_ASCENDC_HOST_CONTEXTS_H
#define OPC_RUNTIME_ASCENDC_HOST_CONTEXTS_H

#include "runtime/ascendc/host/Tensors.h"

#include <algorithm>
#include <memory>

/// Host functions query the chip through this class of the framework.
namespace fe {
class PlatFormInfos {
public:
  const opc::ascendc::HostLaunch *launch = nullptr;
};
} // namespace fe

namespace gert {

/// The bytes of tiling data that a host function fills.
class TilingData {
public:
  void *GetData() { return bytes.data(); }
  const void *GetData() const { return bytes.data(); }
  size_t GetCapacity() const { return bytes.size(); }
  size_t GetDataSize() const { return size; }
  void SetDataSize(size_t count) { size = count; }
  template <typename T> ge::graphStatus Append(const T &value) {
    if (sizeof(T) > bytes.size() - size)
      return ge::GRAPH_FAILED;
    std::memcpy(bytes.data() + size, &value, sizeof(T));
    size += sizeof(T);
    return ge::GRAPH_SUCCESS;
  }

private:
  std::vector<uint8_t> bytes = std::vector<uint8_t>(size_t(64) << 10);
  size_t size = 0;
};

/// The instances of a parameter: one, none if it is optional and omitted, several if it is dynamic.
class AnchorInstanceInfo {
public:
  AnchorInstanceInfo(size_t start, size_t count) : start(start), count(count) {}
  size_t GetInstanceStart() const { return start; }
  size_t GetInstanceNum() const { return count; }

private:
  size_t start, count;
};

/// The data of all contexts: the operator, its tensors, its attributes.
class OperatorContext {
public:
  OperatorContext(const opc::ascendc::HostLaunch &launch, opc::ascendc::HostResult &result)
      : given(launch), result(result), attributes(&launch) {
    platform.launch = &launch;
    auto read = [&result](const opc::ascendc::HostTensor *from, uint32_t count, std::vector<Tensor> &tensors,
                          std::vector<CompileTimeTensorDesc> &descs, std::vector<uint32_t> &parameters) {
      for (uint32_t i = 0; i < count; ++i) {
        if (!from[i].present)
          continue;
        Shape shape;
        for (uint32_t axis = 0; axis < from[i].rank; ++axis)
          shape.AppendDim(from[i].sizes[axis]);
        descs.emplace_back(ge::DataType(from[i].type), ge::Format(from[i].format));
        tensors.emplace_back(StorageShape(shape, shape), descs.back(), from[i],
                             from[i].valueDepend ? nullptr : &result);
        parameters.push_back(from[i].parameter);
      }
    };
    read(launch.inputs, launch.numInputs, inputs, inputDescs, inputParameters);
    read(launch.outputs, launch.numOutputs, outputs, outputDescs, outputParameters);
    for (const Tensor &output : outputs)
      outputShapes.push_back(output.GetShape());
  }

  const char *GetNodeName() const { return given.op; }
  const char *GetNodeType() const { return given.op; }
  const RuntimeAttrs *GetAttrs() const { return &attributes; }
  size_t GetComputeNodeInputNum() const { return inputs.size(); }
  size_t GetComputeNodeOutputNum() const { return outputs.size(); }
  size_t GetInputsNum() const { return inputs.size(); }
  size_t GetOutputsNum() const { return outputs.size(); }
  size_t GetIrInputsNum() const { return given.numInputs; }
  size_t GetIrOutputsNum() const { return given.numOutputs; }
  const OperatorContext *GetComputeNodeInfo() const { return this; }
  AnchorInstanceInfo GetIrInputInstanceInfo(size_t parameter) const { return instances(inputParameters, parameter); }
  const AnchorInstanceInfo *GetInputInstanceInfo(size_t parameter) const {
    infos.push_back(std::make_unique<AnchorInstanceInfo>(instances(inputParameters, parameter)));
    return infos.back().get();
  }
  const CompileTimeTensorDesc *GetInputTdInfo(size_t index) const { return at(inputDescs, index); }
  const CompileTimeTensorDesc *GetOutputTdInfo(size_t index) const { return at(outputDescs, index); }

  const Tensor *GetInputTensor(size_t index) const { return at(inputs, index); }
  const Tensor *GetOptionalInputTensor(size_t parameter) const { return at(inputs, instance(parameter, 0)); }
  const Tensor *GetRequiredInputTensor(size_t parameter) const { return GetOptionalInputTensor(parameter); }
  const Tensor *GetDynamicInputTensor(size_t parameter, size_t index) const {
    return at(inputs, instance(parameter, index));
  }
  const CompileTimeTensorDesc *GetInputDesc(size_t index) const { return at(inputDescs, index); }
  const CompileTimeTensorDesc *GetOutputDesc(size_t index) const { return at(outputDescs, index); }
  const CompileTimeTensorDesc *GetOptionalInputDesc(size_t parameter) const {
    return at(inputDescs, instance(parameter, 0));
  }
  const CompileTimeTensorDesc *GetRequiredInputDesc(size_t parameter) const { return GetOptionalInputDesc(parameter); }
  const CompileTimeTensorDesc *GetDynamicInputDesc(size_t parameter, size_t index) const {
    return at(inputDescs, instance(parameter, index));
  }

protected:
  template <typename T> static const T *at(const std::vector<T> &values, size_t index) {
    return index < values.size() ? &values[index] : nullptr;
  }
  static AnchorInstanceInfo instances(const std::vector<uint32_t> &parameters, size_t parameter) {
    const auto first = std::lower_bound(parameters.begin(), parameters.end(), uint32_t(parameter));
    const auto last = std::upper_bound(parameters.begin(), parameters.end(), uint32_t(parameter));
    return {size_t(first - parameters.begin()), size_t(last - first)};
  }
  /// The number among the given inputs of an instance of a parameter; SIZE_MAX if it is not given.
  size_t instance(size_t parameter, size_t index) const {
    const AnchorInstanceInfo found = instances(inputParameters, parameter);
    return index < found.GetInstanceNum() ? found.GetInstanceStart() + index : SIZE_MAX;
  }

  const opc::ascendc::HostLaunch &given;
  opc::ascendc::HostResult &result;
  RuntimeAttrs attributes;
  std::vector<Tensor> inputs, outputs;
  std::vector<CompileTimeTensorDesc> inputDescs, outputDescs;
  std::vector<uint32_t> inputParameters, outputParameters;
  std::vector<StorageShape> outputShapes;
  fe::PlatFormInfos platform;
  mutable std::vector<std::unique_ptr<AnchorInstanceInfo>> infos;
};

class InferShapeContext : public OperatorContext {
public:
  using OperatorContext::OperatorContext;
  const Shape *GetInputShape(size_t index) const {
    const Tensor *tensor = GetInputTensor(index);
    return tensor ? &tensor->GetOriginShape() : nullptr;
  }
  const Shape *GetOptionalInputShape(size_t parameter) const { return GetInputShape(instance(parameter, 0)); }
  const Shape *GetRequiredInputShape(size_t parameter) const { return GetOptionalInputShape(parameter); }
  const Shape *GetDynamicInputShape(size_t parameter, size_t index) const {
    return GetInputShape(instance(parameter, index));
  }
  Shape *GetOutputShape(size_t index) {
    return index < outputShapes.size() ? &outputShapes[index].MutableOriginShape() : nullptr;
  }
};

class InferDataTypeContext : public OperatorContext {
public:
  using OperatorContext::OperatorContext;
  ge::DataType GetInputDataType(size_t index) const { return typeAt(inputDescs, index); }
  ge::DataType GetOptionalInputDataType(size_t parameter) const { return typeAt(inputDescs, instance(parameter, 0)); }
  ge::DataType GetRequiredInputDataType(size_t parameter) const { return GetOptionalInputDataType(parameter); }
  ge::DataType GetDynamicInputDataType(size_t parameter, size_t index) const {
    return typeAt(inputDescs, instance(parameter, index));
  }
  ge::DataType GetOutputDataType(size_t index) const { return typeAt(outputDescs, index); }
  ge::graphStatus SetOutputDataType(size_t index, ge::DataType type) {
    if (index >= outputs.size())
      return ge::GRAPH_FAILED;
    result.outputType(uint32_t(index), type);
    return ge::GRAPH_SUCCESS;
  }

private:
  static ge::DataType typeAt(const std::vector<CompileTimeTensorDesc> &descs, size_t index) {
    return index < descs.size() ? descs[index].GetDataType() : ge::DT_UNDEFINED;
  }
};

class TilingContext : public OperatorContext {
public:
  using OperatorContext::OperatorContext;
  const StorageShape *GetInputShape(size_t index) const {
    const Tensor *tensor = GetInputTensor(index);
    return tensor ? &tensor->GetShape() : nullptr;
  }
  const StorageShape *GetOptionalInputShape(size_t parameter) const { return GetInputShape(instance(parameter, 0)); }
  const StorageShape *GetRequiredInputShape(size_t parameter) const { return GetOptionalInputShape(parameter); }
  const StorageShape *GetDynamicInputShape(size_t parameter, size_t index) const {
    return GetInputShape(instance(parameter, index));
  }
  const StorageShape *GetOutputShape(size_t index) const { return at(outputShapes, index); }

  fe::PlatFormInfos *GetPlatformInfo() { return &platform; }
  /// The result of TilingParse at compile time, of the type T of the registered TilingParse<T>.
  const void *GetCompileInfo() const { return compileInfo; }
  template <typename T> const T *GetCompileInfo() const { return static_cast<const T *>(compileInfo); }
  void SetCompileInfo(const void *info) { compileInfo = info; }

  ge::graphStatus SetBlockDim(uint32_t count) {
    blocks = count;
    return ge::GRAPH_SUCCESS;
  }
  uint32_t GetBlockDim() const { return blocks; }
  ge::graphStatus SetTilingKey(uint64_t value) {
    key = value;
    return ge::GRAPH_SUCCESS;
  }
  uint64_t GetTilingKey() const { return key; }
  ge::graphStatus SetNeedAtomic(bool) { return ge::GRAPH_SUCCESS; }
  ge::graphStatus SetScheduleMode(uint32_t) { return ge::GRAPH_SUCCESS; }
  ge::graphStatus SetTilingCond(int32_t) { return ge::GRAPH_SUCCESS; }
  ge::graphStatus SetAicpuBlockDim(uint32_t) { return ge::GRAPH_SUCCESS; }
  ge::graphStatus SetLocalMemorySize(uint32_t) { return ge::GRAPH_SUCCESS; }
  int32_t GetDeterministic() const { return 0; }
  TilingData *GetRawTilingData() { return &data; }
  /// The tiling data as a structure of the caller's; counts as filled.
  template <typename T> T *GetTilingData() {
    if (sizeof(T) > data.GetCapacity())
      return nullptr;
    data.SetDataSize(sizeof(T));
    return static_cast<T *>(data.GetData());
  }
  size_t *GetWorkspaceSizes(size_t count) {
    workspaces.resize(std::min<size_t>(count, 16));
    return workspaces.data();
  }
  size_t GetWorkspaceNum() const { return workspaces.size(); }

  void report() {
    for (size_t bytes : workspaces)
      result.workspace(bytes);
    result.launch(blocks, key, data.GetData(), std::min(data.GetDataSize(), data.GetCapacity()));
  }

private:
  TilingData data;
  std::vector<size_t> workspaces;
  uint32_t blocks = 1;
  uint64_t key = 0;
  const void *compileInfo = nullptr;
};

class TilingParseContext : public OperatorContext {
public:
  TilingParseContext(const opc::ascendc::HostLaunch &launch, opc::ascendc::HostResult &result, void *info)
      : OperatorContext(launch, result), info(info) {}
  fe::PlatFormInfos *GetPlatformInfo() { return &platform; }
  template <typename T> T *GetCompiledInfo() { return static_cast<T *>(info); }
  const char *GetCompiledJson() const { return "{}"; }

private:
  void *info;
};

} // namespace gert

#endif // OPC_RUNTIME_ASCENDC_HOST_CONTEXTS_H
