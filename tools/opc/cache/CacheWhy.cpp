// The operator is given by its contract, an op folder, or its name. A contract determines complete keys. A folder or
// a name determines only the rows of the type table and the chip; the other fields of the key (source, schedule,
// attributes) are taken from the newest entry of that operator.

#include "tools/opc/cache/CacheWhy.h"

#include "ops/contract/read/Reader.h"
#include "runtime/core/cache/KernelCache.h"
#include "runtime/core/launch/LaunchRows.h"
#include "runtime/core/launch/PreparedLaunch.h"
#include "runtime/device/null/NullDevice.h"
#include "runtime/program/format/JsonText.h"
#include "tools/opc/Assignment.h"
#include "tools/opc/CacheFlags.h"
#include "tools/opc/compile/CompileOptions.h"
#include "tools/opc/libraries/Libraries.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>

namespace fs = std::filesystem;

namespace opc::tool {

using Json = nlohmann::ordered_json;
using Shapes = std::map<std::string, std::vector<int64_t>>;

/// The argument with the shapes is positional.
static constexpr const char *kShapes = "SHAPES";

namespace {
struct WhyOptions {
  CacheFlags cache;
  std::string op, shapes, rows, target, body;
  std::vector<std::string> attributes;
};

/// The query: rows of an operator, and the key of each.
struct Question {
  std::string opType;
  std::optional<Manifest> outline; ///< nullopt: the cache has no entry of the operator
  std::vector<std::pair<unsigned, KernelKey>> rows;
  Shapes shapes;
  std::vector<NamedValue> attributes;
};
} // namespace

/// The rows of --dtype; all rows without it.
static std::vector<unsigned> rowsOf(const Manifest &outline, const std::string &names, Diagnostics &diagnostics) {
  std::vector<unsigned> rows;
  for (size_t start = 0; !names.empty() && start <= names.size();) {
    size_t end = std::min(names.find(',', start), names.size());
    if (auto row = findTypeRow(outline, names.substr(start, end - start), diagnostics))
      rows.push_back(*row);
    start = end + 1;
  }
  if (names.empty() && !outline.outputs.empty())
    for (unsigned row = 0; row < outline.outputs.front().types.size(); ++row)
      rows.push_back(row);
  return rows;
}

static bool askContract(const std::string &path, const WhyOptions &options, Question &question,
                        Diagnostics &diagnostics) {
  std::shared_ptr<KernelCompiler> kernels = compiler().createCacheCompiler();
  std::optional<Contract> contract = loadContract(path, diagnostics);
  if (contract)
    question.outline = kernels->outline(path, diagnostics);
  std::string chip = options.target.empty() ? "Ascend310B" : options.target;
  if (!question.outline || !chooseTarget(chip, diagnostics))
    return false;
  question.opType = contract->opType;
  if (!bindCompileAttributes(*contract, question.attributes, diagnostics))
    return false;
  auto shapes = chooseInputShapes(*contract, options.shapes, diagnostics, kShapes);
  std::vector<unsigned> rows = rowsOf(*question.outline, options.rows, diagnostics);
  if (diagnostics.hasErrors())
    return false;
  question.shapes = std::move(*shapes);
  for (unsigned row : rows) {
    KernelRequest request = requestFor(*contract, row, chip, options.body, question.attributes);
    addOutputTypes(request, *contract, row);
    std::optional<KernelKey> key = kernels->describe(request, diagnostics);
    if (!key)
      return false;
    question.rows.emplace_back(row, std::move(*key));
  }
  return true;
}

/// `folder` is an op folder, or empty for an operator that is given by its name.
static bool askEntries(const std::string &folder, const WhyOptions &options, const DiskCache &disk,
                       const std::vector<DiskEntry> &entries, Question &question, Diagnostics &diagnostics) {
  if (!options.attributes.empty() || !options.body.empty()) {
    diagnostics.error(Code::E0104, {},
                      "--attr and --body expect the operator's contract, found '" + printablePath(options.op) + "'", {},
                      "opc cache why op_contract.yaml");
    return false;
  }
  if (!folder.empty()) {
    std::optional<OpFolder> opened = openOpFolder(folder, diagnostics);
    if (!opened)
      return false;
    question.outline = std::move(opened->manifest);
    question.opType = question.outline->opType;
  }
  std::vector<std::string> known;
  auto newest = entries.end();
  for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
    known.push_back(entry->key.opType);
    if (newest == entries.end() && entry->problem.empty() && entry->key.opType == question.opType)
      newest = entry;
  }
  if (newest == entries.end()) {
    if (std::string near = nearestName(question.opType, known); folder.empty() && !near.empty()) {
      diagnostics.error(Code::E0104, {},
                        "expects a contract, an op folder or an operator of the cache, found '" +
                            printable(question.opType) + "'",
                        {}, "did you mean '" + near + "'?");
      return false;
    }
    return true;
  }
  if (!question.outline)
    if (std::optional<OpFolder> opened = openOpFolder(disk.folder() + "/entries/" + newest->hash, diagnostics))
      question.outline = std::move(opened->manifest);
  if (!question.outline)
    return false;
  const Target *target = options.target.empty() ? nullptr : chooseTarget(options.target, diagnostics);
  std::vector<NamedInput> inputs;
  for (const ManifestTensor &input : question.outline->inputs)
    inputs.push_back({input.name, input.required});
  auto shapes = parseInputShapes(question.opType, inputs, options.shapes, diagnostics, kShapes);
  std::vector<unsigned> rows = rowsOf(*question.outline, options.rows, diagnostics);
  if (diagnostics.hasErrors())
    return false;
  question.shapes = std::move(*shapes);
  for (unsigned row : rows) {
    KernelKey key = newest->key;
    key.compiler = compiler().build();
    key.target = target ? std::string(target->name()) : !folder.empty() ? question.outline->target : key.target;
    key.types.clear();
    for (const auto *tensors : {&question.outline->inputs, &question.outline->outputs})
      for (const ManifestTensor &tensor : *tensors)
        key.types.emplace_back(elementTypeName(tensor.types[row]));
    question.rows.emplace_back(row, std::move(key));
  }
  return true;
}

