// Checks that instructions read the values that were meant. For every block of 32 bytes of UB it stores the buffer
// through which the block was last written, the instruction that wrote it, and which bytes were written.
//
//   load  -> x1 at 0        blocks 0..511 belong to x1
//   load  -> x2 at 0        (a wrong address) the same blocks belong to x2
//   vadd  x1, x2            reads x1: found written through x2          sim_c21
//
// Buffers share bytes after planning, so the address alone is not enough; the check uses the logical buffer of each
// operand. A byte that was not written since the logical block started, or that a reduction used as scratch, must not
// be read: sim_c20.
//
// It also checks that results are read: an instruction whose results the whole launch never reads writes to a wrong
// address or is useless: init_c2. A result counts as read if a later write overwrites it only in part, or is the write
// of a scalar. Fills are not checked, because they fill the lanes between rows so that these may be read; launches
// without stores or with an empty tensor are not checked either. For recorded kernels this is the only check, for all
// instructions of a line together, and a result that another line overwrites in the same tile counts as read.

#ifndef OPC_RUNTIME_DEVICE_SIM_SANITIZE_CONTENTCHECK_H
#define OPC_RUNTIME_DEVICE_SIM_SANITIZE_CONTENTCHECK_H

#include "runtime/device/sim/launch/Launch.h"

namespace opc::sim {

class ContentCheck final : public SimObserver {
public:
  /// `lost`: also check that results are read.
  ContentCheck(const Launch &launch, const uint8_t *ub, bool lost);

  bool blockStarts(int64_t block, int64_t cycle) override;
  bool performs(const SimInstruction &op) override;
  bool launchEnds() override;

private:
  enum class Result : uint8_t { None, Unread, Read };
  void noteResult(const SimInstruction &op);
  void noteRead(int64_t firstBlock, int64_t lastBlock);
  void read(uint32_t instruction);
  bool checkRow(const SimInstruction &op, const SimAccess &access, int64_t begin, int64_t end);
  bool checkGather(const SimInstruction &op);
  int64_t keptBy(const SimAccess &mask, int64_t count) const;
  void copyFractals(const SimInstruction &op);
  void copySquaresOfWords(const SimInstruction &op);
  void copyWindows(const SimInstruction &op);
  void copyBias(const SimInstruction &op);
  void writeProduct(const SimInstruction &op, const SimAccess &access);
  void writeParts(const SimInstruction &op, IntrinsicForm form);
  void writeRow(const SimInstruction &op, uint16_t buffer, int64_t begin, int64_t end, bool defined);
  bool refuse(const SimInstruction &op, const SimAccess &access, int64_t block) const;

  const Launch &launch;
  const uint8_t *ub;
  // One entry for each block of UB.
  std::vector<uint16_t> owner;   ///< buffer of the last write
  std::vector<uint32_t> written; ///< one bit for each byte
  std::vector<uint32_t> writer;  ///< instruction of the last write
  // One entry for each instruction of the program; only if `lost`.
  std::vector<Result> results;
  size_t unread = 0;   ///< instructions that wrote and whose results have not been read so far
  bool stores = false; ///< whether the launch stored anything
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SANITIZE_CONTENTCHECK_H
