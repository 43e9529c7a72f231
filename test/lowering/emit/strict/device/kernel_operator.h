// Ascend C as a checker: what the toolkits' headers would take of a kernel, and no more.
//
// A kernel that compiles with it uses names, forms and element types that both versions of the toolkit turn into
// instructions on Ascend 310B. Most of what it refuses the real headers take without a word, and the chip does
// nothing: there the check is an assertion that release builds drop. Which types a form takes is not written here:
// runtime/target's table KernelCalls.def decides, row by row. Calls that emitted kernels do not use are not declared.
//
// Nothing of it is shared with the emitters, nor with the header for the simulator (runtime/ascendc), which has to
// take what users write. It was written from the public facts of the programming interface.
//
//   OPC_OLDER            a toolkit without REGISTER_TILING_DEFAULT
//   OPC_STATIC_SHAPES    all shapes were known when the kernel is compiled: GET_TILING_DATA_WITH_STRUCT takes the
//                        tiling data from the registered class
//
// Names of a row's types, DTYPE_X and ORIG_DTYPE_X, come from the compiler's command line, of one row at a time.

#ifndef STRICT_KERNEL_OPERATOR_H
#define STRICT_KERNEL_OPERATOR_H

#include <cstddef>
#include <cstdint>

#include "Types.h"

#include "Calls.h"
#include "Cube.h"
#include "Memory.h"
#include "Sync.h"
#include "Tiling.h"
#include "Vector.h"

// Last: from here on a name of these is a macro, as in a kernel.
#include "Macros.h"

#endif
