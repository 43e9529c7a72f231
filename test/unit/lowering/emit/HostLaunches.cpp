// Generated host code against the runtime: one launch, two answers that share nothing but the contract.
//
//   opc pkg build ─┬─► op_host/<op>.cpp ─► compiler, stand-in headers ─► tiling key, blocks, tiling
//   data
//                  └─► op folder ─► manifest, bytecode ─► bindLaunch ──► the same
//
// Launches are random over everything that the manifest admits, and a little beyond: ranks 0 to 8, every way to
// broadcast, rows of parameters, axes, attributes, types. Both sides take a launch or both refuse it; when they take
// it, the kernel, the number of blocks, every field of the tiling data and the shapes and types of the outputs are
// equal. Tensors of more than 2^59 elements are asked for too and not compared: contracts hold them to eight bytes an
// element whatever their type, the runtime to the bytes that they have.
//
//   host_launches --opc=build/bin/opc [--operators=N] [--launches=N] ops/library/*/op_contract.yaml
//
// --operators takes a sample that OPC_TEST_SEED chooses.

#include "runtime/core/launch/Launch.h"
#include "runtime/core/operator/OpFolder.h"
#include "test/lowering/emit/host/Inputs/host_launch.h"
#include "test/unit/Folders.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <unistd.h>

using namespace opc;
namespace fs = std::filesystem;

namespace {

/// A field of the struct in `<op>_tiling.h`, where natural alignment puts it.
struct Field {
  size_t offset, bytes;
};

/// Codes of the vendor's framework (its documentation lists them).
const std::map<std::string, int> kTypeCodes = {
    {"float32", 0}, {"float16", 1}, {"int8", 2},    {"int32", 3},    {"uint8", 4}, {"int16", 6},    {"uint16", 7},
    {"uint32", 8},  {"int64", 9},   {"uint64", 10}, {"float64", 11}, {"bool", 12}, {"bfloat16", 27}};

int codeOf(ElementType type) {
  return kTypeCodes.at(std::string(elementTypeName(type)));
}

std::map<std::string, Field> readFields(const fs::path &header) {
  std::map<std::string, Field> fields;
  std::ifstream in(header);
  std::string line;
  size_t at = 0;
  for (bool inside = false; std::getline(in, line);) {
    if (line.rfind("struct ", 0) == 0)
      inside = true;
    else if (inside && line == "};")
      break;
    else if (inside) {
      std::istringstream words(line);
      std::string type, name;
      words >> type >> name;
      size_t bytes = type == "uint64_t" ? 8 : 4;
      at = (at + bytes - 1) / bytes * bytes;
      fields[name.substr(0, name.find(';'))] = {at, bytes};
      at += bytes;
    }
  }
  return fields;
}

/// A random launch of an operator, as the host code and as the runtime take it.
class RandomLaunch {
public:
  RandomLaunch(const Manifest &manifest, std::mt19937 &random) : manifest(manifest), random(random) {
    row = pick(manifest.outputs.front().types.size());
    regime = pick(8);
    for (const ManifestTensor &tensor : manifest.inputs)
      addInput(tensor);
    for (const ManifestTensor &tensor : manifest.outputs)
      host.outputTypes.push_back(codeOf(tensor.types[row]));
    for (size_t i = 0; i < manifest.attributes.size(); ++i)
      addAttribute(manifest.attributes[i], i);
    host.cores = uint32_t(pick(3) ? 1 : 1 + pick(8));
  }

  HostLaunch host;
  std::vector<std::optional<Tensor>> tensors;
  std::vector<NamedValue> attributes;
  unsigned row;

  std::string text() const {
    std::ostringstream os;
    os << "row " << row << ", cores " << host.cores;
    for (size_t i = 0; i < host.inputs.size(); ++i)
      os << ", " << manifest.inputs[i].name << (host.given[i] ? " " : " (left out) ") << shapeText(host.inputs[i]);
    for (const auto &[name, value] : attributes)
      os << ", " << name << "=" << value;
    return os.str();
  }

private:
  size_t pick(size_t count) { return random() % count; }

