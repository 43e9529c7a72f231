#include "tools/opc/compile/InputShapes.h"

#include "ops/onnx/coverage/Match.h"
#include "tools/opc/compile/CompileOptions.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace opc::tool {

/// Inputs that each run gives: an initializer with an input's name is its value.
static std::vector<onnx::Value *> openInputs(onnx::Model &model) {
  std::vector<onnx::Value *> inputs;
  for (onnx::Value &input : model.graph.inputs) {
    const auto &constants = model.graph.initializers;
    if (std::none_of(constants.begin(), constants.end(),
                     [&](const onnx::Tensor &tensor) { return tensor.name == input.name; }))
      inputs.push_back(&input);
  }
  return inputs;
}

static std::string typeText(const onnx::Value &value) {
  onnx::Fact fact;
  if (!value.type || value.type->kind != onnx::Type::Tensor)
    return value.type ? "no tensor" : "an unknown type";
  fact.type = value.type->element;
  if (value.type->hasRank)
    fact.shape = value.type->shape;
  return factText(fact);
}

/// A dimension in the text: a number, a range, a name, or a range with a name.
struct Written {
  std::string name;
  std::optional<int64_t> from, to;
  int64_t step = 1;
  bool isRange = false;
};

/// "16~512" or "16~512/16"; the last size is whole steps after the first.
static bool readRange(std::string_view text, Written &written) {
  const size_t tilde = text.find('~'), slash = text.find('/', tilde);
  const bool hasStep = slash != std::string_view::npos;
  const std::optional<int64_t> step = hasStep ? parseSize(text.substr(slash + 1)) : std::optional<int64_t>(1);
  written.from = parseSize(text.substr(0, tilde));
  written.to = parseSize(text.substr(tilde + 1, hasStep ? slash - tilde - 1 : std::string_view::npos));
  if (!written.from || !written.to || !step || *step == 0 || *written.to < *written.from)
    return false;
  written.isRange = true;
  written.step = *step;
  written.to = *written.from + (*written.to - *written.from) / *step * *step;
  return true;
}

static std::optional<Written> readWritten(const std::string &text) {
  Written written;
  if (const size_t equals = text.find('='); equals != std::string::npos)
    written.name = text.substr(0, equals);
  if (const size_t begin = text.find('=') + 1; text.find('~', begin) != std::string::npos) {
    const bool isRange = readRange(std::string_view(text).substr(begin), written);
    return isRange && (begin == 0 || !written.name.empty()) ? std::optional(written) : std::nullopt;
  }
  if ((written.from = written.to = parseSize(text)))
    return written;
  // "seq" is a name; "-1", "3x" and "seq=3" are invalid.
  const bool isName = !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) || text[0] == '_') &&
                      text.find('=') == std::string::npos;
  written.name = text;
  return isName ? std::optional(written) : std::nullopt;
}

namespace {

/// The fix of shapes that contradict the file or each other.
constexpr const char *kFollowFile =
    "keep the rank and the sizes that the file fixes, and one size for each of its names";

/// Reads texts and sets the dimensions of a model.
class ShapeReader {
public:
  ShapeReader(onnx::Model &model, Diagnostics &diagnostics) : model(model), diagnostics(diagnostics) {}
  std::optional<InputForms> run(const std::string &text);

private:
  /// The size of a dimension or a symbol: a number, or an index in `forms.sizes`.
  struct Choice {
    int64_t number = 0;
    std::optional<size_t> size;
    friend bool operator==(const Choice &a, const Choice &b) { return a.number == b.number && a.size == b.size; }
  };
  using Dimensions = std::vector<std::string>;
  std::string nameOf(const onnx::Value &input, size_t place, const Written &written) const;
  bool addSizes(const onnx::Value &input, const Dimensions &shape);
  bool setShape(onnx::Value &input, const Dimensions &shape);
  bool choose(const onnx::Value &input, size_t place, const Written &written, Choice &choice);
  bool refuse(const onnx::Value &input, const std::string &why, const std::string &fix = kFollowFile);
  void put(onnx::Dim &dim, const Choice &choice);
  void putSymbols(std::vector<onnx::Value> &values);
  bool reportOpen(const std::vector<onnx::Value *> &inputs);
  std::string choiceText(const Choice &choice) const {
    return choice.size ? sizeText(forms.sizes[*choice.size]) : std::to_string(choice.number);
  }

