// TPipe, TQue, TQueBind and TBuf. The machine manages the addresses, states and flags of queues; this header defines
// which pipe fills and which pipe empties a queue.
//
//   TQue<VECIN>             filled by MTE2, emptied by V
//   TQue<VECOUT>            filled by V, emptied by MTE3
//   TQue<VECCALC>           filled and emptied by V
//   TQueBind<VECIN, VECOUT> filled by MTE2, emptied by MTE3

#ifndef OPC_RUNTIME_ASCENDC_QUEUES_H
#define OPC_RUNTIME_ASCENDC_QUEUES_H

#include "runtime/ascendc/Tensors.h"

namespace opc::ascendc {

constexpr bool isVectorPosition(AscendC::TPosition position) {
  return position == AscendC::TPosition::VECIN || position == AscendC::TPosition::VECOUT ||
         position == AscendC::TPosition::VECCALC;
}
constexpr const char *positionName(AscendC::TPosition position) {
  return position == AscendC::TPosition::VECIN    ? "VECIN"
         : position == AscendC::TPosition::VECOUT ? "VECOUT"
                                                  : "VECCALC";
}

/// The memory of a position; GM for one that the simulator has no buffers for.
constexpr Memory memoryOf(AscendC::TPosition position) {
  using P = AscendC::TPosition;
  if (isVectorPosition(position))
    return Memory::UB;
  if (position == P::A1 || position == P::B1 || position == P::C1)
    return Memory::L1;
  return position == P::A2    ? Memory::L0A
         : position == P::B2  ? Memory::L0B
         : position == P::CO1 ? Memory::L0C
         : position == P::C2  ? Memory::BT
                              : Memory::GM;
}
constexpr const char *nameOf(AscendC::TPosition position) {
  constexpr const char *names[] = {"GM", "A1", "A2", "B1", "B2", "C1", "C2", "CO1", "CO2"};
  return isVectorPosition(position) ? positionName(position) : names[static_cast<int>(position)];
}

template <typename T>
AscendC::LocalTensor<T> tensorAt(const BufferPlace &place, int64_t offset, int64_t elements,
                                 AscendC::TPosition position = AscendC::TPosition::VECCALC) {
  AscendC::LocalTensor<T> tensor;
  tensor.position = position;
  tensor.buffer = place.buffer;
  tensor.address = place.address + offset;
  tensor.size = uint32_t(elements);
  tensor.end = tensor.address + elements * int64_t(sizeof(T));
  return tensor;
}

} // namespace opc::ascendc

