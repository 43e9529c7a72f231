// Writes a launch as a Chrome trace: one track for each pipe, a slice for each instruction, an arrow from each set to
// its wait.
//
// Open it in chrome://tracing or ui.perfetto.dev. Time stamps are microseconds at the target's clock; the arguments
// of each slice have the cycles, the line of the body, the bytes and the element count. Events are written
// immediately, so memory does not grow with the launch; the file gets its name when it is complete.

#ifndef OPC_RUNTIME_DEVICE_SIM_PROFILE_TRACE_H
#define OPC_RUNTIME_DEVICE_SIM_PROFILE_TRACE_H

#include "runtime/device/sim/launch/Launch.h"

#include <deque>
#include <fstream>
#include <map>
#include <tuple>

namespace opc::sim {

/// The mnemonic of an instruction, with the direction of flags: "load", "vexp", "set_flag v -> mte3".
std::string nameOf(const PipeInstruction &instruction);

class Trace final : public SimObserver {
public:
  explicit Trace(const Launch &launch) : launch(launch) {}
  ~Trace() override;

  bool wanted() const { return !launch.options.traceFile.empty() || launch.options.traceText; }
  /// Opens the file and writes the names of the pipes; false after an error when it cannot be written.
  bool begin();
  /// Ends the trace and renames the file to its name; false after an error.
  bool finish();

  bool performs(const SimInstruction &op) override;

private:
  using FlagKey = std::tuple<Pipe, Pipe, int64_t>;

  void metadata();
  void slice(const SimInstruction &op);
  void arrow(const SimInstruction &op);
  void emit(const std::string &event);
  bool cannotWrite();

  const Launch &launch;
  std::string temporary; ///< path of the temporary file; empty when there is none
  std::ofstream file;
  bool first = true;
  int64_t lastArrow = 0;
  std::map<FlagKey, std::deque<int64_t>> arrows; ///< flags that are set and not waited for yet
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_PROFILE_TRACE_H