/// The launch of the entry's kernel for the shapes; null after reporting errors.
static std::shared_ptr<PreparedLaunch> serve(const Question &question, unsigned row, const std::string &entry,
                                             Diagnostics &diagnostics) {
  std::optional<OpFolder> folder = openOpFolder(entry, diagnostics);
  if (!folder)
    return nullptr;
  std::vector<std::optional<TensorForm>> forms;
  for (const ManifestTensor &input : question.outline->inputs) {
    auto shape = question.shapes.find(input.name);
    forms.push_back(shape == question.shapes.end() ? std::nullopt
                                                   : std::optional(TensorForm{input.types[row], shape->second}));
  }
  std::vector<std::optional<ElementType>> outputTypes;
  for (const ManifestTensor &output : question.outline->outputs)
    outputTypes.emplace_back(output.types[row]);
  return PreparedLaunch::create(Operator::create(std::move(*folder), createNullDevice()), forms, question.attributes,
                                diagnostics, std::move(outputTypes), &*question.outline);
}

/// Prints the nearest entry and its differences, and adds them to the record.
static void tellMiss(const std::string &who, const KernelKey &key, const std::vector<DiskEntry> &entries, bool text,
                     Json &record) {
  std::optional<NearestEntry> nearest = findNearest(key, entries);
  record["hit"] = false;
  if (text)
    std::printf("%s: miss, %s\n", who.c_str(),
                nearest ? ("the nearest entry is " + nearest->entry.hash.substr(0, 12)).c_str()
                        : "no entry of this operator");
  Json differences = Json::array();
  for (const auto &difference : nearest ? nearest->differences : std::vector<NearestEntry::Difference>()) {
    differences.push_back({{"field", difference.field}, {"wanted", difference.wanted}, {"found", difference.found}});
    if (text)
      std::printf("  %s: wanted %s, the entry has %s\n", difference.field.c_str(), difference.wanted.c_str(),
                  difference.found.c_str());
  }
  if (nearest)
    record["nearest"] = nearest->entry.hash;
  record["differs"] = std::move(differences);
}