  onnx::Model &model;
  Diagnostics &diagnostics;
  InputForms forms;
  std::map<std::string, Choice, std::less<>> symbols; ///< of the file
};

} // namespace

void InputForms::apply(size_t form) const {
  const std::vector<int64_t> chosen = sizesOfForm(sizes, form);
  for (auto [dim, size] : places)
    *dim = {chosen[size], {}};
}

bool ShapeReader::refuse(const onnx::Value &input, const std::string &why, const std::string &fix) {
  diagnostics.error(Code::E1012, {},
                    "input '" + printable(input.name) + "' is " + typeText(input) + " in the file: found " + why, {},
                    fix);
  return false;
}

/// The name of a range: the one before it, that of the file, or a generated one.
std::string ShapeReader::nameOf(const onnx::Value &input, size_t place, const Written &written) const {
  if (!written.name.empty())
    return written.name;
  const bool isStated = input.type && place < input.type->shape.size() && !input.type->shape[place].symbol.empty();
  return isStated ? std::string(input.type->shape[place].symbol)
                  : std::string(input.name) + "[" + std::to_string(place) + "]";
}

/// Adds the ranges before names are resolved, so that a name may precede its range.
bool ShapeReader::addSizes(const onnx::Value &input, const Dimensions &shape) {
  for (size_t i = 0; i < shape.size(); ++i) {
    const std::optional<Written> written = readWritten(shape[i]);
    if (!written || !written->isRange)
      continue;
    const ModelSize size = {nameOf(input, i, *written), *written->from, *written->to, written->step};
    auto known = std::find_if(forms.sizes.begin(), forms.sizes.end(),
                              [&](const ModelSize &each) { return each.name == size.name; });
    if (known == forms.sizes.end())
      forms.sizes.push_back(size);
    else if (known->from != size.from || known->to != size.to || known->step != size.step)
      return refuse(input,
                    printable(shape[i]) + "; '" + printable(size.name) + "' is " + sizeText(*known) + " already");
  }
  return true;
}

bool ShapeReader::choose(const onnx::Value &input, size_t place, const Written &written, Choice &choice) {
  if (!written.isRange && written.name.empty()) {
    choice.number = *written.from;
    return true;
  }
  const std::string name = nameOf(input, place, written);
  for (size_t i = 0; i < forms.sizes.size(); ++i)
    if (forms.sizes[i].name == name)
      choice.size = i;
  return choice.size || refuse(input, "'" + printable(name) + "', which has no range",
                               "a range names itself where it stands: NAME=FROM~TO; or give a number");
}

void ShapeReader::put(onnx::Dim &dim, const Choice &choice) {
  if (choice.size)
    forms.places.emplace_back(&dim, *choice.size);
  dim = {choice.size ? forms.sizes[*choice.size].to : choice.number, {}};
}

bool ShapeReader::setShape(onnx::Value &input, const Dimensions &shape) {
  std::string found;
  for (const std::string &size : shape)
    found += (found.empty() ? "" : ",") + printable(size);
  if (!input.type || input.type->kind != onnx::Type::Tensor)
    return refuse(input, found);
  onnx::Type &type = *input.type;
  if (!type.hasRank) {
    type.hasRank = true;
    type.shape.assign(shape.size(), {});
  }
  if (type.shape.size() != shape.size())
    return refuse(input, found + ", which has another rank");
  std::vector<Choice> choices(shape.size());
  for (size_t i = 0; i < shape.size(); ++i) {
    const onnx::Dim &dim = type.shape[i];
    if (!choose(input, i, *readWritten(shape[i]), choices[i]))
      return false;
    if (dim.size && (choices[i].size || *dim.size != choices[i].number))
      return refuse(input, found);
    if (!dim.size && !dim.symbol.empty()) {
      auto [symbol, isNew] = symbols.emplace(dim.symbol, choices[i]);
      if (!isNew && !(symbol->second == choices[i]))
        return refuse(input, found + "; '" + printable(dim.symbol) + "' is " + choiceText(symbol->second) + " already");
    }
  }
  for (size_t i = 0; i < shape.size(); ++i)
    put(type.shape[i], choices[i]);
  return true;
}

