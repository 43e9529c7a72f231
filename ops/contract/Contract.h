// The model of a contract, after op_contract.yaml was read and checked.
//
// A contract says WHAT an operator is, never how it runs: tensors with a type table, symbolic shapes, attributes,
// rules at the edges of the number range, precision, and the files that hold its bodies. Code that takes a Contract
// may rely on every rule of docs/reference/contract.md (contract_c1 ...): names are identifiers and unique, all type
// lists have one entry for each row, files are inside the contract's folder.
//
//   type row           position in every tensor's `types`; AddRelu has row 0 (float16) and row 1 (float32)
//   symbol `N`         one dimension of any size, the same wherever the name is used
//   product `H*R`      one dimension that consists of others, the last of which has neighbours in memory
//   sum `A+B`          one dimension that has others one after another: ranges of it
//   pack `...S`        any number of dimensions (0 to 8 in all), the same list wherever the name is used
//   order `...S[perm]` the dimensions of a pack in the order that an attribute gives (Places.h)
//   count `A[n]`       the dimension A of each of the n tensors that an input stands for; in an output all (Places.h)
//
// This folder does not use MLIR. The reader is in Reader.h, symbolic sizes in Shapes.h, the text form in Canonical.h.

#ifndef OPC_OPS_CONTRACT_CONTRACT_H
#define OPC_OPS_CONTRACT_CONTRACT_H

#include "runtime/diagnostic/Diagnostic.h"
#include "runtime/target/ElementType.h"
#include "runtime/target/PackedForm.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace opc {

/// Dimensions a tensor may have, packs included.
inline constexpr unsigned kMaxRank = 8;

/// Maximum number of tensors of an input with a count.
inline constexpr unsigned kMaxCount = 16;

/// One item of a tensor's shape. A product is a symbol whose name is its text, "H*R": outside of the domain of a body
/// its size is an ordinary number, with the equation that it equals the product of its factors (equationsOf). The same
/// holds for a sum, "A+L*T+B", whose terms are symbols, sizes and products.
struct ContractDim {
  enum Kind : uint8_t { Symbol, Fixed, Pack };
  Kind kind = Symbol;
  std::string name;                 ///< of a symbol ("N"), a product ("H*R"), a sum ("A+B"), a pack ("S", without dots)
  int64_t size = 0;                 ///< of a fixed dimension
  std::vector<ContractDim> factors; ///< of a product, outermost first: symbols and sizes of at least 2
  std::vector<ContractDim> terms;   ///< of a sum, in order: symbols, products and sizes of at least 1
  /// For a term that replaces its sum, in the contract of a nest (Ranges.h): the sum, and the index of the term in it;
  /// else empty. If the term is a product, its first factor has them (flatDims).
  std::vector<ContractDim> sum;
  size_t place = 0;
  std::string order; ///< for a pack of an output: the attribute with the order of its dimensions; empty: its own
  /// Of a symbol that each tensor of an input with a count has for itself: the attribute that counts them. In an output
  /// it stands for all of these behind each other.
  std::string each;
  Location location;
};

/// Says that the values of an input are indices along a dimension. No element beyond the dimension is read.
struct ContractValues {
  std::string along;    ///< a symbol: values are from 0 to its size minus 1
  bool fromEnd = false; ///< -1 is the last index, as in NumPy; else it is out of range
  bool refuses = false; ///< a launch with a value out of range is an error; else the nearest index replaces the value
  Location location;
};

/// How the shape of an input at launch may differ from the shape it declares.
enum class Broadcast : uint8_t {
  None,   ///< not at all
  Numpy,  ///< aligned to the right, dimensions of size 1 or missing on the left stretch to the declared ones
  Scalar, ///< one element, whatever its rank
  Batch,  ///< as Numpy along the pack, which comes first; other dimensions are the declared ones
};

/// The shape of an output that drops or shrinks axes of an input (instead of `shape`).
struct ContractReduction {
  std::string input;    ///< name of the input
  std::string axes;     ///< attribute, int or list of int, bound to shapes or at compile time
  std::string keepDims; ///< bool attribute, bound likewise; empty: axes are dropped
};

/// The value of an attribute; monostate: no value.
using AttributeValue = std::variant<std::monostate, double, int64_t, bool, std::string, std::vector<double>,
                                    std::vector<int64_t>, std::vector<bool>, std::vector<std::string>>;

