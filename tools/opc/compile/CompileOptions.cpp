#include "tools/opc/compile/CompileOptions.h"

#include "ops/contract/Shapes.h"
#include "tools/opc/Command.h"
#include "tools/opc/libraries/Libraries.h"
#include "tools/opc/text/Words.h"

#include <algorithm>
#include <charconv>

namespace opc::tool {

static std::string didYouMean(const std::string &name, const std::vector<std::string> &known) {
  std::string nearest = nearestName(name, known);
  return nearest.empty() ? std::string() : "did you mean '" + nearest + "'?";
}

static std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  for (size_t start = 0; start <= text.size();) {
    size_t end = std::min(text.find(separator, start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

Option addChip(Arguments &arguments, std::string &value, const std::string &standard) {
  std::string help = "chip or family to compile for: Ascend310B1, Ascend310B4, Ascend310B";
  return arguments.option("--soc_version", value, standard.empty() ? help : help + " (" + standard + ")")
      .typeName("CHIP");
}

Option addTypeRows(Arguments &arguments, std::string &value) {
  return arguments.option("--dtype", value, "rows of the type table, separated by ',' (default all)").typeName("ROWS");
}

Option addBody(Arguments &arguments, std::string &value, const std::string &help) {
  return arguments.option("--body", value, help).typeName("te|aicore");
}

const Target *chooseTarget(const std::string &socVersion, Diagnostics &diagnostics) {
  if (const Target *target = findTarget(socVersion))
    return target;
  std::vector<std::string> names = targetNames();
  diagnostics.error(Code::E0106, {},
                    "--soc_version expects one of " + joined(names) + ": found '" + printable(socVersion) + "'", {},
                    didYouMean(socVersion, names));
  return nullptr;
}

const ContractBody *chooseBody(const Contract &contract, const std::string &level, Diagnostics &diagnostics) {
  if (level.empty())
    return &contract.bodies.front();
  std::vector<std::string> names;
  for (const ContractBody &body : contract.bodies) {
    names.emplace_back(bodyLevelName(body.level));
    if (names.back() == level)
      return &body;
  }
  diagnostics.error(Code::E0104, {},
                    "--body expects a level that the contract has a body for (" + joined(names) + "): found '" +
                        printable(level) + "'",
                    {}, didYouMean(level, names));
  return nullptr;
}

std::vector<unsigned> chooseTypeRows(const Contract &contract, const std::string &names, Diagnostics &diagnostics) {
  std::vector<unsigned> rows;
  if (names.empty())
    return rows;
  std::vector<std::string> known = contract.typeRowNames();
  std::vector<std::string> asked = split(names, ',');
  std::sort(asked.begin(), asked.end());
  asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
  for (const std::string &name : asked) {
    auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) {
      diagnostics.error(Code::E0104, {},
                        "--dtype expects rows of the contract's type table (" + joined(known) + "): found '" +
                            printable(name) + "'",
                        {}, didYouMean(name, known));
      continue;
    }
    unsigned row = unsigned(found - known.begin());
    rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

static constexpr std::string_view kNoLevels = "none";

Option addCpuLevels(Arguments &arguments, std::string &value, const std::string &remark) {
  return arguments
      .option("--cpu-levels", value,
              "CPU levels to compile kernels for, of one architecture, separated by ',': v3, v3-vnni, v4, v4-vnni, "
              "aarch64 (" +
                  remark + ")")
      .typeName("LEVELS");
}

std::vector<std::string> chooseCpuLevels(const std::string &names, Diagnostics &diagnostics) {
  std::vector<std::string> chosen;
  if (names.empty())
    return chosen;
  std::vector<CpuLevelName> levels = compiler().cpuLevelNames();
  std::vector<std::string> known;
  for (const CpuLevelName &level : levels)
    known.insert(known.end(), {level.shortName, level.name});
  known.erase(std::unique(known.begin(), known.end()), known.end());
  std::vector<std::string> asked = split(names, ',');
  for (const std::string &name : asked)
    if (std::find(known.begin(), known.end(), name) == known.end())
      diagnostics.error(Code::E0104, {},
                        "--cpu-levels expects levels of CPU (" + joined(known) + "): found '" + printable(name) + "'",
                        {},
                        name != kNoLevels   ? didYouMean(name, known)
                        : asked.size() == 1 ? "--device=sim, which needs no kernels for the CPU"
                                            : "'none' without levels, or levels alone");
  std::string architecture;
  for (const CpuLevelName &level : levels) {
    auto names = [&](const std::string &name) { return name == level.name || name == level.shortName; };
    if (std::none_of(asked.begin(), asked.end(), names))
      continue;
    if (!chosen.empty() && level.architecture != architecture) {
      diagnostics.error(Code::E0104, {},
                        "--cpu-levels expects levels of one architecture, as a library is one file: "
                        "found '" +
                            chosen.back() + "' and '" + level.name + "'",
                        {}, "compile into two folders, one for each architecture");
      break;
    }
    architecture = level.architecture;
    chosen.push_back(level.name);
  }
  return chosen;
}

bool asksForCpuKernels(const std::string &names) {
  return names != kNoLevels;
}

std::string fewerLevelsNote(const std::string &names) {
  const std::string levels = names.empty() ? compiler().fewerCpuLevels() : "";
  return levels.empty() ? "" : "; OPC_TEST_CPU_LEVELS leaves " + levels + " of the CPU levels";
}

std::optional<int64_t> parseSize(std::string_view text) {
  int64_t size = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  const bool isSize = !text.empty() && error == std::errc() && end == text.data() + text.size() && size >= 0;
  return isSize ? std::optional(size) : std::nullopt;
}

/// Splits "2,3"; "" is rank 0.
static std::optional<std::vector<std::string>> splitShape(const std::string &text,
                                                          const std::function<bool(const std::string &)> &isDimension) {
  std::vector<std::string> shape;
  if (!text.empty())
    shape = split(text, ',');
  return std::all_of(shape.begin(), shape.end(), isDimension) ? std::optional(std::move(shape)) : std::nullopt;
}

std::optional<std::map<std::string, std::vector<std::string>>>
splitInputShapes(const std::string &opType, const std::vector<NamedInput> &inputs, const std::string &text,
                 const std::function<bool(const std::string &)> &isDimension, const std::string &form,
                 Diagnostics &diagnostics, const std::string &option) {
  std::vector<std::string> names;
  for (const NamedInput &input : inputs)
    names.push_back(input.name);
  size_t before = diagnostics.errorCount();
  std::map<std::string, std::vector<std::string>> shapes;
  std::vector<std::string> missing;
  for (const std::string &part : split(text, ';')) {
    size_t colon = part.rfind(':');
    std::string name = part.substr(0, colon);
    std::optional<std::vector<std::string>> shape;
    if (colon != std::string::npos)
      shape = splitShape(part.substr(colon + 1), isDimension);
    if (!shape)
      diagnostics.error(Code::E0104, {},
                        option + " expects " + form + " with ';' between inputs: found '" + printable(part) + "'");
    else if (std::find(names.begin(), names.end(), name) == names.end())
      diagnostics.error(Code::E0104, {},
                        "'" + opType + "' has no input '" + printable(name) + "'; it has " + joined(names), {},
                        didYouMean(name, names));
    else if (!shapes.emplace(name, *shape).second)
      diagnostics.error(Code::E0109, {}, option + " names '" + name + "' twice");
  }
  // After errors do not report missing inputs: a malformed shape may be that of such an input.
  for (const NamedInput &input : inputs)
    if (diagnostics.errorCount() == before && input.required && !shapes.count(input.name))
      missing.push_back(input.name);
  for (const std::string &name : missing)
    diagnostics.error(Code::E0103, {}, option + " lacks the input '" + name + "'");
  return diagnostics.errorCount() == before ? std::optional(std::move(shapes)) : std::nullopt;
}

std::optional<std::map<std::string, std::vector<int64_t>>>
parseInputShapes(const std::string &opType, const std::vector<NamedInput> &inputs, const std::string &text,
                 Diagnostics &diagnostics, const std::string &option) {
  auto isSize = [](const std::string &dimension) { return parseSize(dimension).has_value(); };
  auto written = splitInputShapes(opType, inputs, text, isSize, "NAME:SIZE,SIZE", diagnostics, option);
  if (!written)
    return std::nullopt;
  std::map<std::string, std::vector<int64_t>> shapes;
  for (const auto &[name, dimensions] : *written) {
    std::vector<int64_t> &shape = shapes[name];
    for (const std::string &dimension : dimensions)
      shape.push_back(parseSize(dimension).value_or(0));
  }
  return shapes;
}

void addOpMode(Arguments &arguments, std::string &opMode, std::string &inputShape, const std::string &help) {
  arguments.option("--op_mode", opMode, help).typeName("static|dynamic").check(oneOf({"static", "dynamic"}));
  addInputShape(arguments, inputShape,
                "shapes of the inputs: \"x1:2,3;x2:2,3\"; of a model a size that each run chooses is FROM~TO or "
                "FROM~TO/STEP, and a name before it ties sizes: \"a:n=1~8,3;b:n\"");
}

void checkOpMode(const std::string &opMode, const std::string &inputShape, Diagnostics &diagnostics) {
  if (opMode == "static" && inputShape.empty())
    diagnostics.error(Code::E0103, {}, "--op_mode=static expects --input_shape", {},
                      "--input_shape=\"x1:16,32;x2:16,32\"");
  // Refuse, since the folder would accept every shape although one was requested.
  if (opMode != "static" && !inputShape.empty())
    diagnostics.error(Code::E0103, {},
                      "--input_shape expects --op_mode=static: in the mode " + printable(opMode) +
                          " an operator takes every shape of its contract",
                      {}, "--op_mode=static, or leave out --input_shape");
}

std::optional<std::map<std::string, std::vector<int64_t>>> chooseInputShapes(const Contract &contract,
                                                                             const std::string &text,
                                                                             Diagnostics &diagnostics,
                                                                             const std::string &option) {
  std::vector<NamedInput> named;
  for (const ContractTensor &tensor : contract.inputs)
    named.push_back({tensor.name, tensor.required});
  auto shapes = parseInputShapes(contract.opType, named, text, diagnostics, option);
  if (!shapes)
    return std::nullopt;
  std::string why;
  if (!completeShapes(contract, *shapes, why)) {
    diagnostics.error(Code::E0112, {}, option + " expects shapes that the contract allows: " + why);
    return std::nullopt;
  }
  return shapes;
}

} // namespace opc::tool
