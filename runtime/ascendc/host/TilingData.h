// Tiling structures as host files declare and fill them.
//
// BEGIN_TILING_DATA_DEF declares a class with a setter and a getter for each field. The bytes that it writes are those
// of a C++ structure with the same fields, which is what the kernel reads.

#ifndef OPC_RUNTIME_ASCENDC_HOST_TILINGDATA_H
#define OPC_RUNTIME_ASCENDC_HOST_TILINGDATA_H

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace opc::ascendc {

/// A field of a tiling structure.
struct TilingField {
  const char *type, *name;
  uint32_t count; ///< 0: a single value
  bool isStructure;
  size_t bytes, alignment; ///< of one value
  ptrdiff_t place;         ///< of the value, from the start of the object
};

} // namespace opc::ascendc

namespace optiling {

/// The base of all tiling structures.
class TilingDef {
public:
  size_t GetDataSize() const { return roundUp(end(fields.size()), alignment()); }
  const char *GetTilingClassName() const { return name; }
  void SaveToBuffer(void *target, size_t capacity) const {
    if (!target || GetDataSize() > capacity)
      return;
    std::memset(target, 0, GetDataSize());
    write(static_cast<uint8_t *>(target));
  }
  const std::vector<opc::ascendc::TilingField> &GetFieldInfo() const { return fields; }
  size_t alignment() const {
    size_t most = 1;
    for (const opc::ascendc::TilingField &field : fields)
      most = most < alignmentOf(field) ? alignmentOf(field) : most;
    return most;
  }

protected:
  explicit TilingDef(const char *name) : name(name) {}
  bool addField(const char *type, const char *fieldName, uint32_t count, size_t bytes, size_t alignment,
                const void *value, bool isStructure = false) {
    fields.push_back({type, fieldName, count, isStructure, bytes, alignment,
                      static_cast<const char *>(value) - reinterpret_cast<const char *>(this)});
    return true;
  }

private:
  static size_t roundUp(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }
  const TilingDef &structureAt(const opc::ascendc::TilingField &field) const {
    return *reinterpret_cast<const TilingDef *>(reinterpret_cast<const char *>(this) + field.place);
  }
  size_t alignmentOf(const opc::ascendc::TilingField &field) const {
    return field.isStructure ? structureAt(field).alignment() : field.alignment;
  }
  size_t bytesOf(const opc::ascendc::TilingField &field) const {
    return field.isStructure ? structureAt(field).GetDataSize() : field.bytes * (field.count ? field.count : 1);
  }
  size_t start(size_t index) const { return roundUp(index == 0 ? 0 : end(index), alignmentOf(fields[index])); }
  /// One past the last byte of the first `count` fields.
  size_t end(size_t count) const {
    size_t offset = 0;
    for (size_t i = 0; i < count; ++i)
      offset = roundUp(offset, alignmentOf(fields[i])) + bytesOf(fields[i]);
    return offset;
  }
  void write(uint8_t *target) const {
    for (size_t i = 0; i < fields.size(); ++i) {
      const opc::ascendc::TilingField &field = fields[i];
      if (field.isStructure)
        structureAt(field).write(target + start(i));
      else
        std::memcpy(target + start(i), reinterpret_cast<const char *>(this) + field.place, bytesOf(field));
    }
  }

  const char *name;
  std::vector<opc::ascendc::TilingField> fields;
};

} // namespace optiling

namespace opc::ascendc {

/// The structures that REGISTER_TILING_DATA_CLASS names, in the order of the host files.
struct RegisteredTiling {
  const char *registeredFor, *name;
  std::vector<TilingField> fields;
};
inline std::vector<RegisteredTiling> &registeredTilings() {
  static std::vector<RegisteredTiling> all;
  return all;
}
template <typename T> bool registerTiling(const char *registeredFor, const char *name) {
  registeredTilings().push_back({registeredFor, name, T().GetFieldInfo()});
  return true;
}

} // namespace opc::ascendc

#define BEGIN_TILING_DATA_DEF(NAME)                                                                                    \
  class NAME : public ::optiling::TilingDef {                                                                          \
  public:                                                                                                              \
    NAME() : ::optiling::TilingDef(#NAME) {}
#define TILING_DATA_FIELD_DEF(TYPE, NAME)                                                                              \
public:                                                                                                                \
  void set_##NAME(TYPE value) {                                                                                        \
    opcValue_##NAME = value;                                                                                           \
  }                                                                                                                    \
  TYPE get_##NAME() const {                                                                                            \
    return opcValue_##NAME;                                                                                            \
  }                                                                                                                    \
                                                                                                                       \
private:                                                                                                               \
  TYPE opcValue_##NAME = {};                                                                                           \
  bool opcField_##NAME = addField(#TYPE, #NAME, 0, sizeof(TYPE), alignof(TYPE), &opcValue_##NAME);
#define TILING_DATA_FIELD_DEF_ARR(TYPE, COUNT, NAME)                                                                   \
public:                                                                                                                \
  void set_##NAME(const TYPE *values) {                                                                                \
    std::memcpy(opcValue_##NAME, values, sizeof(opcValue_##NAME));                                                     \
  }                                                                                                                    \
  TYPE *get_##NAME() {                                                                                                 \
    return opcValue_##NAME;                                                                                            \
  }                                                                                                                    \
                                                                                                                       \
private:                                                                                                               \
  TYPE opcValue_##NAME[COUNT] = {};                                                                                    \
  bool opcField_##NAME = addField(#TYPE, #NAME, COUNT, sizeof(TYPE), alignof(TYPE), opcValue_##NAME);
#define TILING_DATA_FIELD_DEF_STRUCT(TYPE, NAME)                                                                       \
public:                                                                                                                \
  TYPE NAME;                                                                                                           \
                                                                                                                       \
private:                                                                                                               \
  bool opcField_##NAME = addField(#TYPE, #NAME, 0, 0, 0, &NAME, true);
#define END_TILING_DATA_DEF }
#define REGISTER_TILING_DATA_CLASS(OPERATOR, NAME)                                                                     \
  [[maybe_unused]] inline const bool opcTilingOf_##OPERATOR = opc::ascendc::registerTiling<NAME>(#OPERATOR, #NAME);

#endif // OPC_RUNTIME_ASCENDC_HOST_TILINGDATA_H