struct ContractTensor {
  std::string name;
  std::string summary;
  std::vector<ElementType> types;   ///< one for each type row
  std::vector<std::string> formats; ///< one for each type row: "ND", "NCHW", ...
  std::vector<ContractDim> shape;
  bool required = true;                     ///< outputs always are
  bool isConstant = false;                  ///< of inputs: a weight, which a prepared launch may be given once
  Broadcast broadcast = Broadcast::None;    ///< of inputs
  std::optional<ContractReduction> reduces; ///< of outputs; `shape` is empty, or that of the reduced input
  std::optional<ContractValues> values;     ///< of inputs of integers; none: any
  /// For inputs: the bool attribute that says at compile time whether the input exists; empty: it always exists.
  std::string presence;
  AttributeValue absent; ///< for inputs: the number that stands in its place in a body, a double or an int64_t
  /// Of inputs: the int attribute that says, when compiling, how many tensors this one stands for: `x_0`, `x_1`, ...,
  /// which have it too (Places.h); empty: one.
  std::string count;
  Location location; ///< of its name in the file

  /// Whether launches or kernels of the operator may omit it.
  bool isOptional() const { return !required || !presence.empty(); }
  /// Whether its shape lacks the axes that are reduced, or has 1 there. An output that states a shape has that one.
  bool isReduced() const { return reduces && shape.empty(); }
  /// Whether it is in columns of fractals in a type row.
  bool isPacked(unsigned row) const { return packedForm(row) != PackedForm::None; }
  PackedForm packedForm(unsigned row) const {
    return row < formats.size() ? packedFormOf(formats[row]) : PackedForm::None;
  }
};

enum class AttributeType : uint8_t { Float, Int, Bool, String, ListFloat, ListInt, ListBool, ListString };

/// When an attribute gets its value.
enum class Binding : uint8_t {
  Compile, ///< part of the kernel's key, a constant in the body
  Launch,  ///< a scalar argument that travels in the tiling data: float (as float32), int or bool only
  Shape,   ///< given at launch and used for shapes only, no kernel reads it: axes and keep_dims of 'reduces'
};

struct ContractAttribute {
  std::string name;
  std::string summary;
  AttributeType type = AttributeType::Float;
  Binding binding = Binding::Compile;
  AttributeValue defaultValue; ///< monostate: the user must give one
  std::optional<double> minimum,
      maximum;                      ///< of numbers and of each number in a list; both are admitted values
  std::vector<std::string> choices; ///< of strings: the admitted ones; empty: any
  Location location;
};

/// A size computed from others: a tree over the closed set of index operations.
struct SizeExpression {
  enum Op : uint8_t { Const, Symbol, Add, Sub, Mul, FloorDiv, CeilDiv, Rem, Min, Max, Lt, Eq, Select };
  Op op = Const;
  int64_t value = 0;                    ///< of Const
  std::string symbol;                   ///< of Symbol; also an attribute of sizes (isAttributeOfSizes)
  std::vector<SizeExpression> operands; ///< two; three of Select
  Location location;
};

/// A window that moves over a dimension of an input, by its stride from the padded begin to the padded end (Windows.h).
struct ContractWindow {
  std::string over; ///< a symbol, the dimension of the input
  std::string size; ///< a symbol, the number of elements in the window
  /// Numbers or attributes of sizes. `roundUp` is 0 or 1: whether the last window may extend beyond the padded end.
  SizeExpression stride, dilation, padBegin, padEnd, roundUp;
};

/// Bounds or the equation of a symbol, or bounds of every dimension of a pack and of its length.
struct ContractDimension {
  std::string name; ///< of the symbol or pack, without dots
  bool isPack = false;
  int64_t minimum = 0;
  int64_t maximum = INT64_MAX;
  unsigned minimumRank = 0, maximumRank = kMaxRank; ///< of packs
  std::optional<SizeExpression> equals;             ///< of symbols; for a window, its number of positions
  std::optional<ContractWindow> window;             ///< of symbols: the size is the number of positions of this window
  std::string axis; ///< of symbols: the int attribute that says which dimension of its tensors it is (Places.h)
  std::string each; ///< of symbols that are separate for each tensor of an input with a count: this attribute
  Location location;
};

