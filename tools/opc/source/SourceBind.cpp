#include "tools/opc/source/SourceBind.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <sstream>

namespace opc::tool {

/// Whether a parameter's name contains a word: "workspace", "usrWorkspace", "tiling", "tilingGm".
static bool speaksOf(const std::string &name, const char *word) {
  std::string lower;
  for (unsigned char c : name)
    lower += char(std::tolower(c));
  return lower.find(word) != std::string::npos;
}

static KernelParameter::Kind kindByName(const SourceFunction &kernel, size_t index) {
  const std::string &name = kernel.parameters[index];
  const bool isLast = index + 1 == kernel.parameters.size();
  if (name == "tiling" || (isLast && speaksOf(name, "tiling")))
    return KernelParameter::Tiling;
  return speaksOf(name, "workspace") ? KernelParameter::Workspace : KernelParameter::Output;
}

std::vector<std::string> tensorNames(const SourceFunction &kernel) {
  std::vector<std::string> names;
  for (size_t i = 0; i < kernel.parameters.size(); ++i)
    if (kindByName(kernel, i) == KernelParameter::Output)
      names.push_back(kernel.parameters[i]);
  return names;
}

/// Parses "y:2,3;z:4" to names and the texts after the colons; reports E0104 for other texts.
static std::map<std::string, std::string> parsePairs(const std::string &text, const char *option,
                                                     const std::vector<std::string> &known, Diagnostics &diagnostics) {
  std::map<std::string, std::string> pairs;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ';');) {
    const size_t colon = part.find(':');
    const std::string name = part.substr(0, colon);
    if (colon == std::string::npos) {
      diagnostics.error(Code::E0104, {},
                        std::string(option) + " expects NAME:VALUE with ';' between outputs, found '" +
                            printable(part) + "'");
    } else if (std::find(known.begin(), known.end(), name) == known.end()) {
      const std::string near = nearestName(name, known);
      diagnostics.error(Code::E0804, {},
                        std::string(option) + " expects a parameter of the kernel, found '" + printable(name) + "'", {},
                        near.empty() ? "" : "did you mean '" + near + "'?");
    } else if (!pairs.emplace(name, part.substr(colon + 1)).second) {
      diagnostics.error(Code::E0109, {}, std::string(option) + " names '" + name + "' twice");
    }
  }
  return pairs;
}

static std::optional<Shape> parseShapeText(const std::string &text) {
  Shape shape;
  for (size_t begin = 0; begin <= text.size() && !text.empty();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    int64_t size = 0;
    const auto [last, error] = std::from_chars(text.data() + begin, text.data() + end, size);
    if (error != std::errc() || last != text.data() + end || size < 0)
      return std::nullopt;
    shape.push_back(size);
    begin = end + 1;
  }
  return shape;
}

std::map<std::string, Shape> parseShapes(const std::string &text, const char *option,
                                         const std::vector<std::string> &known, Diagnostics &diagnostics) {
  std::map<std::string, Shape> shapes;
  for (const auto &[name, sizes] : parsePairs(text, option, known, diagnostics)) {
    if (std::optional<Shape> shape = parseShapeText(sizes))
      shapes[name] = *shape;
    else
      diagnostics.error(Code::E0104, {},
                        std::string(option) + " expects sizes with ',' between them, found '" + printable(sizes) +
                            "' for '" + name + "'");
  }
  return shapes;
}

namespace {
/// The shapes and types that the command line gives for outputs.
struct GivenOutputs {
  std::map<std::string, Shape> shapes;
  std::map<std::string, std::string> types;
};
} // namespace

static GivenOutputs parseOutputs(const OutputTexts &texts, const std::vector<std::string> &names,
                                 Diagnostics &diagnostics) {
  return {parseShapes(texts.shapes, "--output_shape", names, diagnostics),
          parsePairs(texts.types, "--output_dtype", names, diagnostics)};
}

std::vector<std::optional<Shape>> givenOutputShapes(const HostOperator &op, const OutputTexts &texts,
                                                    Diagnostics &diagnostics) {
  std::vector<std::string> names;
  for (const ManifestTensor &output : op.manifest.outputs)
    names.push_back(output.name);
  const std::map<std::string, Shape> given = parseShapes(texts.shapes, "--output_shape", names, diagnostics);
  std::vector<std::optional<Shape>> shapes(names.size());
  for (size_t i = 0; i < names.size(); ++i)
    if (auto found = given.find(names[i]); found != given.end())
      shapes[i] = found->second;
  return shapes;
}

