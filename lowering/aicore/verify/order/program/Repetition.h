// The values of a kernel that repeat from iteration to iteration, so that a few iterations of each loop represent all.
//
// The proof of order walks a kernel for a few trip counts and for each of the `cases` of its tiling data
// (VerifySynced.cpp). That covers all launches only if branches, event ids and slots repeat after `period`
// iterations. Each value belongs to one of these classes:
//
//   Fixed    the same number in the whole walk: constants, tiling data with `cases`
//   Repeats  the same number again `period` iterations later: (i * n + j) mod 2, i < 3, i + 1 < n
//   Counts   a counter or a bound of loops, plus a constant: i + 1, n
//   Runs     sums and products of these: i * n + j
//   Free     depends on something for which a walk has one of many numbers: tiling data without `cases`,
//            the block index, elements of tiles
//
// A comparison of a counter with a constant changes its result once. `settled` returns the number of trips after
// which the last such comparison is final; that many additional trips are walked.

#ifndef OPC_LOWERING_AICORE_VERIFY_ORDER_PROGRAM_REPETITION_H
#define OPC_LOWERING_AICORE_VERIFY_ORDER_PROGRAM_REPETITION_H

#include "lowering/aicore/verify/values/Facts.h"

#include "dialect/aicore/AICoreOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

namespace opc::aicore::proof {

class Repetition {
public:
  explicit Repetition(mlir::func::FuncOp kernel);

  /// The number of iterations after which everything repeats: the least common multiple of slot counts and divisors
  /// of remainders; `limit` + 1 if it is larger.
  int64_t period(int64_t limit) const;
  /// The number of trips of the loops with this bound after which no comparison with them changes any more. At most
  /// INT64_MAX / 2.
  int64_t settled(mlir::Value bound) const { return settledAt.lookup(bound) + nearEnd.lookup(bound); }

  /// A branch, a flag or a view whose condition, id or slot does not repeat, and the cause.
  struct Stray {
    mlir::Operation *op = nullptr;
    mlir::Value cause; ///< the value that has one of many numbers, or that does not repeat
  };
  /// The first stray op of the kernel; `op` is null if there is none.
  Stray stray() const;

  /// Whether walks have the actual numbers of a value, for the trips that they cover: it is not Free.
  bool isWalked(mlir::OpFoldResult value) const;
  /// Whether walks have the numbers of a value for few of its trip counts: it Counts or Runs.
  bool isTripDependent(mlir::OpFoldResult value) const;

private:
  struct Course {
    enum Kind { Fixed, Repeats, Counts, Runs, Free } kind = Free;
    mlir::Value of;        ///< Counts: the counter or the bound
    int64_t offset = 0;    ///< Counts: the constant that is added
    bool negative = false; ///< Counts, Runs: may be negative
    mlir::Value cause;     ///< Free
  };
  Course courseOf(mlir::Value value) const;
  Course derive(mlir::Operation *op);
  Course remainder(mlir::Operation *op, const Course &number, const Course &divisor);
  Course compare(mlir::Operation *op, const Course &lhs, const Course &rhs);
  Course atBound(mlir::Value bound) const;
  void settle(mlir::Value counted, int64_t trips);
  void divideBy(int64_t divisor);

  mlir::func::FuncOp kernel;
  Facts facts;
  llvm::StringMap<llvm::SmallVector<int64_t>> casesOf; ///< fields that state cases somewhere
  mlir::DenseMap<mlir::Value, Course> courses;
  mlir::DenseSet<mlir::Value> bounds;
  /// By bound: the first iteration, and the distance from the last one, between which all iterations are alike.
  mlir::DenseMap<mlir::Value, int64_t> settledAt, nearEnd;
  llvm::SmallVector<int64_t> divisors;
};

} // namespace opc::aicore::proof

#endif // OPC_LOWERING_AICORE_VERIFY_ORDER_PROGRAM_REPETITION_H
