// `opc pack`: packs a weight of a .npy file into the layout that the AI Core reads.

#include "runtime/core/tensor/Tensor.h"
#include "runtime/program/format/JsonText.h"
#include "tools/opc/Assignment.h"
#include "tools/opc/Command.h"
#include "tools/opc/OperatorSource.h"
#include "tools/opc/compile/OutputFolder.h"
#include "tools/opc/pack/PackFile.h"
#include "tools/opc/process/DeferredSignals.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>

namespace opc::tool {

using Clock = std::chrono::steady_clock;

struct PackOptions {
  std::string op, output;
  std::vector<std::string> inputs;
  CacheFlags cache;
};

static constexpr double kMegabyte = 1 << 20;

namespace {
/// An input, its element types in the rows where it is in fractals, and the form that it has there.
struct PackedTypes {
  const ManifestTensor *input = nullptr;
  std::vector<ElementType> types;
  PackedForm form = PackedForm::None;
};
} // namespace

static PackedTypes packedTypes(const ManifestTensor &input) {
  PackedTypes packed;
  packed.input = &input;
  for (size_t row = 0; row < input.types.size(); ++row) {
    if (!input.isPacked(row))
      continue;
    packed.form = input.packedForm(row);
    if (std::find(packed.types.begin(), packed.types.end(), input.types[row]) == packed.types.end())
      packed.types.push_back(input.types[row]);
  }
  return packed;
}

/// What the input to pack may be; without types after an error.
static PackedTypes typesOf(const Manifest &manifest, const std::string &name, Diagnostics &diagnostics) {
  std::string packed;
  for (const ManifestTensor &input : manifest.inputs) {
    PackedTypes packedAs = packedTypes(input);
    if (input.name == name && !packedAs.types.empty())
      return packedAs;
    if (!packedAs.types.empty())
      packed += (packed.empty() ? "" : ", ") + printable(input.name);
  }
  diagnostics.error(Code::E0513, {},
                    "'" + printable(manifest.opType) + "' reads '" + printable(name) + "' row by row, and not packed",
                    "",
                    packed.empty() ? "a type row of its contract with 'formats' FRACTAL_NZ or FILTERS_NZ there: "
                                     "docs/reference/contract.md, under 'Packed weights'"
                                   : "it reads packed: " + packed);
  return {};
}

/// Prints the progress, every two seconds.
static PackProgress tellProgress(Context &context) {
  auto last = std::make_shared<Clock::time_point>(Clock::now());
  return [&context, last](int64_t written, int64_t total) {
    if (Clock::now() - *last >= std::chrono::seconds(2)) {
      *last = Clock::now();
      char text[80];
      std::snprintf(text, sizeof text, "packed %.0f of %.0f MiB", double(written) / kMegabyte,
                    double(total) / kMegabyte);
      context.info(text);
    }
    return !DeferredSignals::arrived();
  };
}

static void summarise(const PackOptions &options, const PackedWeight &weight, double seconds, Context &context) {
  const int64_t bytes = *packedBytes(weight.type, weight.shape, weight.form);
  char size[80];
  std::snprintf(size, sizeof size, "%.1f MiB in %.2f s", double(bytes) / kMegabyte, seconds);
  context.info("packed '" + printable(weight.input) + "' of '" + printable(weight.opType) + "', " +
               std::string(elementTypeName(weight.type)) + " " + shapeText(weight.shape) + ": " + size);
  if (!context.json())
    return;
  nlohmann::ordered_json record = {{"schema_version", 1},           {"operator", weight.opType},
                                   {"input", weight.input},         {"type", elementTypeName(weight.type)},
                                   {"shape", weight.shape},         {"format", formatOf(weight.form)},
                                   {"bytes", kPackedStart + bytes}, {"seconds", seconds},
                                   {"output", options.output}};
  std::cout << writeJson(record) << '\n';
}

static ExitCode pack(const PackOptions &options, Context &context) {
  Diagnostics diagnostics;
  std::optional<OperatorSource> source = OperatorSource::open(options.op, options.cache, diagnostics);
  if (!source)
    return context.finish(diagnostics);
  const Manifest &manifest = source->manifest();
  std::vector<std::string> names;
  for (const ManifestTensor &input : manifest.inputs)
    names.push_back(input.name);
  std::vector<TensorFile> files = parseTensorFiles(options.inputs, "input", manifest.opType, names, diagnostics);
  if (diagnostics.hasErrors())
    return context.finish(diagnostics);
  if (files.size() != 1)
    return context.fail(Code::E0104, "expects one --input, found " + std::to_string(files.size()));
  if (isSameFile(options.output, files.front().path))
    return context.fail(Code::E0529, "expects a file of its own for the packed weight, found that of the input");
  // As in `opc run`: the output must not overwrite the operator.
  for (const std::string &owned : source->files())
    if (isSameFile(options.output, owned))
      return context.fail(Code::E0529, "expects an output apart from the operator's files: '" +
                                           printablePath(options.output) + "' is '" + printablePath(owned) + "'");
  const PackedTypes packed = typesOf(manifest, files.front().name, diagnostics);
  std::optional<AtomicFile> file =
      packed.types.empty() ? std::nullopt : AtomicFile::create(options.output, diagnostics);
  if (!file)
    return context.finish(diagnostics);
  PackedWeight weight;
  weight.opType = manifest.opType;
  weight.input = files.front().name;
  weight.form = packed.form;
  DeferredSignals deferred; // the output is complete or absent
  // As a copy, it does not wait for the disk: what a power failure tears is refused by its checksum.
  const auto start = Clock::now();
  if (packFile(files.front().path, files.front().bfloat16, *packed.input, packed.types, weight, *file,
               tellProgress(context), diagnostics) &&
      file->commitUnflushed(diagnostics))
    summarise(options, weight, std::chrono::duration<double>(Clock::now() - start).count(), context);
  return context.finish(diagnostics);
}

static Action declare(Declaration &declaration) {
  auto options = std::make_shared<PackOptions>();
  Arguments &arguments = declaration.arguments;
  arguments.option("operator", options->op, kOperatorSourceHelp).required().typeName("OPERATOR");
  addInputs(arguments, options->inputs).required();
  addOutput(arguments, options->output, "file for the packed weight; an existing file is replaced").required();
  addCacheFlags(arguments, options->cache);
  return [options](Context &context) { return pack(*options, context); };
}

const Command &packCommand() {
  static const Command command = {
      "pack", "pack a weight into the layout that the AI Core reads",
      "  opc pack out --input b=@weight.npy -o weight.opcw\n"
      "  opc pack op_contract.yaml --input b=@weight.npy -o weight.opcw\n"
      "  opc run out --device=sim --input a=@x.npy --input b=@weight.opcw --output y=@y.npy",
      declare};
  return command;
}

} // namespace opc::tool
