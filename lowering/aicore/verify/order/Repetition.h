// What of a kernel repeats from iteration to iteration, so that a few trips of each loop show all.
//
// The proof of order walks a kernel for a few numbers of trips and for each of the `cases` of its tiling data
// (VerifySynced.cpp). That stands for all launches only where branches, event ids and slots do the same again after
// `period` iterations. Each value follows one of these courses:
//
//   Fixed    one number in all of a walk: constants, tiling data with `cases`
//   Repeats  the same again `period` iterations later: (i * n + j) mod 2, i < 3, i + 1 < n
//   Counts   a counter or a bound of loops, plus a number: i + 1, n
//   Runs     sums and products of these: i * n + j
//   Free     follows from what a walk takes one number for: tiling data without `cases`, the
//            block's index, elements of tiles
//
// A comparison of a counter with a number changes its mind once: `settled` says after how many trips of that bound
// the last of them has, so many more trips are walked.

#ifndef OPC_LOWERING_AICORE_VERIFY_ORDER_REPETITION_H
#define OPC_LOWERING_AICORE_VERIFY_ORDER_REPETITION_H

#include "lowering/aicore/verify/values/Facts.h"

#include "dialect/aicore/AICoreOps.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringMap.h"

namespace opc::aicore::proof {

class Repetition {
public:
  explicit Repetition(mlir::func::FuncOp kernel);

  /// Iterations after which all that repeats does: the least common multiple of slot counts and of what remainders
  /// divide by; one more than `limit` where it is longer.
  int64_t period(int64_t limit) const;
  /// Trips of the loops with this bound until what is compared with them has changed for the last time. At
  /// most INT64_MAX / 2.
  int64_t settled(mlir::Value bound) const { return settledAt.lookup(bound) + nearEnd.lookup(bound); }

  /// A branch, a flag or a view whose condition, id or slot does not repeat, and why.
  struct Stray {
    mlir::Operation *op = nullptr;
    mlir::Value cause; ///< what a walk takes one number for, or what does not repeat
  };
  /// The first one of the kernel; without `op` when all is well.
  Stray stray() const;

  /// Whether a walk has the value's own numbers, as far as it goes: it is not Free.
  bool isWalked(mlir::OpFoldResult value) const;

private:
  struct Course {
    enum Kind { Fixed, Repeats, Counts, Runs, Free } kind = Free;
    mlir::Value of;        ///< Counts: the counter, or the bound
    int64_t offset = 0;    ///< Counts: what is added to it
    bool negative = false; ///< Counts, Runs: may be below 0
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
  llvm::StringMap<llvm::SmallVector<int64_t>> casesOf; ///< fields that state them somewhere
  mlir::DenseMap<mlir::Value, Course> courses;
  mlir::DenseSet<mlir::Value> bounds;
  /// By bound: from which iteration on, and up to which one before the last, all are alike.
  mlir::DenseMap<mlir::Value, int64_t> settledAt, nearEnd;
  llvm::SmallVector<int64_t> divisors;
};

} // namespace opc::aicore::proof

#endif // OPC_LOWERING_AICORE_VERIFY_ORDER_REPETITION_H
