// What loads and stores of global memory cost, by choice: the rates of the vendor's configuration or those that boards
// show, with L2 or without. The chip's figures have both; which of them hold is an assumption of whoever chooses.

#ifndef OPC_RUNTIME_TARGET_MEMORYMODEL_H
#define OPC_RUNTIME_TARGET_MEMORYMODEL_H

#include "runtime/target/Target.h"

namespace opc {

struct MemoryModel {
  /// The middle of the rates that owners of boards report, instead of the weight in the vendor's configuration.
  bool boardRates = false;
  /// Loads of bytes that L2 still has take the width of L2 instead of the rate of memory.
  bool l2 = false;
};

/// A rate of loads in GB/s.
struct BoardRates {
  double low, middle, high;
};
/// The lowest and the highest rate at which owners of boards saw weights being read, and the geometric mean of both,
/// which is as many times the one as the other is of it.
BoardRates boardRates(const Target &target);

/// A rate in bytes a cycle as GB/s, and back.
double toGigabytes(const Target &target, double bytesPerCycle);
double toBytesPerCycle(const Target &target, double gigabytes);

/// The chip with this rate of loads and stores, in bytes a cycle.
Target withRate(const Target &target, double bytesPerCycle);
/// The chip with the rates of a model; its L2 is a matter of the simulator, which knows addresses.
Target withRates(const Target &target, const MemoryModel &memory);

/// Target::copyCost and Target::copyCycles for a load of which L2 has `cached` bytes.
double copyCost(const Target &target, Pipe pipe, int64_t rows, int64_t rowBytes, int64_t cached);
int64_t copyCycles(const Target &target, Pipe pipe, int64_t rows, int64_t rowBytes, int64_t cached);

} // namespace opc

#endif // OPC_RUNTIME_TARGET_MEMORYMODEL_H
