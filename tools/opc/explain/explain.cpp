// `opc explain CODE`: the meaning of a code, the reason of its rule, and what to do.
//
// Accepts codes of opc (OPC-E0213, E0213 or 213), numbers of the vendor's runtime (507015), and labels of rules
// (sync_c1), which mean the codes that they are reported under. A number of at most four digits is a code of opc,
// except 0, which the vendor's calls return for success.

#include "runtime/diagnostic/Labels.h"
#include "runtime/diagnostic/VendorCodes.h"
#include "tools/opc/Command.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <vector>

namespace opc::tool {

using Json = nlohmann::ordered_json;

struct Explanation {
  std::string code, source;
  std::string rule;               ///< the requested label; empty when a code was requested
  std::vector<std::string> rules; ///< labels of the rules that are reported under the code
  std::optional<ExitCode> exit;   ///< of opc's codes
  std::string_view title, text;
};

static bool isNumber(const std::string &text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

static Explanation explanationOf(const CodeInfo &info) {
  return {std::string(info.name), "opc", {}, labelsOfCode(info.code), info.exit, info.title, info.explanation};
}

/// The explanations of a code or label. A rule may be reported under several codes; a code has at most one explanation.
static std::vector<Explanation> find(const std::string &code) {
  std::vector<Explanation> found;
  for (Code ofRule : codesOfLabel(code)) {
    found.push_back(explanationOf(codeInfo(ofRule)));
    found.back().rule = code;
  }
  if (!found.empty())
    return found;
  std::string ours = code;
  if (isNumber(code) && code.size() < 4)
    ours.insert(0, 4 - code.size(), '0');
  if (const CodeInfo *info = findCode(ours))
    return {explanationOf(*info)};
  if (!isNumber(code) || code.size() > 9)
    return {};
  if (const VendorCode *vendor = findVendorCode(static_cast<uint32_t>(std::stoul(code))))
    return {{code, std::string(vendor->source), {}, {}, std::nullopt, vendor->title, vendor->explanation}};
  return {};
}

static Json toJson(const Explanation &explanation) {
  Json object = {{"schema_version", 1}, {"code", explanation.code}, {"source", explanation.source}};
  if (!explanation.rule.empty())
    object["rule"] = explanation.rule;
  if (std::string_view demand = ruleText(explanation.rule); !demand.empty())
    object["demand"] = std::string(demand);
  if (explanation.exit)
    object["exit_code"] = int(*explanation.exit);
  object["title"] = std::string(explanation.title);
  object["explanation"] = std::string(explanation.text);
  Json rules = Json::array();
  for (const std::string &label : explanation.rules)
    rules.push_back({{"rule", label}, {"demand", std::string(ruleText(label))}});
  if (explanation.rule.empty() && !rules.empty())
    object["rules"] = rules;
  return object;
}

static void print(const Explanation &explanation, Context &context) {
  if (context.json()) {
    std::cout << toJson(explanation).dump() << '\n';
    return;
  }
  if (!explanation.rule.empty())
    std::cout << explanation.rule << " is a rule of ";
  std::cout << explanation.code;
  if (!explanation.exit)
    std::cout << " (" << explanation.source << " of the vendor's runtime)";
  std::cout << ": " << explanation.title << "\n\n";
  if (std::string_view demand = ruleText(explanation.rule); !demand.empty())
    std::cout << "The rule: " << demand << ".\n\n";
  std::cout << explanation.text << '\n';
  if (explanation.exit)
    std::cout << "\nCommands that end with this error have exit status " << int(*explanation.exit) << ".\n";
}

static ExitCode explainAll(Context &context) {
  for (const CodeInfo &info : allCodes()) {
    if (context.json())
      std::cout << toJson(explanationOf(info)).dump() << '\n';
    else
      std::cout << info.name << "  " << info.title << '\n';
  }
  return ExitCode::Done;
}

static std::string nearestCode(const std::string &code) {
  std::vector<std::string> names;
  for (const CodeInfo &info : allCodes())
    for (size_t prefix : {0, 4, 5})
      names.emplace_back(info.name.substr(prefix));
  for (const VendorCode &vendor : allVendorCodes())
    names.push_back(std::to_string(vendor.first));
  std::string nearest = nearestName(code, names);
  const CodeInfo *ours = findCode(nearest);
  return ours ? std::string(ours->name) : nearest;
}

static ExitCode explainOne(const std::string &code, Context &context) {
  std::vector<Explanation> explanations = find(code);
  for (const Explanation &explanation : explanations) {
    if (&explanation != &explanations.front() && !context.json())
      std::cout << '\n';
    print(explanation, context);
  }
  if (!explanations.empty())
    return ExitCode::Done;
  std::string nearest = nearestCode(code);
  return context.fail(Code::E0110, "there is no code '" + printable(code) + "'",
                      nearest.empty() ? "'opc explain --all' lists them" : "the nearest is '" + nearest + "'");
}

static ExitCode explain(const std::vector<std::string> &codes, bool all, Context &context) {
  if (all)
    return explainAll(context);
  if (codes.empty())
    return context.fail(Code::E0103, "'opc explain' expects a code", "'opc explain --all' lists them");
  ExitCode status = ExitCode::Done;
  for (const std::string &code : codes) {
    if (&code != &codes.front() && !context.json())
      std::cout << '\n';
    ExitCode one = explainOne(code, context);
    status = status == ExitCode::Done ? one : status;
  }
  return status;
}

static Action declare(Declaration &declaration) {
  auto codes = std::make_shared<std::vector<std::string>>();
  auto all = std::make_shared<bool>(false);
  declaration.arguments
      .option("code", *codes,
              "code of opc (OPC-E0213), label of a rule (sync_c1) or number of the vendor's runtime (507015)")
      .typeName("CODE");
  declaration.arguments.flag("--all", *all, "list all codes of opc");
  return [codes, all](Context &context) { return explain(*codes, *all, context); };
}

const Command &explainCommand() {
  static const Command command = {"explain", "explain an error code of opc or of the vendor's runtime",
                                  "  opc explain OPC-E0106\n"
                                  "  opc explain sync_c1\n"
                                  "  opc explain 507015\n"
                                  "  opc explain --all",
                                  declare};
  return command;
}

} // namespace opc::tool
