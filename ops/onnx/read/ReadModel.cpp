// From the bytes of a model to Model.h: each message of the format has a function that reads its fields.
//
// Unknown fields are skipped, as the format requires: newer writers add some. A singular message that occurs twice is
// refused, because merging the two, as the format says, makes one graph of two.

#include "ops/onnx/Reader.h"
#include "ops/onnx/read/Parts.h"

#include <filesystem>

namespace opc::onnx {

static Graph readGraph(Reading &reading, std::string_view bytes);

static std::pair<std::string_view, std::string_view> readPair(Reading &reading, std::string_view bytes) {
  std::pair<std::string_view, std::string_view> pair;
  Message message(reading, bytes);
  while (message.next()) {
    if (message.field() == 1)
      pair.first = message.text();
    else if (message.field() == 2)
      pair.second = message.text();
    else
      message.skip();
  }
  return pair;
}

static ElementType readElementType(Reading &reading, int64_t number) {
  std::optional<ElementType> type = elementTypeOf(number);
  // 0 says that nothing is known.
  if (!type && number != 0)
    reading.refuse(Code::E1001, "onnx_c7",
                   "expects a type of elements that ONNX has, found number " + std::to_string(number));
  return type.value_or(ElementType::Undefined);
}

static Dim readDim(Reading &reading, std::string_view bytes) {
  Dim dim;
  Message message(reading, bytes);
  while (message.next()) {
    if (message.field() == 1) {
      int64_t size = message.integer();
      dim.symbol = {};
      // Some exporters write -1 for an unknown size.
      dim.size = size < 0 ? std::nullopt : std::optional(size);
    } else if (message.field() == 2) {
      dim.size.reset();
      dim.symbol = message.text();
      // PaddlePaddle writes it for all unknown sizes, equal or not.
      if (dim.symbol == "?")
        dim.symbol = {};
    } else {
      message.skip();
    }
  }
  return dim;
}

static Type readType(Reading &reading, std::string_view bytes);

/// TypeProto.Tensor and TypeProto.SparseTensor.
static void readTensorType(Reading &reading, std::string_view bytes, Type &type) {
  Message message(reading, bytes);
  while (message.next()) {
    if (message.field() == 1) {
      type.element = readElementType(reading, message.integer());
    } else if (message.field() == 2) {
      type.hasRank = true;
      Message shape(reading, message.bytes());
      while (shape.next()) {
        if (shape.field() != 1) {
          shape.skip();
          continue;
        }
        reading.count(type.shape);
        type.shape.push_back(readDim(reading, shape.bytes()));
      }
      reading.checkRank(type.shape.size());
    } else {
      message.skip();
    }
  }
}

/// Sequence, Map, Optional: a type within the type; field 1 of a map is the type of its keys.
static void readOuterType(Reading &reading, std::string_view bytes, Type &type) {
  Message message(reading, bytes);
  uint32_t inner = type.kind == Type::Map ? 2 : 1;
  while (message.next()) {
    if (message.field() == inner) {
      reading.count(sizeof(Type));
      type.inner = std::make_unique<Type>(readType(reading, message.bytes()));
    } else if (message.field() == 1) {
      type.element = readElementType(reading, message.integer());
    } else {
      message.skip();
    }
  }
}

static void readOpaqueType(Reading &reading, std::string_view bytes, Type &type) {
  auto [domain, name] = readPair(reading, bytes);
  type.domain = domain;
  type.name = name;
}

static Type readType(Reading &reading, std::string_view bytes) {
  Level level(reading);
  Type type;
  Message message(reading, bytes);
  while (message.next()) {
    switch (message.field()) {
    case 1:
      type.kind = Type::Tensor;
      readTensorType(reading, message.bytes(), type);
      break;
    case 8:
      type.kind = Type::SparseTensor;
      readTensorType(reading, message.bytes(), type);
      break;
    case 4:
      type.kind = Type::Sequence;
      readOuterType(reading, message.bytes(), type);
      break;
    case 5:
      type.kind = Type::Map;
      readOuterType(reading, message.bytes(), type);
      break;
    case 9:
      type.kind = Type::Optional;
      readOuterType(reading, message.bytes(), type);
      break;
    case 7:
      type.kind = Type::Opaque;
      readOpaqueType(reading, message.bytes(), type);
      break;
    default:
      message.skip();
    }
  }
  return type;
}

static Value readValue(Reading &reading, std::string_view bytes) {
  Value value;
  Message message(reading, bytes);
  while (message.next()) {
    if (message.field() == 1)
      value.name = message.text();
    else if (message.field() == 2)
      value.type = readType(reading, message.bytes());
    else
      message.skip();
  }
  return value;
}

static SparseTensor readSparseTensor(Reading &reading, std::string_view bytes) {
  SparseTensor tensor;
  const char *begin = reading.at;
  Message message(reading, bytes);
  while (message.next()) {
    if (message.field() == 1)
      tensor.values = readTensor(reading, message.bytes());
    else if (message.field() == 2)
      tensor.indices = readTensor(reading, message.bytes());
    else if (message.field() == 3)
      message.integers(tensor.shape);
    else
      message.skip();
  }
  reading.at = begin;
  auto refuse = [&](const std::string &what) {
    reading.refuse(Code::E1001, "onnx_c17", what + " in the sparse tensor '" + printable(tensor.values.name, 60) + "'");
  };
  size_t rank = tensor.shape.size();
  reading.checkRank(rank);
  for (int64_t size : tensor.shape)
    if (size < 0)
      refuse("expects sizes from 0 on, found " + std::to_string(size));
  if (tensor.values.shape.size() != 1)
    refuse("expects values in one list, found rank " + std::to_string(tensor.values.shape.size()));
  const std::vector<int64_t> &places = tensor.indices.shape;
  bool flat = places.size() == 1, full = places.size() == 2 && places[1] == static_cast<int64_t>(rank);
  if (tensor.indices.type != ElementType::Int64 || (!flat && !full) || places[0] != tensor.values.shape[0])
    refuse("expects an int64 place for each value");
  return tensor;
}

/// Fields of AttributeProto with values.
static Attribute::Kind kindOfField(uint32_t field) {
  switch (field) {
  case 2:
    return Attribute::Float;
  case 3:
    return Attribute::Int;
  case 4:
    return Attribute::String;
  case 5:
    return Attribute::TensorValue;
  case 6:
    return Attribute::GraphValue;
  case 7:
    return Attribute::Floats;
  case 8:
    return Attribute::Ints;
  case 9:
    return Attribute::Strings;
  case 10:
    return Attribute::Tensors;
  case 11:
    return Attribute::Graphs;
  case 14:
    return Attribute::TypeValue;
  case 15:
    return Attribute::Types;
  case 22:
    return Attribute::SparseTensorValue;
  case 23:
    return Attribute::SparseTensors;
  default:
    return Attribute::Undefined;
  }
}

static bool isOne(Attribute::Kind kind) {
  return kind == Attribute::Float || kind == Attribute::Int || kind == Attribute::String ||
         kind == Attribute::TensorValue || kind == Attribute::GraphValue || kind == Attribute::TypeValue ||
         kind == Attribute::SparseTensorValue;
}

static void readAttributeValue(Reading &reading, Message &message, Attribute &attribute) {
  switch (kindOfField(message.field())) {
  case Attribute::Float:
    attribute.floats.push_back(message.number());
    break;
  case Attribute::Floats:
    message.numbers(attribute.floats);
    break;
  case Attribute::Int:
    attribute.ints.push_back(message.integer());
    break;
  case Attribute::Ints:
    message.integers(attribute.ints);
    break;
  case Attribute::String:
  case Attribute::Strings:
    reading.count(attribute.strings);
    attribute.strings.push_back(message.bytes());
    break;
  case Attribute::TensorValue:
  case Attribute::Tensors:
    reading.count(attribute.tensors);
    attribute.tensors.push_back(readTensor(reading, message.bytes()));
    break;
  case Attribute::GraphValue:
  case Attribute::Graphs:
    reading.count(attribute.graphs);
    attribute.graphs.push_back(readGraph(reading, message.bytes()));
    break;
  case Attribute::SparseTensorValue:
  case Attribute::SparseTensors:
    reading.count(attribute.sparseTensors);
    attribute.sparseTensors.push_back(readSparseTensor(reading, message.bytes()));
    break;
  case Attribute::TypeValue:
  case Attribute::Types:
    reading.count(attribute.types);
    attribute.types.push_back(readType(reading, message.bytes()));
    break;
  case Attribute::Undefined:
    message.skip();
  }
}

static Attribute readAttribute(Reading &reading, std::string_view bytes) {
  Attribute attribute;
  const char *begin = reading.at;
  uint32_t valueField = 0;
  int64_t type = 0;
  Message message(reading, bytes);
  // The fields may come in any order, and the type selects one of them; most writers fill only one.
  while (message.next()) {
    switch (message.field()) {
    case 1:
      attribute.name = message.text();
      break;
    case 20:
      type = message.integer();
      break;
    case 21:
      attribute.reference = message.text();
      break;
    default:
      Attribute::Kind kind = kindOfField(message.field());
      if (kind == Attribute::Undefined) {
        message.skip();
        break;
      }
      if (valueField != 0 && (valueField != message.field() || isOne(kind)))
        reading.refuse(Code::E1001, "onnx_c13",
                       "expects one value of attribute '" + printable(attribute.name, 60) + "', found several");
      valueField = message.field();
      readAttributeValue(reading, message, attribute);
    }
  }
  reading.at = begin;
  auto refuse = [&](const std::string &what) {
    reading.refuse(Code::E1001, "onnx_c13", what + " of attribute '" + printable(attribute.name, 60) + "'");
  };
  if (attribute.name.empty())
    refuse("expects a name, found none");
  if (type < 0 || type > Attribute::Types)
    refuse("expects a type that ONNX has, found number " + std::to_string(type));
  attribute.kind = static_cast<Attribute::Kind>(type);
  Attribute::Kind found = kindOfField(valueField);
  // Writers of IR version 1 give no type.
  if (type == 0)
    attribute.kind = found;
  if (!attribute.reference.empty()) {
    if (valueField != 0)
      refuse("expects a value or a reference, found both,");
    return attribute;
  }
  if (attribute.kind == Attribute::Undefined)
    refuse("expects a value, found none,");
  // An empty list has no field; some writers also omit 0 and "".
  if (valueField != 0 && found != attribute.kind)
    refuse("expects a value of type " + std::string(attributeKindName(attribute.kind)) + ", found " +
           std::string(attributeKindName(found)) + ",");
  if (valueField == 0) {
    if (attribute.kind == Attribute::Float)
      attribute.floats.push_back(0);
    else if (attribute.kind == Attribute::Int)
      attribute.ints.push_back(0);
    else if (attribute.kind == Attribute::String)
      attribute.strings.push_back({});
    else if (isOne(attribute.kind))
      refuse("expects a value, found none,");
  }
  return attribute;
}

static Node readNode(Reading &reading, std::string_view bytes, size_t index) {
  Node node;
  node.index = index;
  node.at = offsetIn(reading.file, bytes);
  std::string outer = reading.place;
  reading.place = "node " + std::to_string(index) + (outer.empty() ? "" : " of a graph in " + outer);
  Message message(reading, bytes);
  while (message.next()) {
    switch (message.field()) {
    case 1:
      message.textTo(node.inputs);
      break;
    case 2:
      message.textTo(node.outputs);
      break;
    case 3:
      node.name = message.text();
      break;
    case 4:
      node.op = message.text();
      break;
    case 5:
      reading.count(node.attributes);
      node.attributes.push_back(readAttribute(reading, message.bytes()));
      break;
    case 7:
      node.domain = plainDomain(message.text());
      break;
    case 8:
      node.overload = message.text();
      break;
    default:
      message.skip();
    }
  }
  reading.place = outer;
  return node;
}

static void addNode(Reading &reading, std::string_view bytes, std::vector<Node> &nodes) {
  reading.count(nodes);
  nodes.push_back(readNode(reading, bytes, nodes.size()));
}

static Graph readGraph(Reading &reading, std::string_view bytes) {
  Level level(reading);
  Graph graph;
  Message message(reading, bytes);
  while (message.next()) {
    switch (message.field()) {
    case 1:
      addNode(reading, message.bytes(), graph.nodes);
      break;
    case 2:
      graph.name = message.text();
      break;
    case 5:
      reading.count(graph.initializers);
      graph.initializers.push_back(readTensor(reading, message.bytes()));
      break;
    case 15:
      reading.count(graph.sparseInitializers);
      graph.sparseInitializers.push_back(readSparseTensor(reading, message.bytes()));
      break;
    case 11:
      reading.count(graph.inputs);
      graph.inputs.push_back(readValue(reading, message.bytes()));
      break;
    case 12:
      reading.count(graph.outputs);
      graph.outputs.push_back(readValue(reading, message.bytes()));
      break;
    case 13:
      reading.count(graph.values);
      graph.values.push_back(readValue(reading, message.bytes()));
      break;
    case 16:
      reading.count(graph.metadata);
      graph.metadata.push_back(readPair(reading, message.bytes()));
      break;
    default:
      message.skip();
    }
  }
  return graph;
}

static OpsetImport readOpset(Reading &reading, std::string_view bytes) {
  OpsetImport import;
  Message message(reading, bytes);
  while (message.next()) {
    if (message.field() == 1)
      import.domain = plainDomain(message.text());
    else if (message.field() == 2)
      import.version = message.integer();
    else
      message.skip();
  }
  return import;
}

static Function readFunction(Reading &reading, std::string_view bytes) {
  Function function;
  function.at = offsetIn(reading.file, bytes);
  Message message(reading, bytes);
  while (message.next()) {
    switch (message.field()) {
    case 1:
      function.name = message.text();
      break;
    case 4:
      message.textTo(function.inputs);
      break;
    case 5:
      message.textTo(function.outputs);
      break;
    case 6:
      message.textTo(function.attributes);
      break;
    case 7:
      addNode(reading, message.bytes(), function.nodes);
      break;
    case 9:
      reading.count(function.opsets);
      function.opsets.push_back(readOpset(reading, message.bytes()));
      break;
    case 10:
      function.domain = plainDomain(message.text());
      break;
    case 11:
      reading.count(function.attributeDefaults);
      function.attributeDefaults.push_back(readAttribute(reading, message.bytes()));
      break;
    case 12:
      reading.count(function.values);
      function.values.push_back(readValue(reading, message.bytes()));
      break;
    case 13:
      function.overload = message.text();
      break;
    default:
      message.skip();
    }
  }
  return function;
}

static void readModelFields(Reading &reading, Model &model) {
  bool hasGraph = false, hasVersion = false;
  Message message(reading, reading.file);
  while (message.next()) {
    switch (message.field()) {
    case 1:
      model.irVersion = message.integer();
      hasVersion = true;
      break;
    case 2:
      model.producer = message.text();
      break;
    case 3:
      model.producerVersion = message.text();
      break;
    case 4:
      model.domain = message.text();
      break;
    case 5:
      model.modelVersion = message.integer();
      break;
    case 7:
      if (hasGraph)
        reading.refuse(Code::E1000, "onnx_c2", "expects one graph in a model, found a second one");
      hasGraph = true;
      model.graph = readGraph(reading, message.bytes());
      break;
    case 8:
      reading.count(model.opsets);
      model.opsets.push_back(readOpset(reading, message.bytes()));
      break;
    case 14:
      reading.count(model.metadata);
      model.metadata.push_back(readPair(reading, message.bytes()));
      break;
    case 25:
      reading.count(model.functions);
      model.functions.push_back(readFunction(reading, message.bytes()));
      break;
    default:
      message.skip();
    }
  }
  reading.at = nullptr;
  if (!hasGraph || !hasVersion)
    reading.refuse(Code::E1000, "onnx_c2",
                   std::string("expects a model of ONNX, with an IR version and a graph, found a file without ") +
                       (hasGraph ? "a version" : "a graph"),
                   "name the .onnx file that an exporter wrote");
}

/// Reads the fields of `model`; false after an error.
static bool readFields(std::string_view bytes, Model &model, Diagnostics &diagnostics) {
  Reading reading(model.path, bytes, diagnostics);
  try {
    readModelFields(reading, model);
    return true;
  } catch (const Refused &) {
    return false;
  } catch (const protozero::exception &error) {
    diagnostics.error(Code::E1000, {model.path, 0, 0},
                      std::string("expects a model of ONNX, which is a protocol buffer, found '") + error.what() +
                          "' at byte " + std::to_string(reading.offsetOf(reading.at)) +
                          (reading.place.empty() ? "" : ", in " + reading.place),
                      "onnx_c1", "name the .onnx file that an exporter wrote; a download may have been cut off");
    return false;
  }
}

std::unique_ptr<Model> readModel(std::string_view bytes, const std::string &path, Diagnostics &diagnostics) {
  auto model = std::make_unique<Model>();
  model->path = path;
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  model->folder = folder.empty() ? "." : folder.string();
  if (!readFields(bytes, *model, diagnostics) || !checkModel(*model, diagnostics))
    return nullptr;
  return model;
}

std::unique_ptr<Model> loadModel(const std::string &path, Diagnostics &diagnostics) {
  std::string found;
  std::shared_ptr<MappedFile> file = MappedFile::open(path, found);
  if (!file) {
    diagnostics.error(Code::E0600, {path, 0, 0}, "expects a model that can be read, found " + found);
    return nullptr;
  }
  std::unique_ptr<Model> model = readModel(file->bytes(), path, diagnostics);
  if (!model)
    return nullptr;
  model->file = std::move(file);
  if (!openExternalData(*model, diagnostics))
    return nullptr;
  return model;
}

} // namespace opc::onnx
