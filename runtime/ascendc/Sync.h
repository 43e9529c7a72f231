// Flags, barriers, atomics, block numbers.

#ifndef OPC_RUNTIME_ASCENDC_SYNC_H
#define OPC_RUNTIME_ASCENDC_SYNC_H

#include "runtime/ascendc/Calls.h"

namespace opc::ascendc {

struct PipePair {
  Pipe from, to;
};
constexpr PipePair pipesOf(AscendC::HardEvent event) {
  constexpr PipePair pairs[] = {
      {Pipe::MTE2, Pipe::V},    {Pipe::V, Pipe::MTE2},    {Pipe::MTE3, Pipe::V},    {Pipe::V, Pipe::MTE3},
      {Pipe::MTE2, Pipe::MTE3}, {Pipe::MTE3, Pipe::MTE2}, {Pipe::S, Pipe::V},       {Pipe::V, Pipe::S},
      {Pipe::S, Pipe::MTE2},    {Pipe::MTE2, Pipe::S},    {Pipe::S, Pipe::MTE3},    {Pipe::MTE3, Pipe::S},
      {Pipe::V, Pipe::V},       {Pipe::MTE2, Pipe::MTE1}, {Pipe::MTE1, Pipe::MTE2}, {Pipe::MTE1, Pipe::M},
      {Pipe::M, Pipe::MTE1},    {Pipe::M, Pipe::V},       {Pipe::V, Pipe::M},       {Pipe::M, Pipe::FIX},
      {Pipe::FIX, Pipe::M},     {Pipe::MTE3, Pipe::MTE1}, {Pipe::MTE1, Pipe::V},    {Pipe::V, Pipe::MTE1},
      {Pipe::M, Pipe::S},       {Pipe::FIX, Pipe::MTE2},  {Pipe::FIX, Pipe::MTE3},  {Pipe::MTE2, Pipe::FIX},
      {Pipe::FIX, Pipe::S},     {Pipe::MTE1, Pipe::FIX},  {Pipe::FIX, Pipe::MTE1},  {Pipe::M, Pipe::MTE2},
      {Pipe::MTE2, Pipe::M},
  };
  return pairs[static_cast<int>(event)];
}
constexpr bool isBetweenPipes(AscendC::HardEvent event) {
  return event != AscendC::HardEvent::V_V;
}

constexpr bool isPipe(pipe_t pipe) {
  return pipe != PIPE_ALL;
}
constexpr Pipe pipeOf(pipe_t pipe) {
  constexpr Pipe pipes[] = {Pipe::S, Pipe::V, Pipe::M, Pipe::MTE1, Pipe::MTE2, Pipe::MTE3, Pipe::S, Pipe::FIX};
  return pipes[pipe];
}
/// Whether the chip has flags between two pipes: none from MTE3 to FIX, and none between FIX and V, unless the kernel
/// states that it assumes them by a macro in front of the header.
#ifdef OPC_FIX_TO_V_DIRECT
constexpr bool kFixToV = true;
#else
constexpr bool kFixToV = false;
#endif
constexpr bool hasFlag(pipe_t from, pipe_t to) {
  const bool isFixToV = (from == PIPE_FIX && to == PIPE_V) || (from == PIPE_V && to == PIPE_FIX);
  return from != to && (kFixToV || !isFixToV) && !(from == PIPE_MTE3 && to == PIPE_FIX);
}

inline Call flagCall(PipePair pipes, int64_t id, bool set) {
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
  static_assert(opc::ascendc::isBetweenPipes(event), "a flag is between two pipes; V_V is a PipeBarrier<PIPE_V>()");
  opc::ascendc::machine().record(opc::ascendc::flagCall(opc::ascendc::pipesOf(event), id, true), place);
}
template <HardEvent event> void WaitFlag(int32_t id, Place place = Place()) {
  static_assert(opc::ascendc::isBetweenPipes(event), "a flag is between two pipes; V_V is a PipeBarrier<PIPE_V>()");
  opc::ascendc::machine().record(opc::ascendc::flagCall(opc::ascendc::pipesOf(event), id, false), place);
}

/// Flags between two pipes; there is a class for each pair.
template <pipe_t source, pipe_t destination> class TQueSync {
public:
  void SetFlag(TEventID id, Place place = Place()) { record(id, true, place); }
  void WaitFlag(TEventID id, Place place = Place()) { record(id, false, place); }

private:
  static void record(int64_t id, bool set, Place place) {
    static_assert(opc::ascendc::isPipe(source) && opc::ascendc::isPipe(destination) &&
                      opc::ascendc::hasFlag(source, destination),
                  "a flag is between two pipes, and not between FIX and V or from MTE3 to FIX: that the chip takes "
                  "these is unproven; a kernel that assumes flags between FIX and V has '#define "
                  "OPC_FIX_TO_V_DIRECT' before its includes");
    opc::ascendc::machine().record(
        opc::ascendc::flagCall({opc::ascendc::pipeOf(source), opc::ascendc::pipeOf(destination)}, id, set), place);
  }
};

template <pipe_t pipe> void PipeBarrier(Place place = Place()) {
  if constexpr (pipe == PIPE_ALL) {
    opc::ascendc::machine().barrierOfAll(place);
  } else {
    opc::ascendc::Call call;
    call.name = "PipeBarrier";
    call.form.kind = opc::PipeInstruction::Barrier;
    call.form.pipe = opc::ascendc::pipeOf(pipe);
    opc::ascendc::machine().record(call, place);
  }
}

template <MemDsbT kind> void DataSyncBarrier() {
}
/// The simulator's scalar unit has no cache; DataCache.h finds accesses for which one would matter.
template <typename T, CacheLine line, DcciDst destination = DcciDst::CACHELINE_ALL>
void DataCacheCleanAndInvalid(const GlobalTensor<T> &tensor) {
  opc::ascendc::machine().cleanCache(line == CacheLine::ENTIRE_DATA_CACHE ? nullptr : tensor.GetPhyAddr());
}
template <typename T> void DataCachePreload(const GlobalTensor<T> &, int64_t) {
}

template <typename T> void SetAtomicAdd() {
  constexpr bool there =
      std::is_same_v<T, half> || std::is_same_v<T, float> || std::is_same_v<T, int16_t> || std::is_same_v<T, int32_t>;
  static_assert(there, "Ascend 310B adds int16_t, half, int32_t and float into global memory");
  opc::ascendc::machine().setAtomicAdd(true);
}
template <typename T> void SetAtomicType() {
}
template <typename T = void> OPC_VERSIONED(DisableDmaAtomic) void DisableDmaAtomic() {
  OPC_EXPECT_VERSION(DisableDmaAtomic, T);
  opc::ascendc::machine().setAtomicAdd(false);
}
inline void SetAtomicNone() {
  opc::ascendc::machine().setAtomicAdd(false);
}

/// Tasks of other kernels: on this chip these calls compile and do nothing.
template <typename = void> void SetNextTaskStart() {
}
template <typename = void> void WaitPreTaskEnd() {
}

/// The chip has one kind of core, so this call does nothing.
template <typename Mode> void SetKernelMode(Mode) {
}

inline int64_t GetBlockIdx() {
  return opc::ascendc::machine().blockIndex();
}
inline int64_t GetBlockNum() {
  return opc::ascendc::machine().blockNum();
}

} // namespace AscendC

#endif // OPC_RUNTIME_ASCENDC_SYNC_H
