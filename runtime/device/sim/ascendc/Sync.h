// Flags, barriers, atomics, block numbers.

#ifndef OPC_RUNTIME_DEVICE_SIM_ASCENDC_SYNC_H
#define OPC_RUNTIME_DEVICE_SIM_ASCENDC_SYNC_H

#include "runtime/device/sim/ascendc/Queues.h"

namespace opc::ascendc {

struct PipePair {
  Pipe from, to;
};
constexpr PipePair pipesOf(AscendC::HardEvent event) {
  constexpr PipePair pairs[] = {
      {Pipe::MTE2, Pipe::V}, {Pipe::V, Pipe::MTE2},    {Pipe::MTE3, Pipe::V},
      {Pipe::V, Pipe::MTE3}, {Pipe::MTE2, Pipe::MTE3}, {Pipe::MTE3, Pipe::MTE2},
      {Pipe::S, Pipe::V},    {Pipe::V, Pipe::S},       {Pipe::S, Pipe::MTE2},
      {Pipe::MTE2, Pipe::S}, {Pipe::S, Pipe::MTE3},    {Pipe::MTE3, Pipe::S},
  };
  return pairs[static_cast<int>(event)];
}
constexpr bool isVectorEvent(AscendC::HardEvent event) {
  return event <= AscendC::HardEvent::MTE3_S;
}

inline Call flagCall(AscendC::HardEvent event, int64_t id, bool set) {
  const PipePair pipes = pipesOf(event);
  Call call;
  call.name = set ? "SetFlag" : "WaitFlag";
  call.form.kind = set ? PipeInstruction::SetFlag : PipeInstruction::WaitFlag;
  call.form.pipe = set ? pipes.from : pipes.to;
  call.form.other = set ? pipes.to : pipes.from;
  call.flagId = id;
  return call;
}

} // namespace opc::ascendc

namespace AscendC {

template <HardEvent event> void SetFlag(int32_t id, Place place = Place()) {
  static_assert(opc::ascendc::isVectorEvent(event),
                "the simulator has the pipes S, V, MTE2 and MTE3; V_V is a PipeBarrier<PIPE_V>()");
  opc::ascendc::machine().record(opc::ascendc::flagCall(event, id, true), place);
}
template <HardEvent event> void WaitFlag(int32_t id, Place place = Place()) {
  static_assert(opc::ascendc::isVectorEvent(event),
                "the simulator has the pipes S, V, MTE2 and MTE3; V_V is a PipeBarrier<PIPE_V>()");
  opc::ascendc::machine().record(opc::ascendc::flagCall(event, id, false), place);
}

template <pipe_t pipe> void PipeBarrier(Place place = Place()) {
  static_assert(pipe == PIPE_ALL || pipe == PIPE_S || pipe == PIPE_V || pipe == PIPE_MTE2 ||
                    pipe == PIPE_MTE3,
                "the simulator has the pipes S, V, MTE2 and MTE3");
  if constexpr (pipe == PIPE_ALL) {
    opc::ascendc::machine().barrierOfAll(place);
  } else {
    opc::ascendc::Call call;
    call.name = "PipeBarrier";
    call.form.kind = opc::PipeInstruction::Barrier;
    call.form.pipe = pipe == PIPE_S      ? opc::Pipe::S
                     : pipe == PIPE_V    ? opc::Pipe::V
                     : pipe == PIPE_MTE2 ? opc::Pipe::MTE2
                                         : opc::Pipe::MTE3;
    opc::ascendc::machine().record(call, place);
  }
}

/// The scalar unit's own memory is one with everybody's here: nothing to bring up to date.
template <MemDsbT kind> void DataSyncBarrier() {
}
template <typename T, CacheLine line, DcciDst destination = DcciDst::CACHELINE_ALL>
void DataCacheCleanAndInvalid(const GlobalTensor<T> &) {
}
template <typename T> void DataCachePreload(const GlobalTensor<T> &, int64_t) {
}

template <typename T> void SetAtomicAdd() {
  constexpr bool there = std::is_same_v<T, half> || std::is_same_v<T, float> ||
                         std::is_same_v<T, int16_t> || std::is_same_v<T, int32_t>;
  static_assert(there, "Ascend 310B adds int16_t, half, int32_t and float into global memory");
  opc::ascendc::machine().setAtomicAdd(true);
}
template <typename T> void SetAtomicType() {
}
inline void DisableDmaAtomic() {
  opc::ascendc::machine().setAtomicAdd(false);
}

inline int64_t GetBlockIdx() {
  return opc::ascendc::machine().blockIndex();
}
inline int64_t GetBlockNum() {
  return opc::ascendc::machine().blockNum();
}

template <typename... T> void DumpTensor(const T &...) {
}
inline void PrintTimeStamp(uint32_t) {
}

} // namespace AscendC

#define TRACE_START(id)
#define TRACE_STOP(id)
#define ascendc_assert(condition, ...)                                                             \
  ((condition) ? void()                                                                            \
               : opc::ascendc::machine().refuse(                                                   \
                     "ascendc_c20", "ascendc_assert fails: " #condition, opc::ascendc::Place()))

// Tiling data.
#define TILING_KEY_IS(key) (opc::ascendc::machine().tilingKey() == uint64_t(key))
#define REGISTER_TILING_DEFAULT(TYPE) using TilingDataOfRegisterTilingDefault = TYPE
#define REGISTER_TILING_FOR_TILINGKEY(EXPRESSION, TYPE)
#define COPY_TILING_WITH_STRUCT(TYPE, SOURCE, TARGET)                                              \
  std::memcpy(                                                                                     \
      (TARGET),                                                                                    \
      opc::ascendc::machine().tilingData((SOURCE), int64_t(sizeof(TYPE)), opc::ascendc::Place()),  \
      sizeof(TYPE))
#define COPY_TILING_WITH_ARRAY(TYPE, COUNT, SOURCE, TARGET)                                        \
  std::memcpy((TARGET),                                                                            \
              opc::ascendc::machine().tilingData((SOURCE), int64_t(sizeof(TYPE)) * (COUNT),        \
                                                 opc::ascendc::Place()),                           \
              sizeof(TYPE) * (COUNT))
#define GET_TILING_DATA_WITH_STRUCT(TYPE, NAME, ADDRESS)                                           \
  TYPE NAME;                                                                                       \
  COPY_TILING_WITH_STRUCT(TYPE, ADDRESS, &NAME)
#define GET_TILING_DATA(NAME, ADDRESS)                                                             \
  GET_TILING_DATA_WITH_STRUCT(TilingDataOfRegisterTilingDefault, NAME, ADDRESS)
#define GET_TILING_DATA_PTR_WITH_STRUCT(TYPE, NAME, ADDRESS)                                       \
  const TYPE *NAME = static_cast<const TYPE *>(                                                    \
      opc::ascendc::machine().tilingData((ADDRESS), int64_t(sizeof(TYPE)), opc::ascendc::Place()))
#define GET_TILING_DATA_MEMBER(TYPE, MEMBER, NAME, ADDRESS)                                        \
  decltype(TYPE::MEMBER) NAME =                                                                    \
      static_cast<const TYPE *>(opc::ascendc::machine().tilingData(                                \
                                    (ADDRESS), int64_t(sizeof(TYPE)), opc::ascendc::Place()))      \
          ->MEMBER

#endif // OPC_RUNTIME_DEVICE_SIM_ASCENDC_SYNC_H
