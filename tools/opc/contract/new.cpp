// `opc new <Name>`: creates a new operator with contract, body, reference and a test that passes.
//
// The files are those of a folder of ops/template, which is a tested operator MyOperator, and the files that all of
// these operators share. They are embedded when opc is built, and both forms of the name are replaced. The folder is
// written atomically; an existing one is refused.
//
// `opc new --from-source DIR`: starts from an operator in Ascend C. The contract follows from its definition, the body
// is a start, and test.sh compares the body with the kernel by hand.

#include "ops/contract/Contract.h"
#include "ops/contract/Names.h"
#include "ops/contract/Rules.h"
#include "ops/contract/write/Canonical.h"
#include "runtime/program/format/JsonText.h"
#include "tools/opc/Command.h"
#include "tools/opc/compile/OutputFolder.h"
#include "tools/opc/source/SourceRun.h"
#include "tools/opc/source/host/SourceContract.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

namespace opc::tool {

namespace fs = std::filesystem;

struct NewOptions {
  std::string name, output;
  std::string kind = "elementwise"; ///< --template: a folder of ops/template
  std::string sourceFolder;         ///< --from-source
  SourceRunOptions source;
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

/// The folder of a file of ops/template; empty for a file that all operators share.
static std::string kindOf(const TemplateFile &file) {
  const std::string_view name = file.name;
  const size_t end = name.find('/');
  return std::string(name.substr(0, end == std::string_view::npos ? 0 : end));
}

/// The folders of ops/template, in the order of CMakeLists.txt.
static std::vector<std::string> templateKinds() {
  std::vector<std::string> kinds;
  for (const TemplateFile &file : kTemplate)
    if (std::string kind = kindOf(file); !kind.empty() && std::find(kinds.begin(), kinds.end(), kind) == kinds.end())
      kinds.push_back(std::move(kind));
  return kinds;
}

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

/// A word of a shell script.
static std::string shellQuoted(const std::string &text) {
  return "'" + replaced(text, "'", "'\\''") + "'";
}

/// A body that returns the first input where types fit.
static std::string bodyText(const Contract &contract) {
  std::string parameters, results, values;
  const ContractTensor &first = contract.inputs.front();
  std::string text =
      "!T = " + std::string(mlirTypeName(first.types.front())) + "\n// " + contract.opType +
      ": a start, which returns what fits of its first input. Write the computation; docs/reference/te.md "
      "lists\n// what a body may say.\n";
  for (const ContractTensor &input : contract.inputs)
    parameters += (parameters.empty() ? "%" : ", %") + input.name + ": !" + input.name;
  for (const ContractAttribute &attribute : contract.attributes)
    if (attribute.binding == Binding::Launch)
      parameters += ", %" + attribute.name +
                    (attribute.type == AttributeType::Float ? ": f32"
                     : attribute.type == AttributeType::Int ? ": i64"
                                                            : ": i1");
  std::string lines;
  for (const ContractTensor &output : contract.outputs) {
    const bool isSame = output.types == first.types;
    if (!isSame)
      lines += "  %" + output.name + "_start = te.cast %" + first.name + " to !" + output.name + "\n";
    values += (values.empty() ? "%" : ", %") + (isSame ? first.name : output.name + "_start");
    results += (results.empty() ? "!" : ", !") + output.name;
  }
  const bool isOne = contract.outputs.size() == 1;
  std::string types = results;
  return text + "func.func @" + contract.name + "(" + parameters + ") -> " + (isOne ? results : "(" + results + ")") +
         " {\n" + lines + "  return " + values + " : " + types + "\n}\n";
}

static std::string referenceText(const Contract &contract) {
  std::string outputs;
  for (const ContractTensor &output : contract.outputs)
    outputs += (outputs.empty() ? "" : ", ") + ("\"" + output.name + "\": ...");
  return "\"\"\"" + contract.opType +
         " in float64, for `opc test` of the contract and of the kernel by hand.\"\"\"\n\n\n"
         "def reference(inputs, attributes):\n"
         "    raise NotImplementedError(\"write the formula: return {" +
         replaced(outputs, "\"", "'") + "}\")\n";
}

/// A script that compares the body with the kernel by hand for every row of types and several shapes.
static std::string comparisonScript(const Contract &contract, const std::string &folder) {
  std::string rows, shapes;
  for (unsigned row = 0; row < contract.typeRows(); ++row)
    rows += (row ? " " : "") + contract.typeRowName(row);
  for (const ContractTensor &input : contract.inputs)
    shapes += (shapes.empty() ? "" : ";") + input.name + ":$sizes";
  double ulp = 0;
  for (const ContractTolerance &tolerance : contract.precision.tolerances)
    ulp = std::max(ulp, tolerance.maxUlp.value_or(0));
  return "#!/bin/sh\n"
         "# Holds the body of " +
         contract.opType +
         " against the kernel by hand: outputs, and cycles side by side. Then tests both against reference.py,\n"
         "# once that has a formula. Set OPC to the command where it is not on PATH.\n"
         "set -eu\n"
         "cd \"$(dirname \"$0\")\"\n"
         "source=${SOURCE:-" +
         shellQuoted(folder) +
         "}\n"
         "\"${OPC:-opc}\" contract check op_contract.yaml\n"
         "for row in " +
         rows +
         "; do\n"
         "  for sizes in 33 4096 7,129 65537; do\n"
         "    echo \"$row, $sizes\"\n"
         "    \"${OPC:-opc}\" compare op_contract.yaml \"$source\" --input_shape=\"" +
         shapes + "\" --dtype=\"$row\" --max_ulp=" + std::to_string(int(ulp)) +
         "\n"
         "  done\n"
         "done\n"
         "if ! grep -q NotImplementedError reference.py; then\n"
         "  \"${OPC:-opc}\" test op_contract.yaml --device=cpu,sim \"$@\"\n"
         "  \"${OPC:-opc}\" test --source \"$source\" --reference=reference.py\n"
         "fi\n";
}

/// The files for an operator in Ascend C; empty after reporting an error.
static std::vector<CompiledFile> filesFromSource(NewOptions &options, Diagnostics &diagnostics) {
  const Target *target = checkSourceOptions(options.source, diagnostics);
  options.source.source.path = options.sourceFolder;
  std::unique_ptr<SourceProject> project = target ? SourceProject::open(options.source, *target, diagnostics) : nullptr;
  if (project && !project->definition())
    diagnostics.error(Code::E0805, {options.sourceFolder}, "expects an operator's definition, found a kernel alone",
                      "ascendc_c25", "--host names the folder with the host files");
  if (!project || diagnostics.hasErrors())
    return {};
  std::optional<Contract> implied = contractOf(*project->definition(), diagnostics);
  if (!implied)
    return {};
  Contract &contract = *implied;
  if (!options.name.empty())
    contract.opType = options.name;
  options.name = contract.opType;
  contract.name = snakeCase(contract.opType);
  if (!checkName(contract.opType, diagnostics))
    return {};
  contract.version = "0.1.0";
  contract.summary = "Moved from the kernel by hand in " + fs::path(options.sourceFolder).filename().string();
  ContractBody body;
  body.level = BodyLevel::Te;
  body.file = contract.name + ".mlir";
  contract.bodies.push_back(std::move(body));
  contract.reference = "reference.py";
  std::error_code error;
  const std::string absolute = fs::absolute(options.sourceFolder, error).lexically_normal().string();
  std::vector<CompiledFile> files;
  files.push_back({"op_contract.yaml", canonicalText(contract)});
  files.push_back({contract.name + ".mlir", bodyText(contract)});
  files.push_back({"reference.py", referenceText(contract)});
  files.push_back({"test.sh", comparisonScript(contract, absolute)});
  return files;
}

static std::vector<CompiledFile> filesFromTemplate(const NewOptions &options) {
  const std::string name = snakeCase(options.name);
  std::vector<CompiledFile> files;
  for (const TemplateFile &file : kTemplate) {
    const std::string kind = kindOf(file);
    if (!kind.empty() && kind != options.kind)
      continue;
    const std::string_view own = std::string_view(file.name).substr(kind.empty() ? 0 : kind.size() + 1);
    CompiledFile made;
    made.path = replaced(own, kTemplateName, name);
    made.bytes = replaced(replaced(file.text, kTemplateType, options.name), kTemplateName, name);
    files.push_back(std::move(made));
  }
  return files;
}

static ExitCode make(NewOptions options, bool isKindGiven, Context &context) {
  Diagnostics diagnostics;
  std::vector<CompiledFile> files;
  const bool isFromSource = !options.sourceFolder.empty();
  if (isFromSource && isKindGiven)
    return context.fail(Code::E0104,
                        "--template does not go with --from-source, which makes the files from a definition",
                        "leave one of them out");
  if (const std::string stray = options.source.stray(); !isFromSource && !stray.empty())
    return context.fail(Code::E0104, stray + " goes with --from-source");
  if (isFromSource)
    files = filesFromSource(options, diagnostics);
  else if (options.name.empty())
    return context.fail(Code::E0103,
                        "expects the type of the operator, or --from-source with its folder, found neither");
  else
    checkName(options.name, diagnostics);
  if (diagnostics.hasErrors())
    return context.finish(diagnostics);
  std::string name = snakeCase(options.name);
  std::string output = options.output.empty() ? name : options.output;
  std::error_code error;
  bool isThere = fs::exists(fs::symlink_status(output, error));
  if (isThere && !(fs::is_directory(output, error) && fs::is_empty(output, error)))
    return context.fail(Code::E0604, "expects a folder that is not there yet, found '" + printablePath(output) + "'",
                        "remove it, or choose another folder by --output");

  if (!isFromSource)
    files = filesFromTemplate(options);
  if (!writeOutputFolder(output, files, diagnostics))
    return context.finish(diagnostics);

  std::string contract = (fs::path(output) / "op_contract.yaml").string();
  if (isFromSource) {
    context.info("made operator '" + options.name + "' in '" + printablePath(output) +
                 "' from its definition; write its body, and compare it with the kernel by hand:");
    context.info("  sh " + printable((fs::path(output) / "test.sh").string(), 300));
  } else {
    context.info("made operator '" + options.name + "' in '" + printablePath(output) + "'; test it as it is:");
    context.info("  opc test " + printable(contract, 300));
  }
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
  declaration.arguments
      .option(
          "name", options->name,
          "type of the operator in UpperCamel, for example AddRelu (with --from-source default that of its definition)")
      .typeName("NAME");
  declaration.arguments
      .option(
          "--from-source", options->sourceFolder,
          "folder of an operator in Ascend C: its definition becomes the contract, and a test compares the body with "
          "its kernel")
      .typeName("DIR");
  const std::vector<std::string> kinds = templateKinds();
  std::string choices;
  for (const std::string &kind : kinds)
    choices += (choices.empty() ? "" : "|") + kind;
  declaration.arguments
      .option("--template", options->kind,
              "what the operator starts as: each element of its own (elementwise), reduced rows with parameters "
              "(rows), dimensions in another order (movement), windows along a dimension (windows), two results of "
              "different types (two_results), a matrix product and what follows (matmul), or a convolution and what "
              "follows (convolution) (default elementwise)")
      .typeName(choices)
      .check(oneOf(kinds));
  addSourceOptions(declaration.arguments, options->source, "--from-source");
  addOutput(declaration.arguments, options->output,
            "folder to create (default the name in snake_case, for example add_relu)");
  return [options, arguments = declaration.arguments](Context &context) {
    return make(*options, arguments.given("--template"), context);
  };
}

const Command &newOperatorCommand() {
  static const Command command = {"new", "create a new operator: contract, body, reference and test",
                                  "  opc new MyOperator\n"
                                  "  opc new MyOperator --output=operators/my_operator\n"
                                  "  opc new MyNorm --template=rows\n"
                                  "  opc new MyLinear --template=matmul\n"
                                  "  opc new --from-source AddCustom --output=add",
                                  declare};
  return command;
}

} // namespace opc::tool
