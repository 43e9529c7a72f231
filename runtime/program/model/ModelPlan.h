// The plan of a compiled model: which kernels run, in which order, on which memory.
//
// A plan has no sizes that a kernel trusts: each launch is bound to the shapes of its operands, like any launch, and
// its results must agree with the plan. checkPlan checks the rest: memory is within its bounds, and a step reads only
// bytes that were written before.
//
//   "OPCP" u32:version
//   u64:arena bytes  u64:weight bytes  u32:kernels
//   u32:values   { u8:memory u64:offset u64:start u8:type u32:rank {i64:size} string:name }
//   u32:steps    { u8:kind u32:kernel u32:steps if true u32:steps if false string:node
//                  u32:attributes { string:name string:text }
//                  u32:operands { i32:value or -1 }  u32:results { u32:value } }
//   u32:inputs   { u32:value }  u32:outputs { u32:value }  { i32:count or -1 } of each output

#ifndef OPC_RUNTIME_PROGRAM_MODEL_MODELPLAN_H
#define OPC_RUNTIME_PROGRAM_MODEL_MODELPLAN_H

#include "runtime/target/ElementType.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace opc {

/// Alignment in bytes of memory in the arena and in the weights; parts are aligned to their elements. Both begin at
/// a page.
inline constexpr uint64_t kPlanAlignment = 64;

struct PlanValue {
  enum Memory : uint8_t {
    Arena,   ///< memory of the model; `offset` in bytes
    Weights, ///< the file of constants; `offset` in bytes
    Input,   ///< memory of the caller; `offset` is the number of the input
    Output,  ///< memory of the caller; `offset` is the number of the output
  };
  Memory memory = Arena;
  uint64_t offset = 0;
  ElementType type = ElementType::Float32;
  std::vector<int64_t> shape;
  std::string name; ///< in the model's file; may be empty
  /// For Input and Output: the offset of a part in bytes; 0 elsewhere.
  uint64_t start = 0;

  /// Of a checked plan.
  uint64_t bytes() const;
};

struct PlanStep {
  enum Kind : uint8_t {
    Launch, ///< a kernel
    Copy,   ///< the bytes of one operand to one result
    Join,   ///< executes nothing: the operands are adjacent and together are the result
    Branch, ///< runs the first or the second of two lists of steps after it, and continues after both
    Host,   ///< a function of the runtime (HostFunction.h)
  };
  Kind kind = Launch;
  uint32_t kernel = 0; ///< for Launch: an index into the list of op folders; for Host: the function
  std::string node;    ///< name of the node in the model's file; may be empty
  std::vector<std::pair<std::string, std::string>> attributes; ///< of the launch, as `opc run --attr` takes them
  std::vector<int32_t> operands;                               ///< indices into `values`; -1: omitted
  std::vector<uint32_t> results;
  /// For Branch: the number of steps after it that run if its operand, one truth value, is true, and the number after
  /// these that run if it is false. Both lists write all of its results; branches in a list count with their own steps.
  uint32_t ifTrue = 0, ifFalse = 0;
};

struct ModelPlan {
  uint64_t arenaBytes = 0, weightBytes = 0;
  uint32_t kernels = 0;
  std::vector<PlanValue> values;
  std::vector<PlanStep> steps;
  std::vector<uint32_t> inputs, outputs; ///< places in `values`, in the model's order
  /// For each output, the value with its number of rows if that depends on data; the output itself has the maximum
  /// size. -1, or an empty list: the number of rows is fixed.
  std::vector<int32_t> counts;
};

/// Why a plan cannot be run, empty when it can:
///   sizes do not fit memory; a value leaves the arena, the weights, its input or its output, or is not aligned to its
///   elements there
///   inputs and outputs are the caller's memory of that number
///   a step has more than 256 operands (a join: any number) or results, or names a value, kernel or operand that is not
///   there; its results are in weights or inputs, share bytes with each other, or with an operand (of a launch: unless
///   both have the same bytes and the launch may overwrite its inputs, which the launch checks)
///   the operands of a join do not lie one after another in its result, or do not fill it
///   a step, or an output, reads bytes that were not written, or were overwritten, or may have been in a list of a
///   branch
///   a branch has more steps than there are, is the 33rd in another, or a list of it does not write its results
///   a function of the host does not take its operands, or has other results; a count is no single int64 of the arena
std::string checkPlan(const ModelPlan &plan);

/// Whether a result of a launch overwrites an operand: both have the same bytes of the arena or of an output, at least
/// one, and elements of one size.
bool overwrites(const PlanValue &result, const PlanValue &operand);

std::vector<uint8_t> writePlan(const ModelPlan &plan);
/// Reads and checks an untrusted plan. Returns the error, empty on success.
std::string readPlan(const uint8_t *data, size_t size, ModelPlan &plan);

} // namespace opc

#endif // OPC_RUNTIME_PROGRAM_MODEL_MODELPLAN_H
