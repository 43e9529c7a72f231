// Inputs of a launch on the simulator: tensors, limits, and choices where the chip's behaviour is open.

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

/// A tensor in global memory. The simulator never reads or writes outside its bytes. The caller owns the memory.
struct SimTensor {
  std::string name;     ///< for messages
  void *data = nullptr; ///< first element, aligned to the element type; may be null when there are no bytes
  int64_t bytes = 0;
  ElementType type = ElementType::UInt8;
  bool writable = false; ///< outputs; a store to any other tensor is an error
  bool inPlace = false;  ///< an output that holds values before the launch: elements without a store keep them
  /// Bytes of its memory, where a recorded kernel may access more than `bytes`: the device's memory is in blocks of 32
  /// bytes. Bytes after the tensor are undefined when they are read, and lost when they are written. 0: `bytes`.
  int64_t capacity = 0;
};

/// The order in which pipes take steps.
enum class SimOrder : uint8_t {
  Time,        ///< the order of modelled time, which is the most likely one on the chip; gives cycles
  Adversarial, ///< one of the orders that flags and barriers leave open, bad ones first (Adversary.h)
};

/// Results of functions whose accuracy is not published (runtime/target/accuracy/Accuracy.def).
enum class SimNumerics : uint8_t {
  Exact, ///< the nearest number, see Semantics.h
  Worst, ///< the ends of their intervals and the other of two open choices, drawn by a seed (numerics/bounds/Worst.h)
};

struct SimOptions {
  std::string traceFile;                  ///< Chrome trace of a completed launch, written atomically; empty: none
  std::string *traceText = nullptr;       ///< receives the same trace as text, unless null
  int64_t stepLimit = 300'000'000;        ///< scalar instructions of a launch
  int64_t instructionLimit = 100'000'000; ///< pipe instructions of a launch
  int64_t cycleLimit = 1'000'000'000;     ///< modelled cycles of a launch
  unsigned perturbUlps = 0;               ///< how far results with assumed rounding are moved, see Perturb.h
  uint64_t perturbSeed = 0;
  SimOrder order = SimOrder::Time;
  uint64_t orderSeed = 0; ///< selects the adversarial order; a seed determines it on any machine
  bool l2 = false;        ///< in the order of time: loads of what L2 still holds take its width (L2.h)
  SimNumerics numerics = SimNumerics::Exact;
  uint64_t numericsSeed = 0; ///< selects the draw; a seed determines it on any machine and in any order
  /// The checks to run in addition to memory bounds, which are always checked; nullopt: the checks of all kinds that
  /// cost little in a run (docs/rationale/sanitizers.md).
  std::optional<Sanitize> sanitize;
  /// The program may use the event ids that are reserved for the vendor's library, because it uses the
  /// library's queues.
  bool reservedEvents = false;
  /// The program was recorded from a kernel in Ascend C. Undefined bytes of UB may be computed with, and are an error
  /// where they reach a result (sanitize/UndefinedCheck.h); otherwise no instruction may read them. A reduction may
  /// overwrite its source and use its scratch for the result.
  bool recorded = false;
  /// A compare's count is the smallest one with its number of vectors, as a recorder writes it, since
  /// the call names whole vectors. So all lanes of the vectors may be meant and count as read (init_c2), but only the
  /// first ones have to be written (sim_c20). It holds for `recorded` programs in any case.
  bool leastCounts = false;
  std::vector<uint64_t> *scalarReads = nullptr; ///< receives the values of scalar reads in order, unless null
  std::vector<SimObserver *> observers;         ///< called at every step, see Observer.h
};

} // namespace opc

#endif // OPC_RUNTIME_DEVICE_SIM_LAUNCH_OPTIONS_H
