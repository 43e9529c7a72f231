// What making a model legal made of each node of its file: the answer of `opc compile`, which `opc model check` gives
// too.

#ifndef OPC_LOWERING_GRAPH_LEGALIZE_LEGALREPORT_H
#define OPC_LOWERING_GRAPH_LEGALIZE_LEGALREPORT_H

#include "ops/contract/Contract.h"

#include <map>
#include <string>
#include <utility>

namespace opc {

struct LegalNode {
  enum Kind : uint8_t {
    Constant, ///< its value
    Instance, ///< an instance of `contract`
    View,     ///< a view, a part or a join: no kernel
    Host,     ///< a function of the runtime
    Parts,    ///< simpler nodes
    Call,     ///< the nodes of a function, or of branches
    Open,     ///< nothing yet, since sizes or types before it are not known
    Missing,  ///< nothing: `reason` and `supply`
  };
  Kind kind = Open;
  const Contract *contract = nullptr;
  std::string reason, supply;
};

/// By the function of the model that a node is in (empty: none) and the name of its first result. What is missing in
/// one call of a function, or in one of the simpler nodes, is missing.
using LegalReport = std::map<std::pair<std::string, std::string>, LegalNode>;

} // namespace opc

#endif // OPC_LOWERING_GRAPH_LEGALIZE_LEGALREPORT_H
