// What generated host code calls of the vendor's framework, declared as its documentation names it
// and backed by plain data, so that the code can be compiled and run here. No more than that: a
// call that is not below is not documented for this use.
#ifndef STAND_IN_H
#define STAND_IN_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

namespace ge {

enum DataType {
  DT_FLOAT,
  DT_FLOAT16,
  DT_INT8,
  DT_INT32,
  DT_UINT8,
  DT_INT16 = 6,
  DT_UINT16,
  DT_UINT32,
  DT_INT64,
  DT_UINT64,
  DT_DOUBLE,
  DT_BOOL,
  DT_BF16 = 27,
  DT_UNDEFINED = 28
};
enum Format { FORMAT_NCHW, FORMAT_NHWC, FORMAT_ND, FORMAT_NC1HWC0, FORMAT_FRACTAL_NZ = 29 };
using graphStatus = uint32_t;
constexpr graphStatus GRAPH_SUCCESS = 0;
constexpr graphStatus GRAPH_FAILED = 0xFFFFFFFF;

class AscendString {
public:
  AscendString() = default;
  AscendString(const char *text) : text(text) {}
  const char *GetString() const { return text.c_str(); }

private:
  std::string text;
};

} // namespace ge

namespace gert {

class Shape {
public:
  Shape() = default;
  Shape(std::initializer_list<int64_t> sizes) : sizes(sizes) {}
  size_t GetDimNum() const { return sizes.size(); }
  int64_t GetDim(size_t i) const { return sizes[i]; }
  void SetDimNum(size_t count) { sizes.resize(count); }
  Shape &AppendDim(int64_t size) {
    sizes.push_back(size);
    return *this;
  }
  std::vector<int64_t> sizes;
};

class StorageShape {
public:
  const Shape &GetStorageShape() const { return shape; }
  const Shape &GetOriginShape() const { return origin; }
  Shape shape, origin;
};

class CompileTimeTensorDesc {
public:
  ge::DataType GetDataType() const { return type; }
  ge::Format GetStorageFormat() const { return format; }
  ge::DataType type = ge::DT_UNDEFINED;
  ge::Format format = ge::FORMAT_ND;
};

template <typename T> class TypedContinuousVector {
public:
  size_t GetSize() const { return items.size(); }
  const T *GetData() const { return items.data(); }
  std::vector<T> items;
};

// Attributes by position; one that was not set is null.
class RuntimeAttrs {
public:
  const float *GetFloat(size_t i) const { return Find(floats, i); }
  const int64_t *GetInt(size_t i) const { return Find(ints, i); }
  const bool *GetBool(size_t i) const { return Find(bools, i); }
  const char *GetStr(size_t i) const {
    const std::string *text = Find(texts, i);
    return text == nullptr ? nullptr : text->c_str();
  }
  const TypedContinuousVector<int64_t> *GetListInt(size_t i) const { return Find(intLists, i); }
  const TypedContinuousVector<float> *GetListFloat(size_t i) const { return Find(floatLists, i); }

  std::map<size_t, float> floats;
  std::map<size_t, int64_t> ints;
  std::map<size_t, bool> bools;
  std::map<size_t, std::string> texts;
  std::map<size_t, TypedContinuousVector<int64_t>> intLists;
  std::map<size_t, TypedContinuousVector<float>> floatLists;

private:
  template <typename T> static const T *Find(const std::map<size_t, T> &values, size_t i) {
    auto found = values.find(i);
    return found == values.end() ? nullptr : &found->second;
  }
};

class InferShapeContext {
public:
  const Shape *GetInputShape(size_t i) const { return i < inputs.size() && given[i] ? &inputs[i] : nullptr; }
  const Shape *GetOptionalInputShape(size_t i) const { return GetInputShape(i); }
  Shape *GetOutputShape(size_t i) { return i < outputs.size() ? &outputs[i] : nullptr; }
  const RuntimeAttrs *GetAttrs() const { return &attrs; }
  std::vector<Shape> inputs, outputs;
  std::vector<bool> given;
  RuntimeAttrs attrs;
};

class InferDataTypeContext {
public:
  ge::DataType GetInputDataType(size_t i) const { return inputs[i]; }
  ge::DataType GetOutputDataType(size_t i) const { return outputs[i]; }
  ge::graphStatus SetOutputDataType(size_t i, ge::DataType type) {
    outputs[i] = type;
    return ge::GRAPH_SUCCESS;
  }
  std::vector<ge::DataType> inputs, outputs;
};

class TilingData {
public:
  void *GetData() { return bytes.data(); }
  size_t GetCapacity() const { return bytes.size(); }
  void SetDataSize(size_t count) { size = count; }
  std::vector<unsigned char> bytes = std::vector<unsigned char>(4096);
  size_t size = 0;
};

} // namespace gert

namespace fe {
class PlatFormInfos {
public:
  uint32_t cores = 1;
};
} // namespace fe

namespace gert {

class TilingContext {
public:
  const StorageShape *GetInputShape(size_t i) const { return i < inputs.size() && given[i] ? &inputs[i] : nullptr; }
  const StorageShape *GetOptionalInputShape(size_t i) const { return GetInputShape(i); }
  const CompileTimeTensorDesc *GetInputDesc(size_t i) const { return i < descs.size() ? &descs[i] : nullptr; }
  const CompileTimeTensorDesc *GetOptionalInputDesc(size_t i) const { return GetInputDesc(i); }
  const CompileTimeTensorDesc *GetOutputDesc(size_t i) const {
    return i < outputDescs.size() ? &outputDescs[i] : nullptr;
  }
  const RuntimeAttrs *GetAttrs() const { return &attrs; }
  fe::PlatFormInfos *GetPlatformInfo() { return &platform; }
  TilingData *GetRawTilingData() { return &tiling; }
  size_t *GetWorkspaceSizes(size_t count) {
    workspaces.assign(count, size_t(-1));
    return workspaces.data();
  }
  ge::graphStatus SetBlockDim(uint32_t count) {
    blocks = count;
    return ge::GRAPH_SUCCESS;
  }
  ge::graphStatus SetTilingKey(uint64_t value) {
    key = value;
    return ge::GRAPH_SUCCESS;
  }
  std::vector<StorageShape> inputs;
  std::vector<bool> given;
  std::vector<CompileTimeTensorDesc> descs, outputDescs;
  RuntimeAttrs attrs;
  fe::PlatFormInfos platform;
  TilingData tiling;
  std::vector<size_t> workspaces;
  uint32_t blocks = 0;
  uint64_t key = 0;
};

} // namespace gert

namespace platform_ascendc {
class PlatformAscendC {
public:
  explicit PlatformAscendC(fe::PlatFormInfos *platform) : cores(platform->cores) {}
  uint32_t GetCoreNumAiv() const { return cores; }

private:
  uint32_t cores;
};
} // namespace platform_ascendc

#endif
