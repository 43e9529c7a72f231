#include "tools/opc/pkg/BoardKit.h"

#include "ops/contract/Shapes.h"
#include "runtime/core/File.h"
#include "runtime/core/tensor/Npy.h"
#include "runtime/diagnostic/VendorCodes.h"
#include "runtime/program/Manifest.h"
#include "runtime/target/Half.h"
#include "tools/opc/process/Process.h"
#include "tools/opc/process/TemporaryFolder.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>

namespace opc::tool {

namespace fs = std::filesystem;

struct StaticFile {
  const char *name;
  const char *text;
};

static const StaticFile kStatic[] = {
#include "tools/opc/BoardKit.inc"
};

/// Candidates for the sizes of every symbol and of every pack.
static const Shape kPackShapes[] = {{37}, {3, 1031}, {2, 1, 8192}, {4, 16}};
static const int64_t kSymbolSizes[] = {33, 1, 16, 5};

static std::vector<std::optional<Shape>> shapesOf(const Contract &contract, const Shape &pack, int64_t size) {
  std::vector<std::optional<Shape>> shapes;
  for (const ContractTensor &input : contract.inputs) {
    Shape shape;
    for (const ContractDim &dim : input.shape) {
      if (dim.kind == ContractDim::Pack)
        shape.insert(shape.end(), pack.begin(), pack.end());
      else
        shape.push_back(dim.kind == ContractDim::Fixed ? dim.size : size);
    }
    if (input.broadcast == Broadcast::Scalar)
      shape.clear();
    shapes.emplace_back(std::move(shape));
  }
  return shapes;
}

/// Attributes of one case: defaults, or with `other` another value within the range for launch attributes.
static bool attributesOf(const Contract &contract, bool other, std::vector<AttributeValue> &values) {
  for (const ContractAttribute &attribute : contract.attributes) {
    AttributeValue value = attribute.defaultValue;
    bool isLaunch = attribute.binding == Binding::Launch;
    auto admits = [&](double number) {
      return (!attribute.minimum || number >= *attribute.minimum) &&
             (!attribute.maximum || number <= *attribute.maximum);
    };
    if (attribute.type == AttributeType::Float && isLaunch && other && admits(-0.5))
      value = -0.5;
    if (attribute.type == AttributeType::Int && isLaunch && other && admits(3))
      value = int64_t(3);
    if (std::holds_alternative<std::monostate>(value)) {
      if (attribute.type == AttributeType::Float)
        value = attribute.minimum.value_or(attribute.maximum.value_or(1.0));
      else if (attribute.type == AttributeType::Int)
        value = static_cast<int64_t>(attribute.minimum.value_or(attribute.maximum.value_or(1.0)));
      else if (attribute.type == AttributeType::Bool)
        value = false;
      else if (attribute.type == AttributeType::String && !attribute.choices.empty())
        value = attribute.choices.front();
      else
        return false;
    }
    values.push_back(std::move(value));
  }
  return true;
}

std::vector<KitCase> kitCases(const Contract &contract, const std::vector<unsigned> &rows) {
  std::vector<std::vector<std::optional<Shape>>> candidates;
  for (const ContractTestShape &shape : contract.testShapes)
    candidates.push_back(shape.inputs);
  for (const Shape &pack : kPackShapes)
    for (int64_t size : kSymbolSizes)
      candidates.push_back(shapesOf(contract, pack, size));
  // Cases have all optional inputs; the contract's tests cover missing ones.
  std::vector<std::vector<Shape>> admitted;
  for (const auto &shapes : candidates) {
    ShapeBinding binding;
    std::vector<Shape> all;
    for (const std::optional<Shape> &shape : shapes)
      if (shape)
        all.push_back(*shape);
    if (all.size() == contract.inputs.size() && admitted.size() < 3 &&
        std::find(admitted.begin(), admitted.end(), all) == admitted.end() &&
        bindShapes(contract, shapes, binding).empty())
      admitted.push_back(std::move(all));
  }
  std::vector<KitCase> cases;
  for (unsigned row : rows) {
    // The CPU kernel computes the expected results, and a row with a packed input has no CPU kernel.
    if (contract.packedInput(row))
      continue;
    for (size_t i = 0; i < admitted.size(); ++i) {
      KitCase one;
      one.row = row;
      one.folder = contract.typeRowName(row) + "_" + std::to_string(i);
      one.shapes = admitted[i];
      if (attributesOf(contract, i % 2 == 1, one.attributes))
        cases.push_back(std::move(one));
    }
  }
  return cases;
}

/// A number from -4 to 4, the same on every machine.
static double sample(uint64_t &state) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return static_cast<double>(state >> 33) / static_cast<double>(uint64_t(1) << 31) * 8 - 4;
}