static ExitCode answer(const Question &question, const DiskCache &disk, const std::vector<DiskEntry> &entries,
                       Context &context) {
  Diagnostics diagnostics;
  auto put = [&](const Json &record) {
    if (context.json())
      std::cout << writeJson(record) << '\n';
  };
  if (question.rows.empty()) {
    Json record = {{"schema_version", 1}, {"kernel", question.opType}};
    KernelKey key;
    key.opType = question.opType;
    tellMiss(printable(question.opType), key, entries, !context.json(), record);
    put(record);
  }
  for (const auto &[row, key] : question.rows) {
    std::string who = question.outline->name + "_" + typeRowName(*question.outline, row);
    std::string hash = key.hash();
    auto found = std::find_if(entries.begin(), entries.end(),
                              [&](const DiskEntry &entry) { return entry.hash == hash && entry.problem.empty(); });
    Json record = {{"schema_version", 1}, {"kernel", who}, {"key", hash}};
    if (found == entries.end()) {
      tellMiss(who, key, entries, !context.json(), record);
    } else {
      auto launch = serve(question, row, disk.folder() + "/entries/" + hash, diagnostics);
      if (!launch)
        return context.finish(diagnostics);
      record["hit"] = true;
      record["serves"] = launch->kernel().name;
      record["tiling_key"] = launch->kernel().tilingKey;
      if (!context.json())
        std::printf("%s: hit, entry %.12s; kernel '%s' serves these shapes\n", who.c_str(), hash.c_str(),
                    launch->kernel().name.c_str());
    }
    put(record);
  }
  return context.finish(diagnostics);
}

static ExitCode why(const WhyOptions &options, Context &context) {
  Diagnostics diagnostics;
  std::optional<CacheSettings> settings = settingsOf(options.cache, diagnostics);
  if (!settings)
    return context.finish(diagnostics);
  DiskCache disk(settings->path);
  std::vector<DiskEntry> entries = disk.list();
  Question question;
  question.attributes = parseAttributes(options.attributes, diagnostics);
  std::error_code error;
  bool folder = fs::is_directory(options.op, error);
  bool opFolder = folder && fs::exists(options.op + "/manifest.json", error);
  bool asked = false;
  if (diagnostics.hasErrors()) {
    // Reported below.
  } else if (opFolder) {
    asked = askEntries(options.op, options, disk, entries, question, diagnostics);
  } else if (folder || fs::exists(options.op, error) || options.op.find_first_of("/.") != std::string::npos) {
    asked = askContract(folder ? options.op + "/op_contract.yaml" : options.op, options, question, diagnostics);
  } else {
    question.opType = options.op;
    asked = askEntries({}, options, disk, entries, question, diagnostics);
  }
  if (!asked)
    return context.finish(diagnostics);
  return answer(question, disk, entries, context);
}

void declareWhy(Declaration &declaration) {
  auto options = std::make_shared<WhyOptions>();
  Arguments arguments = declaration.sub(
      "why", "check whether the cache has kernels for these shapes, and if not, show how the nearest entry differs",
      "  opc cache why op_contract.yaml 'x1:2,3;x2:2,3' --dtype=float16\n"
      "  opc cache why AddRelu 'x1:2,3;x2:2,3'\n");
  arguments
      .option("operator", options->op,
              "op_contract.yaml or its folder, or an op folder, or the name of an operator in the cache")
      .required()
      .typeName("FILE|DIR|NAME");
  arguments.option("shapes", options->shapes, "shapes of the inputs: NAME:SIZE,SIZE;...").required().typeName("SHAPES");
  addTypeRows(arguments, options->rows);
  addAttributes(arguments, options->attributes);
  addChip(arguments, options->target, "default Ascend310B, or the chip of the folder or entry");
  addBody(arguments, options->body, "level of the body (default the first)");
  addCacheFlags(arguments, options->cache);
  declaration.on(arguments, [options](Context &context) { return why(*options, context); });
}

} // namespace opc::tool
