// Symbolic sizes: computes the values of symbols and packs, and the shapes of outputs, from the shapes of a launch.

#ifndef OPC_OPS_CONTRACT_SHAPES_H
#define OPC_OPS_CONTRACT_SHAPES_H

#include "ops/contract/Contract.h"
#include "runtime/program/Bytecode.h"

#include <map>
#include <set>

namespace opc {

using Shape = std::vector<int64_t>;

/// Shapes of the only launch of a static operator, by tensor name; without outputs that reduce, whose shapes depend
/// on axes that are given at launch.
using StaticShapes = std::map<std::string, Shape>;

/// The values of a contract's symbols and packs in one launch.
struct ShapeBinding {
  std::map<std::string, int64_t> symbols;
  std::map<std::string, Shape> packs;
};

/// Binds every symbol and pack from the shapes of the inputs (in the contract's order, nullopt for an optional
/// input that is left out), then checks equations and ranges. Returns why the shapes are refused, empty when they
/// are accepted.
std::string bindShapes(const Contract &contract, const std::vector<std::optional<Shape>> &inputs,
                       ShapeBinding &binding);

/// The shape of an output that declares one; nullopt on failure, with the reason in `reason`. Use reducedShape for
/// outputs with `reduces`, which also depend on axes and keepDims.
std::optional<Shape> outputShape(const ContractTensor &output, const ShapeBinding &binding, std::string &reason);

/// Drops the axes of a shape, or sets them to 1 (keepDims). Negative axes count from the last dimension; an empty
/// list means every axis. nullopt on failure, with the reason in `reason`.
std::optional<Shape> reducedShape(const Shape &input, const std::vector<int64_t> &axes, bool keepDims,
                                  std::string &reason);

/// Adds the shapes of the outputs to the shapes of the inputs. Returns nullopt, with the reason in `reason`, when the
/// contract refuses the shapes or a tensor has more elements than 64 bits count.
std::optional<StaticShapes> completeShapes(const Contract &contract, const StaticShapes &inputs, std::string &reason);

/// Evaluates a size expression. `result` is set when the status is Ok; an unknown symbol gives BadProgram.
EvalStatus evaluate(const SizeExpression &expression, const std::map<std::string, int64_t> &symbols, int64_t &result);

/// A size that other sizes determine.
struct SizeEquation {
  std::string name; ///< of a symbol, a product or a sum
  SizeExpression value;
};

/// All equations of a contract, with the values of attributes instead of their names: the equations of `dimensions`;
/// one for each product or sum, from its factors or terms; and one for each symbol that only a product or sum of an
/// input determines, by division or subtraction. A factor of a product of size 0 is then 0.
std::vector<SizeEquation> equationsOf(const Contract &contract);

/// Whether an equation may name an attribute: an int that binds when compiling, or an element of a list of them,
/// "strides[1]".
bool isAttributeOfSizes(const Contract &contract, const std::string &name);
/// The value of such an attribute; nullopt if it has none at compile time, or if its list is too short.
std::optional<int64_t> valueOfSize(const Contract &contract, const std::string &name);

/// The symbols of all shapes and equations of a contract. In an equation they take precedence over attributes of the
/// same name.
std::set<std::string> symbolsOf(const Contract &contract);

/// The names of symbols, products and packs ("...S") that required inputs and equations determine.
std::set<std::string> knownSizes(const Contract &contract);

/// The expression as straight-line code of the scalar machine, for manifests: register i holds the symbol inputs[i],
/// the register that is written last holds the result.
struct SizeCode {
  std::vector<std::string> inputs;
  uint16_t numRegisters = 0;
  std::vector<ScalarInstruction> code;
};
SizeCode compileSize(const SizeExpression &expression);

/// The dimensions of a shape, with each product replaced by its factors.
std::vector<ContractDim> flatDims(const std::vector<ContractDim> &shape);
/// The symbols, sizes and packs of which a dimension consists: itself, its factors, or those of its terms.
std::vector<ContractDim> leavesOf(const ContractDim &dim);

/// "N" or "3" or "...S" or "H*R", as contracts spell it.
std::string printDim(const ContractDim &dim);
/// "[...S, N]".
std::string printShape(const std::vector<ContractDim> &shape);
std::string printShape(const Shape &shape);

} // namespace opc

#endif // OPC_OPS_CONTRACT_SHAPES_H
