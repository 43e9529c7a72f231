// The contents of an ONNX file: nodes, values, weights, subgraphs, functions. Operators are not interpreted: a node is
// a name with inputs, outputs and attributes.
//
// Every text and every weight is a view into the file, which the model keeps mapped, so a model with 400 MB of weights
// takes as little memory as one without. Only lists of numbers in attributes, shapes and names are copied.
//
//   Model ── Graph ── Node ── Attribute ── Graph ...   subgraphs, of If, Loop, Scan
//     │        ├── Value   inputs, outputs, and what the file says about values between
//     │        └── Tensor  initializers: weights
//     └── Function ── Node ...
//
// Code that takes a Model may rely on the rules onnx_c1 to onnx_c17 (runtime/diagnostic/codes/Rules.def): each value
// has one writer, a node comes after the nodes whose values it reads, tensors have the bytes that their shapes require.

#ifndef OPC_OPS_ONNX_MODEL_H
#define OPC_OPS_ONNX_MODEL_H

#include "ops/onnx/ElementType.h"
#include "runtime/program/model/MappedFile.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace opc::onnx {

/// One dimension of a type: a size, a symbol that is the same size wherever it occurs, or unknown.
struct Dim {
  std::optional<int64_t> size;
  std::string_view symbol;
};

struct Type {
  enum Kind : uint8_t { Tensor, SparseTensor, Sequence, Map, Optional, Opaque };
  Kind kind = Tensor;
  ElementType element = ElementType::Undefined; ///< of tensors; the key's type of maps
  bool hasRank = false;                         ///< of tensors; if false, the shape is unknown
  std::vector<Dim> shape;
  std::unique_ptr<Type> inner;   ///< elements of a sequence or optional, values of a map; nullptr: not given
  std::string_view domain, name; ///< of an opaque type
};

/// A name with its type in the file, which may be unknown.
struct Value {
  std::string_view name;
  std::optional<Type> type;
};

/// A constant. Its bytes are in one piece of the file (`bytes`), in typed fields that have to be decoded, or in a file
/// beside the model. TensorData.h reads all three.
struct Tensor {
  std::string_view name;
  ElementType type = ElementType::Undefined;
  std::vector<int64_t> shape; ///< no size is negative, and their product is below 2^63
  enum Storage : uint8_t { Bytes, Fields, External };
  Storage storage = Bytes;
  std::string_view bytes;    ///< of Bytes: elements in rows, little endian; below 8 bits packed from the lowest bit on
  std::string_view message;  ///< of Fields: the tensor as the file has it
  std::string_view location; ///< of External: a path relative to the model's folder
  uint64_t offset = 0, length = 0; ///< of External, in bytes of that file
  size_t at = 0;                   ///< byte of the file where it begins

  int64_t elements() const; ///< the product of `shape`
};

/// Elements that are not zero, with their positions.
struct SparseTensor {
  Tensor values;  ///< [NNZ]; its name is that of the constant
  Tensor indices; ///< [NNZ] of flat positions, or [NNZ, rank]
  std::vector<int64_t> shape;
};

struct Graph;

struct Attribute {
  /// Numbers of AttributeProto.
  enum Kind : uint8_t {
    Undefined = 0,
    Float = 1,
    Int = 2,
    String = 3,
    TensorValue = 4,
    GraphValue = 5,
    Floats = 6,
    Ints = 7,
    Strings = 8,
    Tensors = 9,
    Graphs = 10,
    SparseTensorValue = 11,
    SparseTensors = 12,
    TypeValue = 13,
    Types = 14,
  };
  std::string_view name;
  Kind kind = Undefined;
  /// In functions: the attribute has the value of the function's attribute of this name.
  std::string_view reference;
  // One value or a list has one element or several; which list is used follows from `kind`.
  std::vector<float> floats;
  std::vector<int64_t> ints;
  std::vector<std::string_view> strings; ///< bytes, not necessarily text
  std::vector<Tensor> tensors;
  std::vector<SparseTensor> sparseTensors;
  std::vector<Graph> graphs;
  std::vector<Type> types;
};

/// "FLOATS", as ONNX spells it.
std::string_view attributeKindName(Attribute::Kind kind);

struct Node {
  std::string_view name;                 ///< may be empty, need not be unique
  std::string_view op;                   ///< "Conv"
  std::string_view domain;               ///< empty: ONNX's own
  std::string_view overload;             ///< of calls of functions
  std::vector<std::string_view> inputs;  ///< empty: an omitted optional input
  std::vector<std::string_view> outputs; ///< empty: an unused output
  std::vector<Attribute> attributes;
  size_t index = 0; ///< its index in the list of the file
  size_t at = 0;    ///< byte of the file where it begins

  const Attribute *find(std::string_view name) const;
  /// "Conv", "com.example.Conv": the domain that is not ONNX's own and the operator.
  std::string qualifiedOp() const;
};

struct Graph {
  std::string_view name;
  std::vector<Node> nodes; ///< each after those whose values it reads
  std::vector<Value> inputs, outputs;
  std::vector<Value> values; ///< types of values between
  std::vector<Tensor> initializers;
  std::vector<SparseTensor> sparseInitializers;
  std::vector<std::pair<std::string_view, std::string_view>> metadata;
};

struct OpsetImport {
  std::string_view domain; ///< empty: ONNX's own
  int64_t version = 0;
};

/// A function of the model: an operator with its definition in nodes.
struct Function {
  std::string_view name, domain, overload;
  std::vector<std::string_view> inputs, outputs;
  std::vector<std::string_view> attributes; ///< without a default
  std::vector<Attribute> attributeDefaults; ///< with one
  std::vector<Node> nodes;                  ///< each after those whose values it reads
  std::vector<Value> values;
  std::vector<OpsetImport> opsets;
  size_t at = 0;
};

struct Model {
  std::string path;   ///< as the user named the file
  std::string folder; ///< of the file, where external data is
  int64_t irVersion = 0;
  std::vector<OpsetImport> opsets;
  std::string_view producer, producerVersion, domain;
  int64_t modelVersion = 0;
  Graph graph;
  std::vector<Function> functions;
  std::vector<std::pair<std::string_view, std::string_view>> metadata;

  /// The file; nullptr for a model that was read from bytes of its caller.
  std::shared_ptr<MappedFile> file;
  std::map<std::string, std::shared_ptr<MappedFile>, std::less<>> externalFiles; ///< by location

  /// Indices into `functions` by domain, name and overload.
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, size_t> functionIndex;

  /// The version of a domain's operators that the model imports; 0: none.
  int64_t opset(std::string_view domain) const;
  const Function *findFunction(const Node &node) const;
  /// Bytes of weights, in the file and beside it.
  uint64_t weightBytes() const;
};

/// "ai.onnx" and the empty text are one domain.
std::string_view plainDomain(std::string_view domain);

} // namespace opc::onnx

#endif // OPC_OPS_ONNX_MODEL_H