/// The behaviour at the edges of the number range. Tests compare results by these rules and skip
/// `Unspecified` elements.
struct ContractBoundary {
  /// A result beyond the largest finite value of its type.
  enum class Overflow : uint8_t { Infinity, Wrap, Unspecified } overflow = Overflow::Infinity;
  /// Clamp: results are brought into the range of the output's type instead of overflowing.
  enum class Saturation : uint8_t { None, Clamp } saturation = Saturation::None;
  enum class Rounding : uint8_t {
    NearestEven,
    NearestAway,
    Floor,
    Ceil,
    Trunc,
    Unspecified
  } rounding = Rounding::NearestEven;
  /// Tensors without elements: a launch that does nothing, or a typed error.
  enum class Empty : uint8_t { Allowed, Refused } empty = Empty::Allowed;
  /// The result where an input element is NaN: NaN; what the reference computes; or any value.
  enum class Nan : uint8_t { Propagate, Reference, Unspecified } nan = Nan::Propagate;
  /// The result where an input element is infinite: what the reference computes; or any value.
  enum class Infinity : uint8_t { Reference, Unspecified } infinity = Infinity::Reference;
};

/// How far results of one type may be from the float64 reference. Elementwise operators use ulp, others relative
/// errors. An element passes when its error is within maxUlp, widened by plusUlpOf, or within `absolute`.
/// meanRelative and maxRelative are the mean and the maximum over a whole tensor.
struct ContractTolerance {
  ElementType type = ElementType::Float32; ///< of the output that is compared
  std::optional<double> maxUlp;
  std::vector<std::string> plusUlpOf; ///< adds |product| of these inputs and attributes to maxUlp, element by element
  /// Dimensions over which results are sums of products. For each term of the sum, the tolerance grows by half a
  /// float32 ulp of the reference's `scale`, since sums are accumulated in float32. maxUlp then counts units of the
  /// result, not of that scale.
  std::vector<std::string> sums;
  std::optional<double> absolute;
  std::optional<double> meanRelative, maxRelative;
  /// Subnormal numbers of the type may be flushed to zero in arguments and results; set in chipTolerances only.
  bool subnormalsFlushed = false;
  Location location;
};

struct ContractPrecision {
  std::optional<ElementType> compute;        ///< none: each type row computes in the type it stores
  std::optional<ElementType> accumulate;     ///< of reductions; none: as `compute`
  std::vector<ContractTolerance> tolerances; ///< one for each type that an output has
  /// Tolerances on the chip, for the types where they differ from `tolerances`.
  std::vector<ContractTolerance> chipTolerances;

  const ContractTolerance *find(ElementType type) const;
  /// The tolerance on the chip: from chipTolerances, else from tolerances; nullptr when neither has the type.
  const ContractTolerance *findOfChip(ElementType type) const;
};

enum class BodyLevel : uint8_t { AICore, Te };

/// The devices that a body is compiled for: all of them, or the CPU alone.
enum class BodyDevices : uint8_t { All, Cpu };

/// The inputs of a value that the text of a body returns.
struct ContractBodyResult {
  std::vector<std::vector<std::string>> axes; ///< of the reductions, as written: each list once
  std::vector<unsigned> arguments;            ///< of the function, in order; then results (kFirstReturned)
  bool reducesAgain = false;                  ///< one of the reductions depends on another one
};

/// How a body computes a returned value, or a reduction that it does not return. Ops with loops of their own, which
/// scan, gather or take parts, are among the reductions (ops/contract/domain/Reductions.h).
struct ContractBodyStep {
  std::string value;                ///< without '%'
  std::vector<std::string> axes;    ///< as written, if it is a reduction; else what the op does
  std::vector<unsigned> arguments;  ///< which no reduction is between: of the function, then results (kFirstReturned)
  std::vector<unsigned> reductions; ///< likewise those that are not returned: indices in ContractBodyFlow::reductions
  friend bool operator==(const ContractBodyStep &a, const ContractBodyStep &b) {
    return a.value == b.value && a.axes == b.axes && a.arguments == b.arguments && a.reductions == b.reductions;
  }
  friend bool operator!=(const ContractBodyStep &a, const ContractBodyStep &b) { return !(a == b); }
};

/// The values of a body, from its text. Lists are empty if the text exceeds the supported number of arguments,
/// reductions or lists of axes.
struct ContractBodyFlow {
  std::vector<ContractBodyResult> results;  ///< the returned values, of all functions together
  std::vector<ContractBodyStep> returned;   ///< how they are computed; empty if functions differ in this
  std::vector<ContractBodyStep> reductions; ///< those that are not returned, in order; reductions that differ in `keep`
                                            ///< alone are one
};

/// The text of some type rows of a body at level te.
struct ContractBodyText {
  std::string file; ///< relative to the contract's folder
  std::vector<unsigned> typeRows;
  BodyDevices devices = BodyDevices::All;
  Location location;
};

