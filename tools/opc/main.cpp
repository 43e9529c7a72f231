// The command `opc`. See CommandLine.h.

#include "tools/opc/CommandLine.h"

int main(int argc, char **argv) {
  return opc::tool::runCommandLine(argc, argv);
}