  int64_t size() {
    switch (regime) {
    case 0:
      return int64_t(pick(4));
    case 1:
      return 1;
    case 2:
      return int64_t(1 + pick(1 << (1 + pick(9))));
    case 3:
      return int64_t(1 + pick(1u << (1 + pick(17))));
    case 4:
      return pick(40) == 0 ? int64_t(1) << pick(62) : int64_t(1 + pick(5));
    default:
      return int64_t(1 + pick(6));
    }
  }

  /// The size of a product, often one that the numbers for which the kernels are compiled divide: groups of channels.
  int64_t productSize() {
    int64_t product = size();
    for (const ManifestAttribute &attribute : manifest.attributes) {
      const auto *number = std::get_if<int64_t>(&attribute.defaultValue);
      if (attribute.bind == ManifestAttribute::Compile && number && product <= 1 << 20 && pick(4))
        product *= *number;
    }
    return product;
  }

  const ManifestSymbol *symbolOf(const std::string &name) const {
    auto found = std::find_if(manifest.symbols.begin(), manifest.symbols.end(),
                              [&](const ManifestSymbol &symbol) { return symbol.name == name; });
    return found == manifest.symbols.end() ? nullptr : &*found;
  }

  /// The size of a symbol, mostly that of its equation where this is a number.
  int64_t sizeOf(const std::string &name) {
    const ManifestSymbol *symbol = symbolOf(name);
    if (symbol && symbol->inputs.empty() && symbol->code.size() == 1 && symbol->code.front().op == ScalarOp::Const &&
        pick(40))
      return symbol->code.front().imm;
    return name.find('*') == std::string::npos ? size() : productSize();
  }

  /// Sizes of a name, the same wherever it stands.
  const Shape &sizesOf(const ManifestDim &dim, size_t singles) {
    auto [entry, fresh] = world.try_emplace((dim.kind == ManifestDim::Pack ? "..." : "") + dim.name);
    if (fresh && dim.kind == ManifestDim::Symbol)
      entry->second = {sizeOf(dim.name)};
    if (fresh && dim.kind == ManifestDim::Pack) {
      const ManifestSymbol *symbol = symbolOf(dim.name);
      size_t most = kMaxManifestRank - singles;
      if (symbol && pick(4))
        most = std::min<size_t>(most, symbol->maximumRank);
      size_t rank = pick(most + 1 + (pick(60) == 0));
      for (size_t i = 0; i < rank; ++i)
        entry->second.push_back(size());
    }
    return entry->second;
  }

  void addInput(const ManifestTensor &tensor) {
    size_t singles = 0;
    for (const ManifestDim &dim : tensor.shape)
      singles += dim.kind != ManifestDim::Pack;
    Shape shape;
    for (const ManifestDim &dim : tensor.shape) {
      if (dim.kind == ManifestDim::Fixed) {
        shape.push_back(dim.size);
        continue;
      }
      const Shape &sizes = sizesOf(dim, singles);
      shape.insert(shape.end(), sizes.begin(), sizes.end());
    }
    if (tensor.broadcast == ManifestTensor::Numpy)
      stretch(shape);
    if (tensor.broadcast == ManifestTensor::Scalar && pick(40))
      shape.assign(pick(3), 1);
    // What does not fit: another size, another rank.
    if (pick(40) == 0 && !shape.empty())
      shape[pick(shape.size())] += int64_t(1 + pick(3));
    if (pick(60) == 0)
      shape.push_back(1);
    ElementType type = tensor.types[row];
    if (pick(60) == 0)
      type = pick(2) ? ElementType::Int8 : ElementType::Float64;
    bool given = tensor.required || pick(2);
    host.inputs.push_back(shape);
    host.given.push_back(given);
    host.inputTypes.push_back(codeOf(type));
    tensors.push_back(given ? Tensor::over(type, shape, nullptr) : std::nullopt);
    huge |= given && isHuge(tensors.back());
  }

