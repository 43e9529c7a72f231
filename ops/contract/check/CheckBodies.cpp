// Rules 39 and 46: the type rows that bodies serve.

#include "ops/contract/read/Parts.h"

#include <algorithm>
#include <set>

namespace opc {

static std::string listed(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// The rows of the type table that a body names, in the order of the table. Reports each name that is not a row and
/// each name that is given twice.
static std::vector<unsigned> namedRows(ContractErrors &errors, const DraftBodyTypes &types,
                                       const std::vector<std::string> &known) {
  std::set<unsigned> rows;
  for (const DraftBodyTypes::Row &given : types.rows) {
    auto found = std::find(known.begin(), known.end(), given.name);
    if (found == known.end())
      errors.report(ContractRule::BodyTypes, given.location,
                    "expects 'types' of a body to name rows of the contract's type table, found '" +
                        printable(given.name, 60) + "'",
                    suggest(given.name, known));
    else if (!rows.insert(unsigned(found - known.begin())).second)
      errors.report(ContractRule::BodyTypes, given.location,
                    "expects each type row once in 'types' of a body, found '" + given.name + "' again");
  }
  return {rows.begin(), rows.end()};
}

/// Bodies of level te that list type rows are the texts of one body, and each row has one of them.
static void joinTexts(ContractErrors &errors, ContractDraft &draft, const std::vector<std::string> &known) {
  std::vector<ContractBody> &bodies = draft.contract.bodies;
  std::vector<const ContractBody *> all;
  for (const ContractBody &body : bodies)
    if (body.level == BodyLevel::Te)
      all.push_back(&body);
  if (all.size() < 2)
    return;
  std::vector<const ContractBody *> textOf(known.size());
  for (const ContractBody *body : all) {
    if (body->typeRows.empty())
      return errors.report(ContractRule::BodyTypes, body->location,
                           "expects 'types' in each of several bodies at level te, found '" + body->file +
                               "' without them",
                           "list the type rows that it serves: " + listed(known));
    for (unsigned row : body->typeRows) {
      if (textOf[row])
        return errors.report(ContractRule::BodyTypes, body->location,
                             "expects one body of level te for each type row, found '" + known[row] + "' in '" +
                                 textOf[row]->file + "' and '" + body->file + "'",
                             "take '" + known[row] + "' out of the 'types' of one of them");
      textOf[row] = body;
    }
  }
  for (size_t row = 0; row < known.size(); ++row)
    if (!textOf[row])
      return errors.report(ContractRule::BodyTypes, all.front()->location,
                           "expects a body of level te for each type row, found none for '" + known[row] + "'",
                           "add '" + known[row] + "' to the 'types' of one of them");
  ContractBody joined = *all.front();
  for (const ContractBody *body : all)
    joined.texts.push_back({body->file, body->typeRows, body->devices, body->location});
  joined.typeRows.clear();
  joined.devices = std::all_of(all.begin(), all.end(), [](auto *body) { return body->devices == BodyDevices::Cpu; })
                       ? BodyDevices::Cpu
                       : BodyDevices::All;
  std::vector<ContractBody> kept;
  for (ContractBody &body : bodies)
    if (&body == all.front())
      kept.push_back(joined);
    else if (body.level != BodyLevel::Te)
      kept.push_back(std::move(body));
  bodies = std::move(kept);
}

/// 39: a kernel by hand is one text for all of its rows; so is a body without `types`.
static void checkLevels(ContractErrors &errors, const ContractDraft &draft) {
  const std::vector<ContractBody> &bodies = draft.contract.bodies;
  for (size_t i = 0; i < bodies.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (bodies[i].level == bodies[j].level &&
          (bodies[i].level == BodyLevel::AICore || (bodies[i].typeRows.empty() && bodies[j].typeRows.empty()))) {
        errors.report(ContractRule::BodyOnce, draft.bodyLevels[i],
                      "expects one body of each level, found '" + std::string(bodyLevelName(bodies[i].level)) +
                          "' again",
                      bodies[i].level == BodyLevel::Te ? "'types' of each says which type rows it serves" : "");
        break;
      }
}

void checkBodyTypes(ContractErrors &errors, ContractDraft &draft) {
  Contract &contract = draft.contract;
  std::vector<std::string> known = contract.typeRowNames();
  const bool isSeveral = std::count_if(contract.bodies.begin(), contract.bodies.end(),
                                       [](const ContractBody &body) { return body.level == BodyLevel::Te; }) > 1;
  for (const DraftBodyTypes &types : draft.bodyTypes) {
    std::vector<unsigned> rows = namedRows(errors, types, known);
    const bool isText = isSeveral && contract.bodies[types.body].level == BodyLevel::Te;
    if (errors.any() || (rows.size() == known.size() && !isText))
      continue; // all rows: the same as no list
    contract.bodies[types.body].typeRows = rows;
    if (types.body != 0 || isText)
      continue;
    unsigned missing = 0;
    while (missing < rows.size() && rows[missing] == missing)
      ++missing;
    errors.report(ContractRule::BodyTypes, types.location,
                  "expects the first body, which is the default, to serve every type row; it "
                  "leaves out '" +
                      known[missing] + "'",
                  "put the body that serves all rows first");
  }
  checkLevels(errors, draft);
  if (!errors.any())
    joinTexts(errors, draft, known);
}

} // namespace opc
