// `opc new <Name>`: creates a new operator with contract, body, reference and a test that passes.
//
// The files are those of ops/template, a tested operator MyOperator. They are embedded when opc is built, and both
// forms of the name are replaced. The folder is written atomically; an existing one is refused.

#include "ops/contract/Contract.h"
#include "ops/contract/Names.h"
#include "ops/contract/Rules.h"
#include "runtime/program/JsonText.h"
#include "tools/opc/Command.h"
#include "tools/opc/compile/OutputFolder.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <iostream>
#include <memory>

namespace opc::tool {

namespace fs = std::filesystem;

struct NewOptions {
  std::string name, output;
};

struct TemplateFile {
  const char *name;
  const char *text;
};

static constexpr std::string_view kTemplateType = "MyOperator";
static constexpr std::string_view kTemplateName = "my_operator";

static const TemplateFile kTemplate[] = {
#include "tools/opc/Template.inc"
};

static std::string replaced(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  for (size_t at = text.find(from); at != std::string_view::npos; at = text.find(from)) {
    result.append(text.substr(0, at)).append(to);
    text.remove_prefix(at + from.size());
  }
  return result.append(text);
}

/// Converts "my_operator" or "myOperator" to "MyOperator", for a suggestion.
static std::string upperCamel(const std::string &name) {
  std::string result;
  bool upper = true;
  for (char c : name) {
    bool isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    bool isDigit = c >= '0' && c <= '9';
    if (isLetter && upper && c >= 'a')
      c = static_cast<char>(c - 'a' + 'A');
    if (isLetter || (isDigit && !result.empty()))
      result += c;
    upper = !isLetter;
  }
  return result;
}

static bool checkName(const std::string &name, Diagnostics &diagnostics) {
  std::string wrong = checkOpType(name);
  if (!wrong.empty()) {
    std::string camel = upperCamel(name);
    bool helps = camel != name && checkOpType(camel).empty() && checkKernelName(snakeCase(camel)).empty();
    diagnostics.error(Code::E0104, {},
                      "expects the operator's type in UpperCamel, found '" + printable(name) + "', which " + wrong,
                      ruleLabel(ContractRule::OpType), helps ? "did you mean '" + camel + "'?" : "as in AddRelu");
    return false;
  }
  wrong = checkKernelName(snakeCase(name));
  if (wrong.empty())
    return true;
  diagnostics.error(Code::E0104, {},
                    "expects a type whose kernel name host builds can link, found '" + name + "': '" + snakeCase(name) +
                        "' " + wrong,
                    ruleLabel(ContractRule::KernelName), "take another name, as in My" + name);
  return false;
}

static ExitCode make(const NewOptions &options, Context &context) {
  Diagnostics diagnostics;
  if (!checkName(options.name, diagnostics))
    return context.finish(diagnostics);
  std::string name = snakeCase(options.name);
  std::string output = options.output.empty() ? name : options.output;
  std::error_code error;
  bool isThere = fs::exists(fs::symlink_status(output, error));
  if (isThere && !(fs::is_directory(output, error) && fs::is_empty(output, error)))
    return context.fail(Code::E0604, "expects a folder that is not there yet, found '" + printablePath(output) + "'",
                        "remove it, or choose another folder by --output");

  std::vector<CompiledFile> files;
  for (const TemplateFile &file : kTemplate) {
    CompiledFile made;
    made.path = replaced(file.name, kTemplateName, name);
    made.bytes = replaced(replaced(file.text, kTemplateType, options.name), kTemplateName, name);
    files.push_back(std::move(made));
  }
  if (!writeOutputFolder(output, files, diagnostics))
    return context.finish(diagnostics);

  std::string contract = (fs::path(output) / "op_contract.yaml").string();
  context.info("made operator '" + options.name + "' in '" + printablePath(output) + "'; test it as it is:");
  context.info("  opc test " + printable(contract, 300));
  if (context.json()) {
    nlohmann::ordered_json record = {
        {"schema_version", 1}, {"operator", options.name}, {"name", name}, {"output", output}};
    for (const CompiledFile &file : files)
      record["files"].push_back(file.path);
    std::cout << writeJson(record) << '\n';
  }
  return ExitCode::Done;
}

static Action declare(Declaration &declaration) {
  auto options = std::make_shared<NewOptions>();
  declaration.arguments.option("name", options->name, "type of the operator in UpperCamel, for example AddRelu")
      .required()
      .typeName("NAME");
  addOutput(declaration.arguments, options->output,
            "folder to create (default the name in snake_case, for example add_relu)");
  return [options](Context &context) { return make(*options, context); };
}

const Command &newOperatorCommand() {
  static const Command command = {"new", "create a new operator: contract, body, reference and test",
                                  "  opc new MyOperator\n"
                                  "  opc new MyOperator --output=operators/my_operator",
                                  declare};
  return command;
}

} // namespace opc::tool
