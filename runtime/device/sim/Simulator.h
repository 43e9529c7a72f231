// The simulator of an AI Core: runs a simulator program over tensors in memory, checks every
// access, counts cycles.
//
//   scalar unit --issue--> queue of MTE2 | V | MTE3 | ...      one queue a pipe, first in, first
//   out
//                           pipes perform in the order of time; flags and barriers alone order two
//                           of them
//
// What a launch computes is what the program says under the semantics of Semantics.h, bit for bit
// the same on every machine. What it costs comes from the target's cost functions. A program that
// reads or writes where it must not, races in the modelled time, or waits for ever is stopped with
// an error that names the lines of the body.

#ifndef OPC_RUNTIME_DEVICE_SIM_SIMULATOR_H
#define OPC_RUNTIME_DEVICE_SIM_SIMULATOR_H

#include "runtime/device/sim/profile/WorkTally.h"
#include "runtime/device/sim/sanitize/Kinds.h"
#include "runtime/diagnostic/Diagnostic.h"
#include "runtime/program/SimulatorProgram.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace opc {

class SimObserver;

/// A tensor in global memory, as a launch binds it. The simulator never reads or writes outside its
/// bytes.
struct SimTensor {
  std::string name;     ///< for messages
  void *data = nullptr; ///< first element, aligned to the element; may be null when there are no bytes
  int64_t bytes = 0;
  ElementType type = ElementType::UInt8;
  bool writable = false; ///< outputs; a store to any other tensor is an error
};

/// In which order the pipes take their steps.
enum class SimOrder : uint8_t {
  Time,        ///< of the modelled time: what the chip would most likely do, with cycles
  Adversarial, ///< one of the orders that flags and barriers leave open, bad ones first
               ///< (Adversary.h)
};

/// What functions give whose accuracy nobody published (runtime/target/Accuracy.def).
enum class SimNumerics : uint8_t {
  Exact, ///< the nearest number, as Semantics.h says
  Worst, ///< the ends of their intervals and the other of two open choices, drawn by a seed
         ///< (numerics/Worst.h)
};

struct SimOptions {
  std::string traceFile;                  ///< Chrome trace of a completed launch, replaced as a whole; empty: none
  std::string *traceText = nullptr;       ///< the same trace as text
  int64_t stepLimit = 300'000'000;        ///< scalar instructions of a launch
  int64_t instructionLimit = 100'000'000; ///< pipe instructions of a launch
  int64_t cycleLimit = 1'000'000'000;     ///< modelled cycles of a launch
  unsigned perturbUlps = 0;               ///< how far results of units with assumed rounding move, see Perturb.h
  uint64_t perturbSeed = 0;
  SimOrder order = SimOrder::Time;
  uint64_t orderSeed = 0; ///< which adversarial order; one seed is one order, on any machine
  SimNumerics numerics = SimNumerics::Exact;
  uint64_t numericsSeed = 0; ///< which draw; one seed is one draw, on any machine and in any order
  /// What is looked for beside the bounds of memory, which always are; none: what one run shows of
  /// all kinds at little cost (docs/rationale/sanitizers.md).
  std::optional<Sanitize> sanitize;
  /// The program may use event ids that are reserved for the vendor's library: it has its queues.
  bool reservedEvents = false;
  std::vector<uint64_t> *scalarReads = nullptr; ///< gets what each scalar read gave, in their order
  std::vector<SimObserver *> observers;         ///< told of every step, see Observer.h
};

/// What one pipe did, in cycles of the core clock.
struct PipeUsage {
  int64_t busyCycles = 0;   ///< copies, vector work, scalar instructions
  int64_t syncCycles = 0;   ///< flags and barriers, with the time they waited
  int64_t instructions = 0; ///< without flags and barriers
  int64_t bytes = 0;        ///< read and written by copies and vector work
};

struct SimResult {
  bool completed = false; ///< ran to its end without an error; the other fields tell how far it came
  int64_t cycles = 0;     ///< from launch to the completion of the last pipe, all blocks
  int64_t scalarSteps = 0;
  int64_t pipeInstructions = 0;
  std::array<PipeUsage, kNumPipes> pipes{};
  WorkTally work; ///< what the busy cycles are made of

  const PipeUsage &usage(Pipe pipe) const { return pipes[static_cast<unsigned>(pipe)]; }
  /// The part of all cycles in which a pipe neither computes nor copies, 0 to 1.
  double idleShare(Pipe pipe) const;
};

/// Runs `blockNum` logical blocks one after the other on the one core. `tensors` are the inputs,
/// then the outputs; `tilingData` has one 64-bit slot for each field, a float32 field its bits in
/// the low half. Errors go to `diagnostics`, with places in the body; outputs of a launch that did
/// not complete hold whatever was stored before.
SimResult simulate(const SimulatorProgram &program, const Target &target, const std::vector<SimTensor> &tensors,
                   const std::vector<int64_t> &tilingData, int64_t blockNum, const SimOptions &options,
                   Diagnostics &diagnostics);

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_SIM_SIMULATOR_H
