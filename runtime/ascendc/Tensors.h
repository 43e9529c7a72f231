// Tensors in UB and in global memory: in a kernel they are an address, a type and an extent.

#ifndef OPC_RUNTIME_ASCENDC_TENSORS_H
#define OPC_RUNTIME_ASCENDC_TENSORS_H

#include "runtime/ascendc/Types.h"

namespace AscendC {
using opc::ascendc::Place;
template <typename T> class LocalTensor;
template <typename T> class GlobalTensor;
} // namespace AscendC

namespace opc::ascendc {

/// The expression `left <op> right` on whole tensors, until it is assigned to a tensor.
template <typename T, Intrinsic intrinsic> struct WholeTensors {
  const char *name;
  const AscendC::LocalTensor<T> &left, &right;
};

template <typename T>
void setOperand(ProgramOperand &form, OperandValue &value, const AscendC::LocalTensor<T> &tensor) {
  form.space = ProgramOperand::UB;
  form.type = elementTypeOf<T>();
  form.buffer = uint16_t(tensor.buffer);
  value.address = tensor.address;
  value.end = tensor.end;
}
template <typename T>
void setOperand(ProgramOperand &form, OperandValue &value, const AscendC::GlobalTensor<T> &tensor) {
  form.space = ProgramOperand::GM;
  form.type = elementTypeOf<T>();
  value.address = int64_t(reinterpret_cast<intptr_t>(tensor.data));
}

/// The type of t(i): a reference, whose loads and stores are recorded, or the value if the compiler traces no accesses.
/// The value is constant, so that an assignment does not compile.
#if defined(OPC_TRACE_POINTERS)
template <typename T> using ElementOf = T &;
#else
template <typename T> using ElementOf = std::conditional_t<std::is_class_v<T>, const T, T>;
#endif

template <typename Tensor> Call scalarAccess(const Tensor &tensor, bool write) {
  Call call;
  call.name = write ? "SetValue" : "GetValue";
  call.form.kind = write ? PipeInstruction::ScalarWrite : PipeInstruction::ScalarRead;
  call.form.pipe = Pipe::S;
  if (write)
    setOperand(call.form.destination, call.destination, tensor);
  else
    setOperand(call.form.sources[0], call.sources[0], tensor);
  return call;
}

} // namespace opc::ascendc

namespace AscendC {

/// A tensor in UB.
template <typename T> class LocalTensor {
public:
  using PrimType = T;

  T GetValue(uint32_t index, Place place = Place()) const {
    return opc::ascendc::fromRegister<T>(
        opc::ascendc::machine().read(opc::ascendc::scalarAccess((*this)[index], /*write=*/false), place));
  }
  template <typename U> void SetValue(uint32_t index, U value, Place place = Place()) const {
    opc::ascendc::Call call = opc::ascendc::scalarAccess((*this)[index], /*write=*/true);
    call.hasScalar = true;
    call.scalar = opc::ascendc::registerOf<T>(static_cast<T>(value));
    opc::ascendc::machine().record(call, place);
  }
  opc::ascendc::ElementOf<T> operator()(uint32_t index) const {
#if defined(OPC_TRACE_POINTERS)
    return *static_cast<T *>(opc::ascendc::machine().element(opc::ascendc::scalarAccess((*this)[index], false)));
#else
    return GetValue(index, Place::behind(__builtin_return_address(0)));
#endif
  }
  LocalTensor operator[](uint32_t offset) const {
    LocalTensor result = *this;
    result.address += int64_t(offset) * int64_t(sizeof(T));
    result.size = offset < size ? size - offset : 0;
    return result;
  }
  template <typename U> LocalTensor<U> ReinterpretCast() const {
    LocalTensor<U> result;
    result.address = address;
    result.end = end;
    result.buffer = buffer;
    result.position = position;
    result.size = uint32_t(uint64_t(size) * sizeof(T) / sizeof(U));
    return result;
  }
  uint32_t GetSize() const { return size; }
  void SetSize(uint32_t elements) { size = elements; }
  uint32_t GetLength() const { return size * uint32_t(sizeof(T)); }
  void SetBufferLen(uint32_t elements) { size = elements; }
  void SetAddrWithOffset(const LocalTensor &tensor, uint32_t offset) { *this = tensor[offset]; }
  TPosition GetPosition() const { return position; }
  void SetUserTag(TTagType value) { tag = value; }
  TTagType GetUserTag() const { return tag; }
  void SetShapeInfo(const ShapeInfo &value) { shape = value; }
  ShapeInfo GetShapeInfo() const { return shape; }
  /// Prints the current elements to stderr.
  void Print(Place place = Place()) const { Print(size, place); }
  void Print(uint32_t elements, Place place = Place()) const {
    opc::ascendc::Call call = opc::ascendc::scalarAccess(*this, /*write=*/false);
    call.name = "Print";
    call.count = elements;
    opc::ascendc::machine().dump(call, 0, place);
  }
  T *GetPhyAddr() const { return reinterpret_cast<T *>(address); }
  T *GetPhyAddr(uint32_t offset) const { return (*this)[offset].GetPhyAddr(); }

  template <opc::Intrinsic intrinsic>
  __attribute__((noinline)) LocalTensor &operator=(const opc::ascendc::WholeTensors<T, intrinsic> &expression);

  int64_t address = 0, end = 0; ///< bytes of UB
  int32_t buffer = 0xffff;
  uint32_t size = 0; ///< elements
  TPosition position = TPosition::VECCALC;
  TTagType tag = 0;
  ShapeInfo shape;
};

/// A tensor in global memory.
template <typename T> class GlobalTensor {
public:
  using PrimType = T;

  void SetGlobalBuffer(T *buffer, uint64_t elements = 0) {
    data = buffer;
    size = elements;
  }
  GlobalTensor operator[](uint64_t offset) const {
    GlobalTensor result = *this;
    result.data = reinterpret_cast<T *>(reinterpret_cast<intptr_t>(data) + intptr_t(offset * sizeof(T)));
    result.size = offset < size ? size - offset : 0;
    return result;
  }
  T GetValue(uint64_t index, Place place = Place()) const {
    return opc::ascendc::fromRegister<T>(
        opc::ascendc::machine().read(opc::ascendc::scalarAccess((*this)[index], /*write=*/false), place));
  }
  template <typename U> void SetValue(uint64_t index, U value, Place place = Place()) const {
    opc::ascendc::Call call = opc::ascendc::scalarAccess((*this)[index], /*write=*/true);
    call.hasScalar = true;
    call.scalar = opc::ascendc::registerOf<T>(static_cast<T>(value));
    opc::ascendc::machine().record(call, place);
  }
  opc::ascendc::ElementOf<T> operator()(uint64_t index) const {
#if defined(OPC_TRACE_POINTERS)
    return *static_cast<T *>(opc::ascendc::machine().element(opc::ascendc::scalarAccess((*this)[index], false)));
#else
    return GetValue(index, Place::behind(__builtin_return_address(0)));
#endif
  }
  const T *GetPhyAddr() const { return data; }
  const T *GetPhyAddr(uint64_t offset) const { return (*this)[offset].data; }
  uint64_t GetSize() const { return size; }
  void SetShapeInfo(const ShapeInfo &value) { shape = value; }
  ShapeInfo GetShapeInfo() const { return shape; }

  T *data = nullptr;
  uint64_t size = 0; ///< elements; 0: unknown
  ShapeInfo shape;
};

} // namespace AscendC

#endif // OPC_RUNTIME_ASCENDC_TENSORS_H
