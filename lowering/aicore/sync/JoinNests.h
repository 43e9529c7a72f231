// The kernels of the nests of a launch (te.nest) become one: their bodies one after another, with a full wait between
// two.
//
//   nest 0, if the launch runs it: loads, intrinsics, stores, flags
//   s -> mte2, mte2 -> v, v -> mte3, mte3 -> mte2, mte3 -> v, mte3 -> s; barrier of mte3
//   nest 1, if the launch runs it
//
// The field `runs_n0` says so: a nest without results is left out, whose fields no proof has seen with 0 trips.
//
// Flags of the scalar unit are there where it reads tiles. Each pipe begins nest 1 after all pipes have ended nest 0,
// whatever their addresses: what was planned and proved of each nest alone holds of both. The flags of the wait have
// the last event id, which nests leave unused: nest 1 may set its own flags before a wait of this one is over. Kernels
// that are no nest stay as they are.

#ifndef OPC_LOWERING_AICORE_SYNC_JOINNESTS_H
#define OPC_LOWERING_AICORE_SYNC_JOINNESTS_H

#include "mlir/Pass/Pass.h"

namespace opc::aicore {

/// Takes kernels of phase `synced`, after they were verified.
std::unique_ptr<mlir::Pass> createJoinNestsPass(const std::string &target);
/// Registers it as `aicore-join-nests`.
void registerJoinNestsPass();

} // namespace opc::aicore

#endif // OPC_LOWERING_AICORE_SYNC_JOINNESTS_H
