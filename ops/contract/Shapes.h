// Symbolic sizes: from the shapes of a launch to the value of each symbol and pack, and to the shapes of the outputs.

#ifndef OPC_OPS_CONTRACT_SHAPES_H
#define OPC_OPS_CONTRACT_SHAPES_H

#include "ops/contract/Contract.h"
#include "runtime/program/Bytecode.h"

#include <map>

namespace opc {

using Shape = std::vector<int64_t>;

/// Shapes of the only launch of a static operator, by tensor; outputs that reduce are not there, since their shape
/// depends on axes that a launch gives.
using StaticShapes = std::map<std::string, Shape>;

/// What the names of a contract's shapes stand for in one launch.
struct ShapeBinding {
  std::map<std::string, int64_t> symbols;
  std::map<std::string, Shape> packs;
};

/// Binds every symbol and pack from the shapes of the inputs (contract's order, nullopt: an optional one left out),
/// then holds them to equations and ranges. Returns the reason of a refusal, empty when all is well.
std::string bindShapes(const Contract &contract, const std::vector<std::optional<Shape>> &inputs,
                       ShapeBinding &binding);

/// The shape of an output that declares one; `reason` is set on failure. Outputs with `reduces` need `axes` and
/// `keepDims` too and go through reducedShape.
std::optional<Shape> outputShape(const ContractTensor &output, const ShapeBinding &binding, std::string &reason);

/// Drops the axes of a shape, or makes them 1. Negative axes count from the last; none at all means every axis.
std::optional<Shape> reducedShape(const Shape &input, const std::vector<int64_t> &axes, bool keepDims,
                                  std::string &reason);

/// The inputs' shapes with those of the outputs; `reason` is set, and nothing comes back, where the contract refuses
/// them or a tensor has more elements than 64 bits count.
std::optional<StaticShapes> completeShapes(const Contract &contract, const StaticShapes &inputs, std::string &reason);

/// Value of a size expression; the status says what went wrong, an unknown symbol is BadProgram.
EvalStatus evaluate(const SizeExpression &expression, const std::map<std::string, int64_t> &symbols, int64_t &result);

/// The expression as a straight line of the scalar machine, for manifests: symbol inputs[i] fills register i, the
/// result is in the last register written.
struct SizeCode {
  std::vector<std::string> inputs;
  uint16_t numRegisters = 0;
  std::vector<ScalarInstruction> code;
};
SizeCode compileSize(const SizeExpression &expression);

/// "N" or "3" or "...S", as contracts spell it.
std::string printDim(const ContractDim &dim);
/// "[...S, N]".
std::string printShape(const std::vector<ContractDim> &shape);
std::string printShape(const Shape &shape);

} // namespace opc

#endif // OPC_OPS_CONTRACT_SHAPES_H