void ShapeReader::putSymbols(std::vector<onnx::Value> &values) {
  for (onnx::Value &value : values)
    if (value.type)
      for (onnx::Dim &dim : value.type->shape)
        if (auto symbol = symbols.find(dim.symbol); !dim.size && symbol != symbols.end())
          put(dim, symbol->second);
}

/// False if sizes of inputs are still unknown.
bool ShapeReader::reportOpen(const std::vector<onnx::Value *> &inputs) {
  std::string example;
  std::vector<const onnx::Value *> open;
  for (const onnx::Value *input : inputs) {
    bool isTensor = input->type && input->type->kind == onnx::Type::Tensor;
    if (!isTensor || (input->type->hasRank && std::all_of(input->type->shape.begin(), input->type->shape.end(),
                                                          [](const onnx::Dim &dim) { return dim.size.has_value(); })))
      continue;
    open.push_back(input);
    example += (example.empty() ? "" : ";") + printable(input->name) + ":";
    for (size_t i = 0; i < input->type->shape.size(); ++i)
      example += (i == 0 ? "" : ",") + std::to_string(input->type->shape[i].size.value_or(1));
  }
  for (const onnx::Value *input : open)
    diagnostics.error(Code::E1012, {},
                      "expects the sizes of input '" + printable(input->name) + "', found " + typeText(*input), {},
                      "--input_shape='" + example +
                          "', with the sizes that the model will run with; FROM~TO for one that each run chooses");
  return open.empty();
}

std::optional<InputForms> ShapeReader::run(const std::string &text) {
  const size_t before = diagnostics.errorCount();
  std::vector<onnx::Value *> inputs = openInputs(model);
  if (!text.empty()) {
    std::vector<NamedInput> named;
    for (const onnx::Value *input : inputs)
      named.push_back({std::string(input->name), /*required=*/false});
    auto isDimension = [](const std::string &dimension) { return readWritten(dimension).has_value(); };
    auto shapes =
        splitInputShapes(std::string(model.graph.name), named, text, isDimension,
                         "NAME:SIZE,SIZE or FROM~TO for a size (FROM at most TO, a step of at least 1),", diagnostics);
    if (!shapes)
      return std::nullopt;
    auto forEach = [&](auto step) {
      for (onnx::Value *input : inputs)
        if (auto shape = shapes->find(std::string(input->name)); shape != shapes->end())
          step(*input, shape->second);
    };
    forEach([&](const onnx::Value &input, const Dimensions &shape) { addSizes(input, shape); });
    if (diagnostics.errorCount() == before)
      forEach([&](onnx::Value &input, const Dimensions &shape) { setShape(input, shape); });
  }
  for (auto *values : {&model.graph.inputs, &model.graph.outputs, &model.graph.values})
    putSymbols(*values);
  if (diagnostics.errorCount() != before || !reportOpen(inputs))
    return std::nullopt;
  if (std::string why = checkModelSizes(forms.sizes); !why.empty()) {
    diagnostics.error(Code::E1012, {}, why, {}, "FROM~TO/STEP is a range with a step");
    return std::nullopt;
  }
  for (onnx::Value *input : inputs) {
    std::vector<std::string> &names = forms.inputs.emplace_back();
    for (auto [dim, size] : forms.places)
      if (const std::vector<onnx::Dim> &own = input->type->shape; dim >= own.data() && dim < own.data() + own.size()) {
        names.resize(own.size());
        names[static_cast<size_t>(dim - own.data())] = forms.sizes[size].name;
      }
  }
  return std::move(forms);
}

std::optional<InputForms> readInputForms(onnx::Model &model, const std::string &text, Diagnostics &diagnostics) {
  return ShapeReader(model, diagnostics).run(text);
}

bool setInputShapes(onnx::Model &model, const std::string &text, Diagnostics &diagnostics) {
  const std::optional<InputForms> forms = readInputForms(model, text, diagnostics);
  if (forms && !forms->sizes.empty())
    diagnostics.error(Code::E0104, {},
                      "--input_shape expects numbers here, found " + sizeText(forms->sizes.front()) + " for '" +
                          printable(forms->sizes.front().name) + "'",
                      {}, "ranges go with 'opc compile' and 'opc test'");
  return forms && forms->sizes.empty();
}

} // namespace opc::tool