namespace AscendC {

class TPipe;

template <TPosition source, TPosition destination, int32_t depth, auto mask = 0> class TQueBind {
  static constexpr TPosition kOwn = source == TPosition::GM ? destination : source;
  static_assert(opc::ascendc::isVectorPosition(kOwn) &&
                    (destination == TPosition::GM || opc::ascendc::isVectorPosition(destination)),
                "the simulator has the vector unit: queues lie in VECIN, VECOUT or VECCALC");

public:
  template <typename T> LocalTensor<T> AllocTensor(Place place = Place()) {
    return whole<T>(opc::ascendc::machine().allocTensor(id, place));
  }
  template <typename T> void AllocTensor(LocalTensor<T> &tensor, Place place = Place()) {
    tensor = AllocTensor<T>(place);
  }
  template <typename T> void FreeTensor(LocalTensor<T> &tensor, Place place = Place()) {
    opc::ascendc::machine().freeTensor(id, tensor.address, place);
  }
  template <typename T> bool EnQue(const LocalTensor<T> &tensor, Place place = Place()) {
    opc::ascendc::machine().enQue(id, tensor.address, nullptr, place);
    return true;
  }
  template <typename T> LocalTensor<T> DeQue(Place place = Place()) {
    return whole<T>(opc::ascendc::machine().deQue(id, nullptr, place));
  }
  /// For one tensor at several positions one after the other, each with the two pipes between which it orders:
  /// EnQue<GM, VECIN> after a load, EnQue<VECOUT, GM> before a store.
  template <TPosition from, TPosition to, typename T> bool EnQue(const LocalTensor<T> &tensor, Place place = Place()) {
    opc::ascendc::machine().enQue(id, tensor.address, &kStep<from, to>, place);
    return true;
  }
  template <TPosition from, TPosition to, typename T> LocalTensor<T> DeQue(Place place = Place()) {
    return whole<T>(opc::ascendc::machine().deQue(id, &kStep<from, to>, place));
  }
  template <typename T> void DeQue(LocalTensor<T> &tensor, Place place = Place()) { tensor = DeQue<T>(place); }
  bool VacantInQue() { return opc::ascendc::machine().tensorsInQueue(id) < (depth > 0 ? depth : 1); }
  bool HasTensorInQue() { return GetTensorCountInQue() != 0; }
  int32_t GetTensorCountInQue() { return int32_t(opc::ascendc::machine().tensorsInQueue(id)); }
  bool HasIdleBuffer() { return opc::ascendc::machine().hasIdleBuffer(id); }
  void FreeAllEvent(Place place = Place()) { opc::ascendc::machine().freeAllEvents(id, place); }

private:
  friend class TPipe;
  template <TPosition from, TPosition to>
  static constexpr opc::ascendc::QueueStep kStep = {from == TPosition::GM ? opc::Pipe::MTE2 : opc::Pipe::V,
                                                    to == TPosition::GM ? opc::Pipe::MTE3 : opc::Pipe::V};
  template <typename T> LocalTensor<T> whole(const opc::ascendc::BufferPlace &place) {
    return opc::ascendc::tensorAt<T>(place, 0, place.bytes / int64_t(sizeof(T)), kOwn);
  }
  static opc::ascendc::BufferRequest request(uint8_t number, uint32_t bytes) {
    opc::ascendc::BufferRequest request;
    request.position = opc::ascendc::positionName(kOwn);
    request.isQueue = true;
    request.producer = kOwn == TPosition::VECIN ? opc::Pipe::MTE2 : opc::Pipe::V;
    const bool stores = kOwn == TPosition::VECOUT || destination == TPosition::VECOUT;
    request.consumer = stores ? opc::Pipe::MTE3 : opc::Pipe::V;
    request.depth = depth > 0 ? depth : 1;
    request.number = number;
    request.bytes = bytes;
    return request;
  }
  int32_t id = -1;
};

template <TPosition position, int32_t depth, auto mask = 0>
class TQue : public TQueBind<position == TPosition::VECOUT ? position : TPosition::GM,
                             position == TPosition::VECOUT ? TPosition::GM : position, depth, mask> {};

/// A buffer without flags. It has the operations of a queue, which kernels use for temporaries: each returns the whole
/// buffer, or does nothing.
template <TPosition position = TPosition::VECCALC> class TBuf {
  static_assert(
      opc::ascendc::memoryOf(position) != opc::Memory::GM,
      "the simulator's buffers lie in VECIN, VECOUT or VECCALC, and for the cube in A1, B1, C1, A2, B2 or CO1");

public:
  template <typename T> LocalTensor<T> Get(Place place = Place()) {
    const opc::ascendc::BufferPlace where = opc::ascendc::machine().bufferOf(id, place);
    LocalTensor<T> tensor = opc::ascendc::tensorAt<T>(where, 0, where.bytes / int64_t(sizeof(T)), position);
    tensor.end = where.address + where.bytes; // of a buffer of 2 bytes and the rest of its block
    return tensor;
  }
  template <typename T> LocalTensor<T> Get(uint32_t elements, Place place = Place()) {
    return GetWithOffset<T>(elements, 0, place);
  }
  /// A tensor of no elements, which some kernels request and then use, extends to the end of the buffer.
  template <typename T> LocalTensor<T> GetWithOffset(uint32_t elements, uint32_t byteOffset, Place place = Place()) {
    const opc::ascendc::BufferPlace where = opc::ascendc::machine().bufferOf(id, place);
    LocalTensor<T> tensor = opc::ascendc::tensorAt<T>(where, byteOffset, elements, position);
    if (elements == 0)
      tensor.end = where.address + where.bytes;
    return tensor;
  }

  template <typename T> LocalTensor<T> AllocTensor(Place place = Place()) { return Get<T>(place); }
  template <typename T> void AllocTensor(LocalTensor<T> &tensor, Place place = Place()) { tensor = Get<T>(place); }
  template <typename T> LocalTensor<T> DeQue(Place place = Place()) { return Get<T>(place); }
  template <typename T> void DeQue(LocalTensor<T> &tensor, Place place = Place()) { tensor = Get<T>(place); }
  template <typename T> bool EnQue(const LocalTensor<T> &) { return true; }
  template <typename T> void FreeTensor(const LocalTensor<T> &) {}
  void FreeAllEvent() {}

private:
  friend class TPipe;
  int32_t id = -1;
};

/// Gives a tensor all bytes of UB that belong to no buffer.
template <typename T, TPosition position> bool PopStackBuffer(LocalTensor<T> &tensor, Place place = Place()) {
  const int64_t bytes = opc::ascendc::machine().freeBytes() / opc::kBlockBytes * opc::kBlockBytes;
  if (bytes == 0)
    return false;
  tensor =
      opc::ascendc::tensorAt<T>(opc::ascendc::machine().scratch(bytes, place), 0, bytes / int64_t(sizeof(T)), position);
  return true;
}

/// The memory of a kernel. The destructor waits for pending operations of queues.
class TPipe {
public:
  TPipe() = default;
  TPipe(const TPipe &) = delete;
  ~TPipe() {
    if (!ended)
      opc::ascendc::machine().endPipe(Place::behind(__builtin_return_address(0)));
  }
  void Init() {}
  void Destroy(Place place = Place()) {
    ended = true;
    opc::ascendc::machine().endPipe(place);
  }
  void DestroyWithoutPipeAll(Place place = Place()) { Destroy(place); }
  void Reset(Place place = Place()) { opc::ascendc::machine().endPipe(place); }