struct ContractBody {
  BodyLevel level = BodyLevel::AICore;
  BodyDevices devices = BodyDevices::All; ///< of level te: with Cpu, no text has a kernel for the AI Core
  std::string file;                       ///< relative to the contract's folder
  std::vector<unsigned> typeRows;         ///< the type rows that it serves, in order; empty: all
  /// Of level te: the texts of type rows, if there are several; each row has one, and `file` is the first one.
  std::vector<ContractBodyText> texts;
  /// Of level te: the axes that its text reduces, as written ("N", "-1", "#axis"), each once; loadContract reads them.
  std::vector<std::string> axes;
  /// Of level te: the dimensions, and the terms and sums of dimensions, along which its text takes parts or ranges
  /// of tensors.
  std::vector<std::string> parts;
  std::vector<std::string> writtenParts; ///< likewise, as its text says it: "A[n]" is "A_0+A_1" in `parts`
  /// Likewise: the dimensions along which its text has te.iota, each once.
  std::vector<std::string> counts;
  /// Of level te: the dimensions along which its text scans, each once, and those along which it sorts, with the
  /// dimension of the results: "N to K".
  std::vector<std::string> scans;
  /// Of level te: the dimensions along which its text gathers, each once.
  std::vector<std::string> gathers;
  /// Of level te: whether its text has a matrix product, and the axes over which it sums products, as written.
  bool multiplies = false;
  std::vector<std::string> summed;
  /// Of level te: its values as its text has them.
  ContractBodyFlow flow;
  /// Of level te: the results of its nests: the returned values of its text, in order, and values in the workspace
  /// (Workspace.h).
  std::vector<ContractBodyResult> results;
  Location location;

  /// The text of a type row; null where all rows have one.
  const ContractBodyText *textOf(unsigned typeRow) const;
  const std::string &fileOf(unsigned typeRow) const;
  BodyDevices devicesOf(unsigned typeRow) const;
  std::vector<std::string> files() const; ///< each once, in order
};

// The range of opset versions of ONNX's own operators for forms; by default a form holds for all of them.
inline constexpr int64_t kOldestOpset = 7, kNewestOpset = 28;

/// An operand of the ONNX operator: an input of the contract, or a constant that holds one of its attributes or a list.
struct ContractOnnxOperand {
  std::string name; ///< of an input or attribute; empty: a list
  /// For a list: numbers, and names of numeric attributes. No items: the operand is omitted or empty.
  std::vector<std::string> items;
  Location location;
};

/// An attribute of the ONNX operator: it is an attribute of the contract, has one value, names one axis or the type of
/// a result, or is ignored.
struct ContractOnnxAttribute {
  std::string name;            ///< in ONNX
  std::string attribute;       ///< of the contract
  std::optional<int64_t> axis; ///< an axis of the first operand; -1 is its last one, which the node may name by
                               ///< either number
  std::string typeOf;          ///< the output whose type it is
  bool ignored = false;        ///< any value will do
  AttributeValue value;
  AttributeValue defaultValue; ///< the default for nodes without it; monostate: it is required
  Location location;
};

/// The ONNX nodes that the operator computes, for a range of opsets. A node with other attributes does not match.
struct ContractOnnxForm {
  std::string opType;
  std::string domain; ///< empty: ONNX's own
  int64_t since = kOldestOpset, until = kNewestOpset;
  std::vector<ContractOnnxOperand> inputs; ///< in ONNX's order
  std::vector<std::string> outputs;        ///< of the contract, in ONNX's order
  std::vector<ContractOnnxAttribute> attributes;
  Location location;
};

/// The shapes of all inputs of one extra test, in the contract's order; nullopt for an optional input that is left out.
struct ContractTestShape {
  std::vector<std::optional<std::vector<int64_t>>> inputs;
  Location location;
};

/// A number of a schedule file, and its location.
struct ScheduleKnob {
  int64_t value = 0;
  Location location;
  bool ofKey = false; ///< its entry names a shape key: a kernel without such a knob is an error
};

/// An entry of the schedule file: values that replace the heuristic's choice for some kernels. The heuristic chooses
/// the knobs that are absent.
struct ContractSchedule {
  std::optional<unsigned> typeRow;       ///< none: all rows
  std::optional<unsigned> key;           ///< number of a shape key; none: all keys
  std::optional<ScheduleKnob> tile;      ///< most elements of a tile, a multiple of 256
  std::optional<ScheduleKnob> rows;      ///< most rows of a tile, 1 to 4095
  std::optional<ScheduleKnob> slots;     ///< slots of multi-buffered buffers, 1 or 2
  std::optional<ScheduleKnob> prefetch;  ///< 1: the kernel loads the next tile before it waits for this one
  std::optional<ScheduleKnob> alignment; ///< bytes, a power of two from 32 to 4096
  std::optional<ScheduleKnob> alias;     ///< 1: results may reuse the bytes of loaded tiles
  std::optional<ScheduleKnob> expansion; ///< bits of the float type that expanded functions compute in: 16, 32
  Location location;                     ///< no file: no entry
};