static void fill(Tensor &tensor, uint64_t &state) {
  auto store = [&](auto *data, auto convert) {
    for (int64_t i = 0; i < tensor.numElements(); ++i)
      data[i] = convert(sample(state));
  };
  void *data = tensor.data();
  switch (tensor.type()) {
  case ElementType::Float16:
    return store(static_cast<Half *>(data), [](double v) { return toHalf(static_cast<float>(v)); });
  case ElementType::BFloat16:
    return store(static_cast<BFloat16 *>(data), [](double v) { return toBFloat16(static_cast<float>(v)); });
  case ElementType::Float32:
    return store(static_cast<float *>(data), [](double v) { return static_cast<float>(v); });
  case ElementType::Float64:
    return store(static_cast<double *>(data), [](double v) { return v; });
  case ElementType::Int8:
    return store(static_cast<int8_t *>(data), [](double v) { return static_cast<int8_t>(v * 5); });
  case ElementType::UInt8:
    return store(static_cast<uint8_t *>(data), [](double v) { return static_cast<uint8_t>(v * 5 + 20); });
  case ElementType::Int16:
    return store(static_cast<int16_t *>(data), [](double v) { return static_cast<int16_t>(v * 50); });
  case ElementType::UInt16:
    return store(static_cast<uint16_t *>(data), [](double v) { return static_cast<uint16_t>(v * 50 + 200); });
  case ElementType::Int32:
    return store(static_cast<int32_t *>(data), [](double v) { return static_cast<int32_t>(v * 500); });
  case ElementType::UInt32:
    return store(static_cast<uint32_t *>(data), [](double v) { return static_cast<uint32_t>(v * 500 + 2000); });
  case ElementType::Int64:
    return store(static_cast<int64_t *>(data), [](double v) { return static_cast<int64_t>(v * 500); });
  case ElementType::UInt64:
    return store(static_cast<uint64_t *>(data), [](double v) { return static_cast<uint64_t>(v * 500 + 2000); });
  case ElementType::Bool:
    return store(static_cast<uint8_t *>(data), [](double v) { return static_cast<uint8_t>(v > 0); });
  }
}

static std::string textOf(const AttributeValue &value) {
  if (const auto *real = std::get_if<double>(&value)) {
    char digits[40];
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, *real).ptr);
  }
  if (const auto *integer = std::get_if<int64_t>(&value))
    return std::to_string(*integer);
  if (const auto *truth = std::get_if<bool>(&value))
    return *truth ? "true" : "false";
  if (const auto *text = std::get_if<std::string>(&value))
    return *text;
  return {};
}

/// Adds the inputs and expected outputs of one case.
static bool addCase(const BoardKitOperator &op, const std::string &package, const KitCase &one,
                    std::vector<KitFile> &files, Diagnostics &diagnostics) {
  const Contract &contract = op.contract;
  const TemporaryFolder scratch("kit");
  if (!scratch.isThere(diagnostics))
    return false;
  std::vector<std::string> command = {"/proc/self/exe", "run", package + "/" + op.opFolder, "--device=cpu",
                                      "--dtype=" + contract.typeRowName(one.row)};
  std::error_code error;
  command[0] = fs::read_symlink("/proc/self/exe", error).string();
  std::vector<std::string> names;
  uint64_t state = 310;
  for (size_t i = 0; i < contract.inputs.size(); ++i) {
    const ContractTensor &input = contract.inputs[i];
    std::optional<Tensor> tensor = Tensor::create(input.types[one.row], one.shapes[i]);
    std::string path = scratch.path() + "/" + input.name + ".npy";
    std::optional<AtomicFile> file = AtomicFile::create(path, diagnostics);
    if (!tensor || !file)
      return false;
    fill(*tensor, state);
    writeNpy(*file, *tensor);
    if (!file->commitUnflushed(diagnostics))
      return false;
    command.insert(command.end(), {"--input", input.name + "=@" + path});
    names.push_back(input.name);
  }
  for (size_t i = 0; i < contract.attributes.size(); ++i)
    if (contract.attributes[i].binding != Binding::Compile)
      if (std::string text = textOf(one.attributes[i]); !text.empty())
        command.insert(command.end(), {"--attr", contract.attributes[i].name + "=" + text});
  for (const ContractTensor &output : contract.outputs) {
    command.insert(command.end(), {"--output", output.name + "=@" + scratch.path() + "/" + output.name + ".npy"});
    names.push_back(output.name);
  }
  ProcessResult run = runProcess(command, 120);
  if (!run.started || run.exitCode != 0) {
    diagnostics.error(Code::E0702, contract.location,
                      "cannot make the expected outputs of case '" + one.folder +
                          "': " + printable(run.started ? run.err : run.error, 400));
    return false;
  }
  for (const std::string &name : names) {
    std::optional<std::string> bytes = readFile(scratch.path() + "/" + name + ".npy", 64 << 20, diagnostics);
    if (!bytes)
      return false;
    files.push_back({contract.name + "/check/" + one.folder + "/" + name + ".npy", *bytes});
  }
  return true;
}

