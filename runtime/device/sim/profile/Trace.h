// A launch as a Chrome trace: one line for each pipe, a slice for each instruction, an arrow from each set to its wait.
//
// Open it in chrome://tracing or ui.perfetto.dev. Time stamps are microseconds at the target's clock; the cycles
// stand in the arguments of each slice, with the line of the body, the bytes and the element count. Events are
// written as they come, so a long launch needs no more memory than a short one; the file appears under its name
// when it is complete.

#ifndef OPC_RUNTIME_DEVICE_SIM_PROFILE_TRACE_H
#define OPC_RUNTIME_DEVICE_SIM_PROFILE_TRACE_H

#include "runtime/device/sim/launch/Launch.h"

#include <deque>
#include <fstream>
#include <map>
#include <tuple>

namespace opc::sim {

/// The mnemonic, of flags with their direction: "load", "vexp", "set_flag v -> mte3".
std::string nameOf(const PipeInstruction &instruction);

class Trace final : public SimObserver {
public:
  explicit Trace(const Launch &launch) : launch(launch) {}
  ~Trace() override;

  bool wanted() const { return !launch.options.traceFile.empty() || launch.options.traceText; }
  /// Opens the file and names the pipes; false with an error when it cannot be written.
  bool begin();
  /// Closes the trace and puts the file in its place.
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
  std::string temporary; ///< path of the file under way; empty when there is none
  std::ofstream file;
  bool first = true;
  int64_t lastArrow = 0;
  std::map<FlagKey, std::deque<int64_t>> arrows; ///< set and not waited for yet
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_PROFILE_TRACE_H
