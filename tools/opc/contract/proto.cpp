// `opc proto import|export`: converts the vendor's operator JSON to contracts and back.
//
// An imported contract names a body and a reference that do not exist yet; `opc contract check` reports them. Export
// needs neither, since it reads only the contract.

#include "ops/contract/read/Reader.h"
#include "ops/proto/OperatorJson.h"
#include "runtime/core/File.h"
#include "runtime/program/format/JsonText.h"
#include "tools/opc/Command.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <iostream>
#include <memory>

namespace opc::tool {

namespace fs = std::filesystem;

struct ProtoOptions {
  std::vector<std::string> files;
  std::string output;
};

static bool writeText(const std::string &path, const std::string &text, Diagnostics &diagnostics) {
  std::optional<AtomicFile> file = AtomicFile::create(path, diagnostics);
  if (!file)
    return false;
  file->write(text.data(), text.size());
  return file->commit(diagnostics);
}

/// Writes a folder for each operator; none of them may contain a contract.
static bool writeContracts(const std::vector<ImportedContract> &contracts, const std::string &output,
                           Diagnostics &diagnostics) {
  std::error_code error;
  for (const ImportedContract &contract : contracts) {
    fs::path file = fs::path(output) / contract.name / "op_contract.yaml";
    if (fs::exists(fs::symlink_status(file, error)))
      diagnostics.error(Code::E0604, {}, "cannot write '" + printablePath(file.string()) + "': it is there already");
  }
  if (diagnostics.hasErrors())
    return false;
  for (const ImportedContract &contract : contracts) {
    fs::path folder = fs::path(output) / contract.name;
    fs::create_directories(folder, error);
    if (error) {
      diagnostics.error(Code::E0601, {}, "cannot write '" + printablePath(folder.string()) + "': " + error.message());
      return false;
    }
    if (!writeText((folder / "op_contract.yaml").string(), contract.text, diagnostics))
      return false;
  }
  return true;
}

static ExitCode import(const ProtoOptions &options, Context &context) {
  Diagnostics diagnostics;
  std::optional<std::string> text = readFile(options.files.front(), 4 << 20, diagnostics);
  if (!text)
    return context.finish(diagnostics);
  std::vector<ImportedContract> contracts = importOperatorJson(*text, options.files.front(), diagnostics);
  if (diagnostics.hasErrors())
    return context.finish(diagnostics);
  if (options.output.empty() && contracts.size() > 1)
    return context.fail(Code::E0103, "'opc proto import' of " + std::to_string(contracts.size()) +
                                         " operators expects --output=DIR, one folder for each");
  if (options.output.empty()) {
    std::cout << contracts.front().text;
    return ExitCode::Done;
  }
  if (!writeContracts(contracts, options.output, diagnostics))
    return context.finish(diagnostics);
  for (const ImportedContract &contract : contracts) {
    std::string file = options.output + "/" + contract.name + "/op_contract.yaml";
    context.info("wrote '" + printablePath(file) + "'; its body '" + contract.name +
                 ".mlir' and reference.py are to be written");
    if (context.json())
      std::cout << writeJson({{"schema_version", 1}, {"operator", contract.opType}, {"contract", file}}) << '\n';
  }
  return ExitCode::Done;
}

static ExitCode exportJson(const ProtoOptions &options, Context &context) {
  Diagnostics diagnostics;
  std::vector<Contract> contracts;
  for (const std::string &file : options.files) {
    std::optional<std::string> text = readFile(file, 2 << 20, diagnostics);
    if (!text)
      continue;
    if (std::optional<Contract> contract = parseContract(*text, file, diagnostics))
      contracts.push_back(std::move(*contract));
  }
  if (diagnostics.hasErrors())
    return context.finish(diagnostics);
  std::vector<const Contract *> all;
  for (const Contract &contract : contracts)
    all.push_back(&contract);
  std::string json = exportOperatorJson(all);
  if (options.output.empty())
    std::cout << json;
  else if (!writeText(options.output, json, diagnostics))
    return context.finish(diagnostics);
  return ExitCode::Done;
}

static Action declare(Declaration &declaration) {
  auto in = std::make_shared<ProtoOptions>(), out = std::make_shared<ProtoOptions>();
  Arguments from = declaration.sub("import", "convert the vendor's operator JSON to contracts",
                                   "  opc proto import op.json --output=ops\n"
                                   "  opc proto import op.json > op_contract.yaml");
  from.option("json", in->files, "operator JSON in the format of the vendor's project generator")
      .required()
      .count(1)
      .typeName("FILE");
  addOutput(from, in->output,
            "folder for the contracts, one subfolder for each operator (default: one operator, on stdout)");
  declaration.on(from, [in](Context &context) { return import(*in, context); });

  Arguments to = declaration.sub("export", "convert contracts to the vendor's operator JSON",
                                 "  opc proto export op_contract.yaml > op.json");
  to.option("contracts", out->files, "op_contract.yaml of each operator").required().typeName("FILE...");
  addOutput(to, out->output, "file to write (default: stdout)");
  declaration.on(to, [out](Context &context) { return exportJson(*out, context); });
  return {};
}

const Command &protoCommand() {
  static const Command command = {"proto", "convert between the vendor's operator JSON and contracts",
                                  "  opc proto import op.json --output=ops\n"
                                  "  opc proto export op_contract.yaml",
                                  declare};
  return command;
}

} // namespace opc::tool
