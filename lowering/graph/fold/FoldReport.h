// What folding found in a model, and what it nearly found.

#ifndef OPC_LOWERING_GRAPH_FOLD_FOLDREPORT_H
#define OPC_LOWERING_GRAPH_FOLD_FOLDREPORT_H

#include <cstddef>
#include <string>
#include <vector>

namespace opc {

struct FoldNote {
  std::string what; ///< the operator that was made ("LayerNorm"), or what was done ("constant", "equal")
  std::string node; ///< name of the node whose result it gives; may be empty
  bool found = true;
  size_t pieces = 0;  ///< of found: the instances that it takes the place of
  std::string reason; ///< of what was nearly found: why not
};

using FoldReport = std::vector<FoldNote>;

} // namespace opc

#endif // OPC_LOWERING_GRAPH_FOLD_FOLDREPORT_H