/// A table of the numbers that a board's runtime returns.
static std::string errorTable() {
  std::string text = "# Numbers of the vendor's runtime\n\n| number | from | means | look at "
                     "|\n|---|---|---|---|\n";
  for (const VendorCode &code : allVendorCodes()) {
    std::string advice(code.explanation);
    std::replace(advice.begin(), advice.end(), '\n', ' ');
    std::string number = std::to_string(code.first);
    if (code.last != code.first)
      number += " to " + std::to_string(code.last);
    text +=
        "| " + number + " | " + std::string(code.source) + " | " + std::string(code.title) + " | " + advice + " |\n";
  }
  return text + R"(
## Before the operator runs

| what is seen | why | what to do |
|---|---|---|
| `make.sh`: ASCEND_HOME_PATH is not set | the toolkit's environment is not there | source its set_env.sh |
| `make.sh`: msopgen made no project/op_host | another version of the toolkit writes another project | look into log/generate.log; copy op_host and op_kernel into a project of your own |
| build: a function of the host API is unknown | the toolkit is older than 7.0 | use a toolkit that has OpDef and gert::TilingContext |
| build: kernel_operator.h is missing | the toolkit has no compiler for the AI Core | install the toolkit (not only the runtime) |
| `check.sh`: cannot find the installed package | it was installed elsewhere | ./check.sh --install-path=DIR as make.sh had it |
| another `opc` answers | the toolkit has a program of this name too | call this one by its path |
)";
}

static std::string readme(const BoardKitOptions &options, const std::vector<BoardKitOperator> &ops) {
  std::string text = "# Board kit of '" + options.vendor +
                     "'\n\nOne folder an operator. Copy it to the board, and there:\n\n"
                     "    source /usr/local/Ascend/ascend-toolkit/set_env.sh\n"
                     "    cd <operator>\n"
                     "    ./make.sh       # project by your msopgen, our files over it, build, install\n"
                     "    ./check.sh      # results against those of the CPU kernel\n"
                     "    ./measure.sh    # times by the vendor's profiler\n\n"
                     "Needed there: the toolkit (with compiler), cmake, g++, python3. errors.md explains the\n"
                     "numbers that the runtime returns. None of this ran on a board when it was written; what\n"
                     "was tried is the order of the steps, against a toolkit of our own making.\n\n";
  for (const BoardKitOperator &op : ops)
    text += "- " + op.contract.name + ": " + op.contract.opType + " " + op.contract.version + "\n";
  return text;
}

std::vector<KitFile> makeBoardKit(const std::vector<BoardKitOperator> &operators, const std::string &package,
                                  const BoardKitOptions &options, Diagnostics &diagnostics) {
  std::vector<KitFile> files = {{"README.md", readme(options, operators)}};
  for (const BoardKitOperator &op : operators) {
    const std::string folder = op.contract.name + "/";
    for (const CompiledFile &file : op.files)
      files.push_back({folder + file.path, file.bytes});
    for (const StaticFile &file : kStatic) {
      std::string name = file.name;
      bool script = name == "make.sh" || name == "check.sh" || name == "measure.sh";
      files.push_back({folder + name, file.text, script});
    }
    files.push_back({folder + "operator.sh", "# What this folder is about. Sourced by the scripts.\n# shellcheck "
                                             "disable=SC2034\nOPC_TYPE=" +
                                                 op.contract.opType + "\nOPC_NAME=" + op.contract.name +
                                                 "\nOPC_VENDOR=" + options.vendor + "\nOPC_SOC=" + options.soc + "\n"});
    files.push_back({folder + "errors.md", errorTable()});
    std::optional<std::string> manifestText =
        readFile(package + "/" + op.opFolder + "/manifest.json", 16 << 20, diagnostics);
    Manifest manifest;
    if (!manifestText || !readManifest(*manifestText, manifest).empty())
      return {};
    std::set<unsigned> rows;
    for (const ManifestKernel &kernel : manifest.kernels)
      rows.insert(kernel.typeRow);
    std::vector<KitCase> cases = kitCases(op.contract, {rows.begin(), rows.end()});
    files.push_back({folder + "check.cpp", checkProgram(op.contract, cases)});
    for (const KitCase &one : cases)
      if (!addCase(op, package, one, files, diagnostics))
        return {};
  }
  return files;
}

} // namespace opc::tool
