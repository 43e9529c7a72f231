// The result of legalisation for each node of a model's file, for `opc compile` and `opc model check`.

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
    Open,     ///< undecided, since sizes or types before it are not known
    Missing,  ///< nothing: `reason` and `supply`
  };
  Kind kind = Open;
  const Contract *contract = nullptr;
  std::string reason, supply;
};

/// The key is the function of the model that contains the node (empty: none) and the name of the node's first result. A
/// node that is missing in one call of a function, or in one of its simpler nodes, counts as missing.
using LegalReport = std::map<std::pair<std::string, std::string>, LegalNode>;

} // namespace opc

#endif // OPC_LOWERING_GRAPH_LEGALIZE_LEGALREPORT_H