bool checkOutputShapes(const HostOperator &op, const std::vector<Shape> &shapes, Diagnostics &diagnostics) {
  const Manifest &manifest = op.manifest;
  for (size_t i = 0; i < manifest.outputs.size(); ++i) {
    const std::string &name = manifest.outputs[i].name;
    const bool inPlace = std::any_of(manifest.inputs.begin(), manifest.inputs.end(),
                                     [&name](const ManifestTensor &input) { return input.name == name; });
    if (!inPlace && std::any_of(shapes[i].begin(), shapes[i].end(), [](int64_t size) { return size < 0; }))
      diagnostics.error(Code::E0527, op.location,
                        "InferShape gives output '" + printable(name) + "' a size below 0, and no shape is given", {},
                        "--output_shape=\"" + printable(name) + ":16\"");
  }
  return !diagnostics.hasErrors();
}

/// Makes an output of a shape and type that the command line may override.
static bool makeOutput(const std::string &name, std::optional<Shape> shape, std::optional<ElementType> type,
                       const GivenOutputs &given, SourceLaunch &launch, Diagnostics &diagnostics) {
  if (auto found = given.shapes.find(name); found != given.shapes.end())
    shape = found->second;
  if (auto text = given.types.find(name); text != given.types.end() && !(type = parseElementType(text->second))) {
    diagnostics.error(Code::E0104, {},
                      "--output_dtype expects a type, found '" + printable(text->second) + "' for '" + name + "'");
    return false;
  }
  if (!shape || !type) {
    diagnostics.error(Code::E0804, {},
                      "output '" + name + "' expects a shape and a type, found no input to take them from", {},
                      "--output_shape=\"" + name + ":16\" --output_dtype=\"" + name + ":float16\"");
    return false;
  }
  std::optional<Tensor> tensor = Tensor::create(*type, *shape);
  if (!tensor) {
    diagnostics.error(Code::E0527, {}, "there is no memory for output '" + name + "'");
    return false;
  }
  if (tensor->numBytes() > 0)
    std::memset(tensor->data(), 0, size_t(tensor->numBytes()));
  launch.tensors.emplace(name, std::move(*tensor));
  return true;
}

static bool contains(const std::vector<std::string> &names, const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Adds a parameter; one in place of an earlier parameter has its memory.
static void addParameter(KernelParameter parameter, const std::string &memory, SourceLaunch &launch) {
  for (size_t i = 0; i < launch.parameters.size(); ++i)
    if (launch.parameters[i].name == memory)
      parameter.sameAs = int(i);
  if (auto found = launch.tensors.find(memory); parameter.sameAs < 0 && found != launch.tensors.end())
    parameter.tensor = &found->second;
  launch.parameters.push_back(std::move(parameter));
}

bool bindByName(const SourceFunction &kernel, const OutputTexts &texts, const std::vector<std::string> &outputs,
                const std::vector<std::string> &stored, SourceLaunch &launch, Diagnostics &diagnostics) {
  const std::vector<std::string> names = tensorNames(kernel);
  const GivenOutputs given = parseOutputs(texts, names, diagnostics);
  if (diagnostics.hasErrors())
    return false;
  std::vector<std::string> inputs;
  const Tensor *first = nullptr;
  for (const std::string &name : names)
    if (auto found = launch.tensors.find(name); found != launch.tensors.end() && !contains(outputs, name)) {
      inputs.push_back(name);
      first = first ? first : &found->second;
    }
  // The entry of an operator that works in place has a parameter for the input, x, and one for the output, x_ref.
  auto memoryOf = [&](const std::string &name) {
    const bool isRef = name.size() > 4 && name.compare(name.size() - 4, 4, "_ref") == 0;
    const std::string other = isRef ? name.substr(0, name.size() - 4) : name;
    return !contains(inputs, name) && contains(inputs, other) ? other : name;
  };
  for (const std::string &name : names)
    if (!launch.tensors.count(memoryOf(name)) &&
        !makeOutput(name, first ? std::optional(first->shape()) : std::nullopt,
                    first ? std::optional(first->type()) : std::nullopt, given, launch, diagnostics))
      return false;
  auto isStored = [&](const std::string &name) {
    return std::any_of(stored.begin(), stored.end(), [&](const std::string &other) { return memoryOf(other) == name; });
  };
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    KernelParameter parameter;
    parameter.name = kernel.parameters[i];
    parameter.kind = kindByName(kernel, i);
    if (parameter.kind == KernelParameter::Output && contains(inputs, parameter.name)) {
      parameter.inPlace = isStored(parameter.name);
      parameter.kind = parameter.inPlace ? KernelParameter::Output : KernelParameter::Input;
    }
    addParameter(parameter, memoryOf(parameter.name), launch);
  }
  return true;
}

