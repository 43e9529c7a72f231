// Checks that no undefined byte reaches a result. Kernels may compute with unwritten bytes of UB: a kernel works on the
// padded tail of a tile and stores the valid part. So the check follows undefined bytes lane by lane through vector
// instructions; they are an error if a store writes them to memory, the scalar unit reads them, or a scatter uses them
// as an offset: init_c3. A store may write them if a later one overwrites them, as in kernels that store whole blocks
// row by row; so stores are reported when the launch ends.
//
//   lanes            of the result are undefined where lanes of a source are
//   reductions       the result is undefined if one element is
//   selects          the chosen operand counts, and the bit that chooses
//   elements moved   as the elements; after an undefined offset or bit of a mask, what it decides
//   And, Or, Xor     bit by bit; x & ~x and its like depend on nothing
//
// A copy fills the last block of a row with the row's first element. Far more kernels compute with these copies by
// mistake than on purpose, so they are undefined as well, except for uses that show a purpose:
//
//   largest, smallest      the result of Max, ReduceMax and their like, where it is the same without the copies
//   rows of one element    lanes that combine a copy with a defined element: one value beside many;
//                          a copy that an offset or a bit of a mask picks
//
// This check is for recorded kernels (SimOptions::recorded). ContentCheck, for kernels that opc made, allows no
// such read.

#ifndef OPC_RUNTIME_DEVICE_SIM_SANITIZE_UNDEFINEDCHECK_H
#define OPC_RUNTIME_DEVICE_SIM_SANITIZE_UNDEFINEDCHECK_H

#include "runtime/device/sim/launch/Launch.h"
#include "runtime/device/sim/sanitize/state/Complements.h"
#include "runtime/device/sim/sanitize/state/Intervals.h"
#include "runtime/device/sim/sanitize/state/UndefinedBytes.h"

#include <vector>

namespace opc::sim {

class UndefinedCheck final : public SimObserver {
public:
  UndefinedCheck(const Launch &launch, const uint8_t *ub);

  bool blockStarts(int64_t block, int64_t cycle) override;
  bool performs(const SimInstruction &op) override;
  bool launchEnds() override;

private:
  /// A use of undefined bytes.
  struct Use {
    const PipeInstruction *instruction = nullptr;
    uint32_t index = 0;
    const ProgramOperand *operand = nullptr;
    int64_t address = 0;
    uint32_t origin = 0;
    const char *what = "";
  };
  bool use(const SimInstruction &op, const SimAccess &access, const char *what);
  Use useOf(const SimInstruction &op, const SimAccess &access, int64_t address, const char *what);
  bool report(const Use &use);
  void store(const SimInstruction &op);
  void cube(const SimInstruction &op);
  bool readMemory(const SimAccess &global);
  int64_t bytesInTensor(const SimAccess &global, int64_t row) const;
  void load(const SimInstruction &op);
  bool follow(const SimInstruction &op);
  bool vector(const SimInstruction &op);
  void lanes(const SimInstruction &op);
  void logic(const SimInstruction &op);
  void compare(const SimInstruction &op);
  void select(const SimInstruction &op);
  void groups(const SimInstruction &op, int64_t elements, int64_t results);
  void whole(const SimInstruction &op);
  void reducedRows(const SimInstruction &op);
  bool gather(const SimInstruction &op);
  bool scatter(const SimInstruction &op);
  void compress(const SimInstruction &op);
  void moved(const SimInstruction &op);

  /// The origin of the first undefined byte of an access in [begin, end); 0 if all are defined.
  uint32_t read(const SimInstruction &op, const SimAccess &access, int64_t begin, int64_t end);
  void write(int64_t begin, int64_t end, uint32_t origin, Fill fill = Fill::Anything);
  void writePicked(const SimInstruction &op, const SimAccess &from, int64_t begin, int64_t at);
  bool isDecidedByFill(const SimInstruction &op, const SimAccess &from, int64_t begin, int64_t end);
  bool isBeaten(const SimInstruction &op, const SimAccess &loser, int64_t at, const SimAccess &winner,
                int64_t other) const;
  uint32_t wordAt(const SimAccess &access, int64_t index) const;

  const Launch &launch;
  const uint8_t *ub;
  UndefinedBytes undefined;
  Complements complements;
  std::vector<Intervals> stored; ///< by tensor: number of the store of undefined bytes, or 0
  std::vector<Use> stores;       ///< the first of each instruction
};

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SANITIZE_UNDEFINEDCHECK_H
