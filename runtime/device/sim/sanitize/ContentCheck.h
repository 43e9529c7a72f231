// Is what an instruction reads what was meant? Every block of 32 bytes of UB remembers the buffer through which it
// was last written, by which instruction, and which of its bytes were.
//
//   load  -> x1 at 0        blocks 0..511 belong to x1
//   load  -> x2 at 0        (a wrong address) the same blocks belong to x2
//   vadd  x1, x2            reads x1: found written through x2          sim_c21
//
// Buffers share bytes after planning, so an address alone cannot tell; the logical buffer of each operand can.
// A byte that nothing wrote since the block of the launch began, or that a reduction used as scratch, is not to
// be read: sim_c20.
//
// Was what an instruction wrote read by anything? One whose results a whole launch never reads has written to the
// wrong place, or is there for nothing: init_c2. Where a later write covers a part of a block only, what stood there
// counts as read. Fills are left out: the lanes between rows are filled so that they may be read. So are launches
// that store nothing, as those of no elements.

#ifndef OPC_RUNTIME_DEVICE_SIM_SANITIZE_CONTENTCHECK_H
#define OPC_RUNTIME_DEVICE_SIM_SANITIZE_CONTENTCHECK_H

#include "runtime/device/sim/launch/Launch.h"

namespace opc::sim {

class ContentCheck final : public SimObserver {
public:
  /// `lost`: also whether results are read at all.
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
  void writeParts(const SimInstruction &op, IntrinsicForm form);
  void writeRow(const SimInstruction &op, uint16_t buffer, int64_t begin, int64_t end, bool defined);
  bool refuse(const SimInstruction &op, const SimAccess &access, int64_t block) const;

  const Launch &launch;
  const uint8_t *ub;
  // One entry for each block of UB.
  std::vector<uint16_t> owner;   ///< buffer of the last write
  std::vector<uint32_t> written; ///< one bit a byte
  std::vector<uint32_t> writer;  ///< instruction of the last write
  // Of each instruction of the program, where `lost` is asked.
  std::vector<Result> results;
  size_t unread = 0;   ///< instructions that wrote and whose results nobody has read so far
  bool stores = false; ///< whether the launch stored anything
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SANITIZE_CONTENTCHECK_H
