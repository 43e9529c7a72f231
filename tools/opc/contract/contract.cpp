// `opc contract check`: checks contracts against every labelled rule, several files in one run.
//
// With --format=json each valid contract and each error is a record on stdout; --canonical prints the text that
// is hashed.

#include "ops/contract/Rules.h"
#include "ops/contract/read/Reader.h"
#include "ops/contract/write/Canonical.h"
#include "runtime/program/format/JsonText.h"
#include "tools/opc/Command.h"

#include <nlohmann/json.hpp>

#include <iostream>
#include <memory>

namespace opc::tool {

struct ContractOptions {
  std::vector<std::string> files;
  bool canonical = false;
};

static void report(const Contract &contract, bool canonical, Context &context) {
  const std::vector<std::string> names = contract.typeRowNames();
  std::string rows;
  for (const std::string &row : names)
    rows += (rows.empty() ? "" : ", ") + row;
  context.info("'" + printablePath(contract.path) + "': " + contract.opType + " " + contract.version + " (" + rows +
               ") keeps all " + std::to_string(allContractRules().size()) + " rules");
  if (!context.json())
    return;
  nlohmann::ordered_json record = {{"schema_version", 1},
                                   {"contract", contract.path},
                                   {"operator", contract.opType},
                                   {"name", contract.name},
                                   {"version", contract.version},
                                   {"type_rows", contract.typeRows()},
                                   {"sha256", contractHash(contract)}};
  for (const ContractBody &body : contract.bodies)
    for (const std::string &file : body.files()) {
      std::vector<std::string> ofFile;
      for (unsigned row : contract.rowsOf(body))
        if (body.fileOf(row) == file)
          ofFile.push_back(names[row]);
      record["bodies"].push_back(
          {{"level", bodyLevelName(body.level)}, {"file", file}, {"type_rows", ofFile.size()}, {"types", ofFile}});
    }
  if (canonical)
    record["canonical"] = canonicalText(contract);
  std::cout << writeJson(record) << '\n';
}

static ExitCode check(const ContractOptions &options, Context &context) {
  ExitCode exit = ExitCode::Done;
  size_t broken = 0;
  for (const std::string &file : options.files) {
    Diagnostics diagnostics;
    std::optional<Contract> contract = loadContract(file, diagnostics);
    ExitCode one = context.finish(diagnostics);
    if (contract && options.canonical && !context.json())
      // Documents of one stream, when there are several.
      std::cout << (options.files.size() > 1 ? "---\n" : "") << canonicalText(*contract);
    else if (contract)
      report(*contract, options.canonical, context);
    broken += !contract;
    // The first error of the run determines the exit code.
    if (exit == ExitCode::Done)
      exit = one;
  }
  if (broken != 0 && options.files.size() > 1)
    context.info(std::to_string(broken) + " of " + std::to_string(options.files.size()) + " contracts broken");
  return exit;
}

static Action declare(Declaration &declaration) {
  auto options = std::make_shared<ContractOptions>();
  Arguments sub = declaration.sub("check", "check contracts against every rule",
                                  "  opc contract check op_contract.yaml\n"
                                  "  opc contract check ops/library/*/op_contract.yaml --format=json\n"
                                  "  opc contract check op_contract.yaml --canonical");
  sub.option("contracts", options->files, "op_contract.yaml files").required().typeName("FILE...");
  sub.flag("--canonical", options->canonical, "print the canonical text of each contract on stdout");
  declaration.on(sub, [options](Context &context) { return check(*options, context); });
  return {};
}

const Command &contractCommand() {
  static const Command command = {"contract", "check contracts", "  opc contract check op_contract.yaml", declare};
  return command;
}

} // namespace opc::tool