  /// One of the ways in which an input may be smaller than what it is joined with.
  void stretch(Shape &shape) {
    size_t cut = shape.empty() ? 0 : pick(shape.size() + 1);
    switch (pick(7)) {
    case 0:
      std::fill(shape.begin(), shape.begin() + long(cut), 1); // rows
      break;
    case 1:
      std::fill(shape.begin() + long(cut), shape.end(), 1); // columns
      break;
    case 2:
      shape.erase(shape.begin(), shape.begin() + long(cut)); // missing on the left
      break;
    case 3:
      shape.assign(pick(2) ? shape.size() : pick(2), 1); // one element
      break;
    case 4:
      for (int64_t &each : shape)
        each = pick(3) == 0 ? 1 : each;
      break;
    default:
      break;
    }
  }

  void addAttribute(const ManifestAttribute &attribute, size_t index) {
    // Kernels are compiled for the default of a compile-time attribute; another value is refused.
    bool takesDefault = attribute.bind == ManifestAttribute::Compile ? pick(8) > 0 : pick(4) == 0;
    if (takesDefault && !std::holds_alternative<std::monostate>(attribute.defaultValue))
      return;
    double low = attribute.minimum.value_or(-8), high = attribute.maximum.value_or(8);
    if (pick(20) == 0)
      low -= 1, high += 1;
    char text[64];
    switch (attribute.type) {
    case ManifestAttribute::Float: {
      float value = float(std::uniform_real_distribution<double>(low, high)(random));
      host.floats[index] = value;
      std::snprintf(text, sizeof text, "%.9g", double(value));
      attributes.emplace_back(attribute.name, text);
      break;
    }
    case ManifestAttribute::Int: {
      int64_t value = std::uniform_int_distribution<int64_t>(int64_t(low), int64_t(high))(random);
      host.ints[index] = value;
      attributes.emplace_back(attribute.name, std::to_string(value));
      break;
    }
    case ManifestAttribute::Bool:
      host.bools[index] = pick(2);
      attributes.emplace_back(attribute.name, host.bools[index] ? "true" : "false");
      break;
    case ManifestAttribute::ListInt: {
      size_t rank = host.inputs.empty() ? 0 : host.inputs.front().size();
      std::vector<int64_t> axes;
      for (size_t axis = 0; axis < rank; ++axis)
        if (pick(2))
          axes.push_back(pick(2) ? int64_t(axis) : int64_t(axis) - int64_t(rank));
      std::shuffle(axes.begin(), axes.end(), random);
      if (pick(30) == 0)
        axes.push_back(int64_t(pick(20)) - 10);
      host.intLists[index] = axes;
      std::string list;
      for (int64_t axis : axes)
        list += (list.empty() ? "" : ",") + std::to_string(axis);
      attributes.emplace_back(attribute.name, "[" + list + "]");
      break;
    }
    default:
      break; // takes its default
    }
  }

  const Manifest &manifest;
  std::mt19937 &random;
  std::map<std::string, Shape> world;
  size_t regime = 0;

public:
  bool huge = false; ///< a tensor that no memory holds
  static bool isHuge(const std::optional<Tensor> &tensor) {
    return !tensor || tensor->numElements() > int64_t(1) << 59;
  }
};

class Checker {
public:
  Checker(std::string opc, unsigned seed) : opc(std::move(opc)), seed(seed) {
    folder = fs::temp_directory_path() / ("opc-host-launches-" + std::to_string(getpid()));
    fs::create_directories(folder);
  }
  ~Checker() { fs::remove_all(folder); }

  bool check(const std::string &contract, size_t launches);

private:
  bool run(const std::string &command);
  std::string compare(const RandomLaunch &launch, const Manifest &manifest, const std::map<std::string, Field> &fields,
                      const std::optional<BoundLaunch> &bound) const;

  std::string opc;
  unsigned seed;
  fs::path folder;
};

} // namespace

bool Checker::run(const std::string &command) {
  if (std::system(command.c_str()) == 0)
    return true;
  std::cerr << "host_launches: failed: " << command << "\n";
  return false;
}

