// Rule 46: the type rows that bodies serve.

#include "ops/contract/read/Parts.h"

#include <algorithm>
#include <set>

namespace opc {

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

void checkBodyTypes(ContractErrors &errors, ContractDraft &draft) {
  Contract &contract = draft.contract;
  std::vector<std::string> known = contract.typeRowNames();
  for (const DraftBodyTypes &types : draft.bodyTypes) {
    std::vector<unsigned> rows = namedRows(errors, types, known);
    if (errors.any() || rows.size() == known.size())
      continue; // all rows: the same as no list
    contract.bodies[types.body].typeRows = rows;
    if (types.body != 0)
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
}

} // namespace opc
