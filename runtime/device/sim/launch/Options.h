// What a launch on the simulator is given: tensors, limits, and how it chooses where the chip is free to.

#ifndef OPC_RUNTIME_DEVICE_SIM_LAUNCH_OPTIONS_H
#define OPC_RUNTIME_DEVICE_SIM_LAUNCH_OPTIONS_H

#include "runtime/device/sim/launch/Kinds.h"
#include "runtime/target/ElementType.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace opc {

class SimObserver;

/// A tensor in global memory, as a launch binds it. The simulator never reads or writes outside its bytes.
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
  Adversarial, ///< one of the orders that flags and barriers leave open, bad ones first (Adversary.h)
};

/// What functions give whose accuracy nobody published (runtime/target/Accuracy.def).
enum class SimNumerics : uint8_t {
  Exact, ///< the nearest number, as Semantics.h says
  Worst, ///< the ends of their intervals and the other of two open choices, drawn by a seed (numerics/Worst.h)
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
  /// What is looked for beside the bounds of memory, which always are; none: what one run shows of all kinds at
  /// little cost (docs/rationale/sanitizers.md).
  std::optional<Sanitize> sanitize;
  /// The program may use event ids that are reserved for the vendor's library: it has its queues.
  bool reservedEvents = false;
  std::vector<uint64_t> *scalarReads = nullptr; ///< gets what each scalar read gave, in their order
  std::vector<SimObserver *> observers;         ///< told of every step, see Observer.h
};

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_SIM_LAUNCH_OPTIONS_H