std::string Checker::compare(const RandomLaunch &launch, const Manifest &manifest,
                             const std::map<std::string, Field> &fields,
                             const std::optional<BoundLaunch> &bound) const {
  const HostLaunch &host = launch.host;
  auto differ = [](const std::string &what, auto ofHost, auto ofRuntime) {
    return what + ": host " + std::to_string(ofHost) + ", runtime " + std::to_string(ofRuntime);
  };
  // Output types that no row has beside these inputs: the host refuses them; the runtime, which takes them only to
  // choose among rows, makes outputs of the types that the inputs determine.
  bool isDescribed = bound.has_value();
  for (size_t i = 0; bound && i < bound->outputs.size(); ++i)
    isDescribed &= host.outputTypes[i] == codeOf(bound->outputs[i].type());
  if (host.taken != isDescribed)
    return host.taken ? "taken by the host, refused by the runtime" : "refused by the host, taken by the runtime";
  if (!isDescribed)
    return {};
  if (!host.inferred || !host.typed)
    return "inference refuses a launch that is taken";
  for (size_t i = 0; i < bound->outputs.size(); ++i) {
    if (host.outputs[i] != bound->outputs[i].shape())
      return "output shape: host " + shapeText(host.outputs[i]) + ", runtime " + shapeText(bound->outputs[i].shape());
    if (host.types[i] != codeOf(bound->outputs[i].type()))
      return differ("output type", host.types[i], codeOf(bound->outputs[i].type()));
  }
  if (host.key != bound->kernel->tilingKey)
    return differ("key", host.key, bound->kernel->tilingKey);
  if (int64_t(host.blocks) != bound->blockNum)
    return differ("blocks", host.blocks, bound->blockNum);
  size_t position = 0, size = 0;
  auto field = [&](const std::string &name) -> std::string {
    int64_t expected = bound->tiling[position++];
    // A name that is a macro of the device's headers has an underscore after it there.
    auto found = fields.find(name);
    if (found == fields.end())
      found = fields.find(name + "_");
    if (found == fields.end())
      return "no field '" + name + "' in the struct";
    uint64_t value = 0;
    if (found->second.offset + found->second.bytes > host.tiling.size())
      return "field '" + name + "' lies outside of the tiling data";
    std::memcpy(&value, host.tiling.data() + found->second.offset, found->second.bytes);
    uint64_t mask = found->second.bytes == 8 ? UINT64_MAX : UINT32_MAX;
    return value == (uint64_t(expected) & mask) ? std::string() : differ(name, value, expected);
  };
  for (const TilingFunction::Output &output : bound->kernel->tiling.outputs)
    if (std::string wrong = field(output.field.name); !wrong.empty())
      return wrong;
  for (const std::string &name : bound->kernel->launchAttributes)
    if (std::string wrong = field(name); !wrong.empty())
      return wrong;
  for (const auto &[name, place] : fields)
    size = std::max(size, place.offset + place.bytes);
  if (host.tiling.size() != (size + 7) / 8 * 8)
    return differ("bytes of tiling data", host.tiling.size(), (size + 7) / 8 * 8);
  (void)manifest;
  return {};
}

