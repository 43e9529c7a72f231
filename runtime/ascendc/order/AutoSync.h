// The flags that the vendor's compiler adds on this chip (--cce-auto-sync, on in its default build): between the scalar
// unit and each of V, MTE2 and MTE3, both ways, where they access the same bytes of UB and one of them writes. It adds
// none between V, MTE2 and MTE3; the kernel must set those.
//
//   Cast(t, x)                v writes t
//   t.GetValue(0)             s reads t          before it: set v -> s, wait v -> s
//
// Flags of the kernel count too, so a kernel with all its flags gets none. The granularity is blocks of 32 bytes.

#ifndef OPC_RUNTIME_ASCENDC_ORDER_AUTOSYNC_H
#define OPC_RUNTIME_ASCENDC_ORDER_AUTOSYNC_H

#include "runtime/device/sim/launch/Observer.h"
#include "runtime/target/Target.h"

#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace opc::ascendc {

class AutoSync {
public:
  explicit AutoSync(const Target &target) : blocks(size_t(target.ubBytes() + kBlock - 1) / kBlock) {}

  /// A missing flag, which is set and waited for immediately.
  struct Edge {
    Pipe from, to;
    int64_t id;
    bool freesId = false; ///< only frees an id: no flag of the kernel could replace it
  };
  /// The flags that an instruction needs before it, in order. The instruction and its flags count as issued.
  std::vector<Edge> issue(Pipe pipe, const SimInstruction &op);
  /// Notes that the kernel sets a flag or waits for it.
  void set(Pipe from, Pipe to, int64_t id);
  void wait(Pipe from, Pipe to, int64_t id);

private:
  static constexpr int64_t kBlock = 32; // bytes
  static constexpr Pipe kPipes[] = {Pipe::V, Pipe::MTE2, Pipe::MTE3};
  static constexpr int64_t kIds[] = {6, 7}; // reserved for the system: kernels have 0 to 5

  /// The last accesses to a block by each pipe, as numbers of instructions; 0: none.
  struct Accesses {
    int64_t reads[kNumPipes] = {}, writes[kNumPipes] = {};
  };
  /// Numbers of instructions of each pipe: all up to them are ordered before the following instructions.
  struct Clock {
    int64_t of[kNumPipes] = {};
  };
  template <typename Visitor> void eachBlock(const SimAccess &access, Visitor &&visit);
  bool conflicts(Pipe from, Pipe pipe, const SimInstruction &op);
  Clock clockAfter(Pipe pipe) const;
  void join(Pipe to, const Clock &clock);
  void addEdge(Pipe from, Pipe to, std::vector<Edge> &edges);

  std::vector<Accesses> blocks;
  int64_t now = 0;                                          ///< instructions and waits so far
  Clock clocks[kNumPipes];                                  ///< what each pipe has waited for
  std::map<std::tuple<Pipe, Pipe, int64_t>, Clock> pending; ///< flags that are set
  /// The last wait of a pipe for a flag of the scalar unit, by pipe and id. The id is free once the scalar unit knows
  /// that the pipe is past it.
  std::map<std::pair<Pipe, int64_t>, int64_t> waits;
};

} // namespace opc::ascendc

#endif // OPC_RUNTIME_ASCENDC_ORDER_AUTOSYNC_H
