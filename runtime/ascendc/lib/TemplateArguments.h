// The macros that declare a kernel's template arguments expand to nothing in kernels. Host files choose the arguments
// (runtime/ascendc/host/TemplateArguments.h), and opc instantiates the kernel with them.

#ifndef OPC_RUNTIME_ASCENDC_LIB_TEMPLATEARGUMENTS_H
#define OPC_RUNTIME_ASCENDC_LIB_TEMPLATEARGUMENTS_H

#define ASCENDC_TPL_ARGS_DECL(...) static_assert(true, "")
#define ASCENDC_TPL_SEL(...) static_assert(true, "")

#endif // OPC_RUNTIME_ASCENDC_LIB_TEMPLATEARGUMENTS_H