  template <TPosition source, TPosition destination, int32_t depth, auto mask>
  bool InitBuffer(TQueBind<source, destination, depth, mask> &queue, uint8_t number, uint32_t bytes,
                  Place place = Place()) {
    queue.id = opc::ascendc::machine().initBuffer(queue.request(number, bytes), place);
    return true;
  }
  template <TPosition position> bool InitBuffer(TBuf<position> &buffer, uint32_t bytes, Place place = Place()) {
    opc::ascendc::BufferRequest request;
    request.position = opc::ascendc::nameOf(position);
    request.memory = opc::ascendc::memoryOf(position);
    request.bytes = bytes;
    buffer.id = opc::ascendc::machine().initBuffer(request, place);
    return true;
  }
  template <TPosition position>
  bool InitBuffer(TBuf<position> &buffer, uint8_t number, uint32_t bytes, Place place = Place()) {
    return InitBuffer(buffer, number * bytes, place);
  }

  template <HardEvent event>
  __attribute__((unavailable("Ascend 310B has no 'AllocEventID'; use constant event ids 0 to 5 "
                             "with SetFlag and WaitFlag"))) TEventID
  AllocEventID();
  template <HardEvent event>
  __attribute__((unavailable("Ascend 310B has no 'ReleaseEventID'; constant event ids 0 to 5 need "
                             "no release"))) void
  ReleaseEventID(TEventID id);
  __attribute__((unavailable("Ascend 310B has no 'FetchEventID'; use constant event ids 0 to 5 "
                             "with SetFlag and WaitFlag"))) TEventID
  FetchEventID(HardEvent event);

private:
  bool ended = false;
};

} // namespace AscendC

#endif // OPC_RUNTIME_ASCENDC_QUEUES_H
