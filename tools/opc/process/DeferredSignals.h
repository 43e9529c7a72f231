// SIGINT, SIGTERM and SIGHUP, put off while something must not stay half done.
//
// While an object of this class lives, the first such signal is kept; work that takes long asks arrived() now
// and then and gives up. When the outermost object ends, after everything declared behind it has been cleaned
// up, the signal does what it would have done. A second signal does so at once. A signal that the process
// ignores (nohup) stays ignored.

#ifndef OPC_TOOLS_OPC_PROCESS_DEFERREDSIGNALS_H
#define OPC_TOOLS_OPC_PROCESS_DEFERREDSIGNALS_H

namespace opc::tool {

class DeferredSignals {
public:
  DeferredSignals();
  ~DeferredSignals();
  DeferredSignals(const DeferredSignals &) = delete;
  DeferredSignals &operator=(const DeferredSignals &) = delete;

  /// Whether a signal waits; false while no object lives.
  static bool arrived();
  /// In a child of fork: the signals do what they do by default.
  static void forget();
};

} // namespace opc::tool

#endif // OPC_TOOLS_OPC_PROCESS_DEFERREDSIGNALS_H
