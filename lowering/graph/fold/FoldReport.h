// The matches and near misses of folding in a model.

#ifndef OPC_LOWERING_GRAPH_FOLD_FOLDREPORT_H
#define OPC_LOWERING_GRAPH_FOLD_FOLDREPORT_H

#include <cstddef>
#include <string>
#include <vector>

namespace opc {

struct FoldNote {
  std::string what; ///< the created operator ("LayerNorm"), or the kind of folding ("constant", "equal")
  std::string node; ///< name of the node whose result it computes; may be empty
  bool found = true;
  size_t pieces = 0;  ///< of a match: the instances that it replaces
  std::string reason; ///< of a near miss: why it does not match
};

using FoldReport = std::vector<FoldNote>;

} // namespace opc

#endif // OPC_LOWERING_GRAPH_FOLD_FOLDREPORT_H
