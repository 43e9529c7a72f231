// Defers SIGINT, SIGTERM and SIGHUP during work that must not be interrupted.
//
// While an object of this class lives, the first such signal is deferred; long work should check arrived() periodically
// and stop. The destructor of the outermost object raises the signal again, after all objects declared later were
// destroyed. A second signal takes effect immediately. A signal that the process ignores (nohup) stays ignored.

#ifndef OPC_TOOLS_OPC_PROCESS_DEFERREDSIGNALS_H
#define OPC_TOOLS_OPC_PROCESS_DEFERREDSIGNALS_H

namespace opc::tool {

class DeferredSignals {
public:
  DeferredSignals();
  ~DeferredSignals();
  DeferredSignals(const DeferredSignals &) = delete;
  DeferredSignals &operator=(const DeferredSignals &) = delete;

  /// Whether a signal was deferred; false while no object lives.
  static bool arrived();
  /// Restores the default handling of the signals in a child of fork.
  static void forget();
};

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_PROCESS_DEFERREDSIGNALS_H