struct Contract {
  std::string path;      ///< as the user named the file
  std::string directory; ///< of the file, where bodies and reference are; "." when the path has no folder

  std::string opType;  ///< "AddRelu"
  std::string name;    ///< "add_relu", of files, folders and kernels: from op_type unless kernel_name says otherwise
  std::string version; ///< "1.0.0"
  std::string summary;
  std::vector<ContractTensor> inputs, outputs;
  /// Values of a te body that lie in memory between the nests of a launch, and which no caller sees; `summary` is the
  /// name of the value. Set by findWorkspace (Workspace.h).
  std::vector<ContractTensor> workspace;
  std::vector<ContractAttribute> attributes;
  std::vector<ContractDimension> dimensions; ///< those that the contract restricts
  ContractBoundary boundary;
  ContractPrecision precision;
  std::vector<ContractBody> bodies; ///< at least one; the first is the default and serves all type rows
  std::vector<ContractOnnxForm> onnx;
  std::string reference; ///< file, relative to the folder
  std::string schedule;  ///< file, empty when there is none
  /// The entries of that file, which loadContract reads; where two set one knob of one kernel, the later one wins.
  std::vector<ContractSchedule> schedules;
  std::vector<ContractTestShape> testShapes;
  std::optional<unsigned> nest; ///< of the contract of a nest (Nests.h): its number
  bool nestTakesUnits = false;  ///< of that: fixed sizes of 1 stand for other dimensions, and are no loops
  size_t nestReads = 0;         ///< of that: the number of its last inputs that are results of other nests
  /// The original contract, before values of attributes replaced packs in its shapes and absent inputs were removed
  /// (Places.h); null if nothing changed.
  std::shared_ptr<const Contract> written;
  Location location; ///< of op_type

  unsigned typeRows() const { return inputs.empty() ? 0 : static_cast<unsigned>(inputs.front().types.size()); }
  /// The name of a type row in kernel names: the type of the first input ("float16"); where two rows share that type,
  /// the types of all tensors in order, joined by "_" ("float32_int8"). A row with a packed input has the name of the
  /// row without one, with "_nz" appended.
  std::string typeRowName(unsigned row) const;
  std::vector<std::string> typeRowNames() const; ///< of all rows, in order
  /// The input that is in columns of fractals in a type row, or nullopt.
  std::optional<size_t> packedInput(unsigned row) const;
  /// Whether two rows have the same types, and only the first one has a packed input.
  bool isPackedFormOf(unsigned packed, unsigned row) const;
  /// "add_relu_float16".
  std::string kernelName(unsigned row) const { return name + "_" + typeRowName(row); }
  const ContractBody *findBody(BodyLevel level) const;
  std::vector<unsigned> rowsOf(const ContractBody &body) const;  ///< type rows that `body` serves
  const ContractTensor *findTensor(std::string_view name) const; ///< inputs, then outputs
  const ContractTensor &tensorAt(size_t index) const; ///< likewise, then the workspace; the index is that of one
  size_t numTensors() const { return inputs.size() + outputs.size() + workspace.size(); } ///< of kernels
  const ContractAttribute *findAttribute(std::string_view name) const;
  const ContractDimension *findDimension(std::string_view name) const;
  /// The path of a file of the contract (a body, the reference), relative to the working directory or absolute.
  std::string filePath(std::string_view file) const;
};

/// The schedule of one kernel, merged from all entries that apply to it.
ContractSchedule scheduleOf(const Contract &contract, unsigned typeRow, unsigned key);

/// "AddRelu" to "add_relu", "AbcAAc" to "abc_a_ac": "_" before every upper-case letter but the first.
std::string snakeCase(std::string_view upperCamel);

// The spelling of enumerators in contracts.
std::string_view bodyLevelName(BodyLevel level); ///< "aicore", "te"
std::optional<BodyLevel> parseBodyLevel(std::string_view name);
std::string_view attributeTypeName(AttributeType type); ///< "float", "list_int"
std::string_view bindingName(Binding binding);          ///< "compile", "launch", "shape"
std::string_view broadcastName(Broadcast broadcast);    ///< "none", "numpy", "scalar", "batch"

} // namespace opc

#endif // OPC_OPS_CONTRACT_CONTRACT_H