/// "the inputs x and y, the output z, the workspace and the tiling data".
static std::string expectedText(const HostOperator &op) {
  auto list = [](const std::vector<ManifestTensor> &tensors, const char *word) {
    std::string text;
    for (const ManifestTensor &tensor : tensors)
      text += (text.empty() ? std::string(word) + " " : ", ") + printable(tensor.name);
    return text;
  };
  return list(op.manifest.inputs, "inputs") + "; " + list(op.manifest.outputs, "outputs") + "; workspace; tiling";
}

/// Gives the workspace the bytes that TilingFunc requests. They are unwritten, and the kernel reads what it wrote.
static bool bindWorkspace(const HostLaunchResult &host, KernelParameter &parameter, SourceLaunch &launch,
                          Diagnostics &diagnostics) {
  constexpr int64_t kMost = int64_t(1) << 30;
  const char *name = "the workspace"; // no tensor has this name
  int64_t bytes = 0;
  for (int64_t each : host.workspaces)
    bytes = std::min(bytes + std::clamp<int64_t>(each, 0, kMost + 1), kMost + 1);
  if (bytes == 0)
    return true;
  std::optional<Tensor> tensor = bytes <= kMost ? Tensor::create(ElementType::UInt8, {bytes}) : std::nullopt;
  if (!tensor) {
    diagnostics.error(Code::E0527, {}, "there is no memory for a workspace of " + std::to_string(bytes) + " bytes", {},
                      "a workspace of at most 1 GiB: context->GetWorkspaceSizes");
    return false;
  }
  std::memset(tensor->data(), kUnwritten, size_t(bytes));
  parameter.tensor = &launch.tensors.insert_or_assign(name, std::move(*tensor)).first->second;
  parameter.inPlace = true;
  return true;
}

bool bindByDefinition(const SourceFunction &kernel, const HostOperator &op, unsigned typeRow,
                      const HostLaunchResult &host, const OutputTexts &texts, SourceLaunch &launch,
                      Diagnostics &diagnostics) {
  const Manifest &manifest = op.manifest;
  std::vector<std::string> names;
  for (const ManifestTensor &output : manifest.outputs)
    names.push_back(output.name);
  const GivenOutputs given = parseOutputs(texts, names, diagnostics);
  if (diagnostics.hasErrors())
    return false;
  std::vector<std::string> expected;
  for (const ManifestTensor &input : manifest.inputs)
    expected.push_back(input.name);
  size_t inPlace = 0;
  for (size_t i = 0; i < manifest.outputs.size(); ++i) {
    const ElementType type = host.outputTypes[i].value_or(manifest.outputs[i].types[typeRow]);
    inPlace += contains(expected, names[i]);
    if (!launch.tensors.count(names[i]) &&
        !makeOutput(names[i], host.outputShapes[i], type, given, launch, diagnostics))
      return false;
  }
  const size_t inputs = expected.size(), found = kernel.parameters.size();
  const bool sharesParameter = inPlace > 0 && found + inPlace == inputs + names.size() + 2;
  for (const std::string &name : names)
    if (!sharesParameter || !contains(expected, name))
      expected.push_back(name);
  if (found != expected.size() + 2) {
    diagnostics.error(Code::E0804, kernel.location,
                      "kernel '" + printable(kernel.name) + "' expects " + std::to_string(expected.size() + 2) +
                          " parameters as its operator is defined (" + expectedText(op) + "), found " +
                          std::to_string(found),
                      {}, "the parameters in the order of the definition");
    return false;
  }
  for (size_t i = 0; i < found; ++i) {
    KernelParameter parameter;
    if (i >= expected.size()) {
      parameter.kind = i == expected.size() ? KernelParameter::Workspace : KernelParameter::Tiling;
      parameter.name = kernel.parameters[i];
      if (parameter.kind == KernelParameter::Workspace && !bindWorkspace(host, parameter, launch, diagnostics))
        return false;
      launch.parameters.push_back(parameter);
      continue;
    }
    parameter.name = expected[i];
    parameter.inPlace = i < inputs && contains(names, expected[i]);
    parameter.kind = i >= inputs || parameter.inPlace            ? KernelParameter::Output
                     : launch.tensors.count(parameter.name) != 0 ? KernelParameter::Input
                                                                 : KernelParameter::Absent;
    addParameter(parameter, parameter.name, launch);
  }
  return true;
}

} // namespace opc::tool