bool Checker::check(const std::string &contract, size_t launches) {
  std::string name = fs::path(contract).parent_path().filename().string();
  fs::path out = folder / name;
  if (!run(opc + " pkg build " + contract + " --prefix=Host --vendor=mine --version=1.0.0 -o " + out.string() + " 2>" +
           (folder / "said.txt").string()))
    return run("cat " + (folder / "said.txt").string()) && false;
  // Kernels have a name of their own where the operator's is one of C.
  fs::path package = fs::directory_iterator(out / "vendors/mine/op_pkg")->path();
  std::string renamed = package.filename().string();
  package = fs::directory_iterator(package)->path();
  fs::path source = package / "op_proto/op_host", library = folder / (name + ".so");
  const std::string inputs = test::sourceFolder() + "/test/lowering/emit/host/Inputs";
  if (!run(std::string(OPC_CXX) +
           " -std=c++17 -O0 -shared -fPIC -Wall -Wextra -Werror -Wno-unused-function "
           "-Wno-unused-const-variable -DHOST_SOURCE='\"" +
           renamed + ".cpp\"' -I " + source.string() + " -I " + inputs + " -I " + inputs + "/vendor " + inputs +
           "/host_shim.cpp -o " + library.string() + " 2>&1"))
    return false;
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  auto call = handle ? reinterpret_cast<RunHostLaunch>(dlsym(handle, "run_host_launch")) : nullptr;
  Diagnostics diagnostics;
  std::optional<OpFolder> op = openOpFolder((package / "op_impl").string(), diagnostics);
  if (!call || !op) {
    std::cerr << "host_launches: " << name << ": cannot load the host code or the op folder\n";
    return false;
  }
  std::map<std::string, Field> fields = readFields(source / (renamed + "_tiling.h"));

  std::mt19937 random(seed);
  size_t taken = 0, keys = 0;
  std::vector<uint64_t> seen;
  for (size_t i = 0; i < launches; ++i) {
    RandomLaunch launch(op->manifest, random);
    std::vector<const Tensor *> given;
    for (const std::optional<Tensor> &tensor : launch.tensors)
      given.push_back(tensor ? &*tensor : nullptr);
    Diagnostics refusals;
    std::vector<std::optional<ElementType>> outputTypes;
    for (const ManifestTensor &tensor : op->manifest.outputs)
      outputTypes.push_back(tensor.types[launch.row]);
    std::optional<BoundLaunch> bound = bindLaunch(
        op->manifest, given, launch.attributes, {int64_t(launch.host.cores), nullptr, std::nullopt, outputTypes},
        refusals, [](ElementType type, const Shape &shape) { return Tensor::over(type, shape, nullptr); });
    call(launch.host);
    if (bound)
      for (const Tensor &output : bound->outputs)
        launch.huge |= output.numElements() > int64_t(1) << 59;
    if (launch.huge)
      continue;
    std::string wrong = compare(launch, op->manifest, fields, bound);
    if (!wrong.empty()) {
      std::string why = refusals.all().empty() ? "" : "\n  runtime: " + refusals.all()[0].message;
      std::cerr << "host_launches: " << name << ", seed " << seed << ", launch " << i << ": " << wrong << "\n  "
                << launch.text() << why << "\n";
      return false;
    }
    taken += launch.host.taken;
    if (launch.host.taken && std::find(seen.begin(), seen.end(), launch.host.key) == seen.end())
      seen.push_back(launch.host.key);
  }
  keys = op->manifest.kernels.size();
  std::cout << name << ": " << launches << " launches, " << taken << " taken, " << seen.size() << " of " << keys
            << " kernels\n";
  // The library stays loaded: its statics are used until the end.
  if (taken * 4 < launches || seen.size() * 2 < keys) {
    std::cerr << "host_launches: " << name << ": too few launches reach a kernel to say anything\n";
    return false;
  }
  return true;
}

int main(int argc, char **argv) {
  CLI::App app("generated host code against the runtime");
  std::vector<std::string> contracts;
  std::string opc;
  size_t operators = SIZE_MAX, launches = 3000;
  app.add_option("contracts", contracts)->required();
  app.add_option("--opc", opc)->required();
  app.add_option("--operators", operators);
  app.add_option("--launches", launches);
  CLI11_PARSE(app, argc, argv);
  // What the host code says of refused launches is not what this is about.
  if (!std::freopen("/dev/null", "w", stderr))
    return 6;
  std::cerr.rdbuf(std::cout.rdbuf());
  const char *chosen = std::getenv("OPC_TEST_SEED");
  unsigned seed = chosen ? unsigned(std::strtoul(chosen, nullptr, 10)) : 1;
  std::mt19937 random(seed);
  std::sort(contracts.begin(), contracts.end());
  std::shuffle(contracts.begin(), contracts.end(), random);
  contracts.resize(std::min(contracts.size(), operators));
  Checker checker(opc, seed);
  bool good = true;
  for (const std::string &contract : contracts)
    good &= checker.check(contract, launches);
  return good ? 0 : 1;
}
