#include "tools/opc/source/SourceOptions.h"

namespace opc::tool {

std::string SourceRunOptions::stray() const {
  return !tiling.empty()            ? "--tiling"
         : !host.empty()            ? "--host"
         : tilingKey                ? "--tiling_key"
         : blocks                   ? "--block_dim"
         : !outputShapes.empty()    ? "--output_shape"
         : !outputTypes.empty()     ? "--output_dtype"
         : !source.kernel.empty()   ? "--kernel"
         : !source.defines.empty()  ? "--define"
         : !source.includes.empty() ? "--include"
         : !source.compiler.empty() ? "--cxx"
         : !cann.empty()            ? "--cann"
         : autoSync != "on"         ? "--auto-sync"
                                    : "";
}

void addSourceOptions(Arguments &arguments, SourceRunOptions &options, const std::string &source) {
  if (source == "--source")
    arguments
        .option("--source", options.source.path,
                "instead of an op folder: a kernel in Ascend C, or the folder of an operator that has op_kernel and "
                "op_host; "
                "it is compiled here, recorded, and run on sim")
        .typeName("FILE|DIR");
  const std::string with = "with " + source + ": ";
  arguments
      .option("--host", options.host,
              with + "folder with the operator's host files; its definition, shapes and tiling function are used "
                     "(default op_host beside the op_kernel of a folder)")
      .typeName("DIR");

  arguments.option("--kernel", options.source.kernel, with + "name of the kernel, if there are several")
      .typeName("NAME");
  arguments
      .option("--tiling", options.tiling,
              with + "file with the bytes of the kernel's tiling structure (default: what the operator's "
                     "TilingFunc computes)")
      .typeName("FILE");
  arguments
      .option("--tiling_key", options.tilingKey,
              with + "tiling key for TILING_KEY_IS (default: what TilingFunc sets, or 0)")
      .typeName("N");
  arguments
      .option("--block_dim", options.blocks, with + "number of logical blocks (default: what TilingFunc sets, or 1)")
      .typeName("N");
  arguments
      .option("--output_shape", options.outputShapes,
              with + "shapes of outputs, 'y:2,3;z:4' (default the shape of the first input)")
      .typeName("NAME:SIZE,SIZE");
  arguments
      .option("--output_dtype", options.outputTypes,
              with + "types of outputs, 'y:float32' (default the type of the first input)")
      .typeName("NAME:TYPE");
  if (!arguments.declares("--soc_version")) // else the caller sets it
    arguments.option("--soc_version", options.chip, with + "chip (default Ascend310B1)").typeName("CHIP");
  arguments
      .option("--cann", options.cann,
              with + "reject calls that this version of the toolkit lacks (default: accept the calls of all "
                     "versions, and report those that only one has)")
      .typeName("8.1|9.1");
  arguments
      .option("--auto-sync", options.autoSync,
              with + "'on' adds the flags between the scalar unit and other pipes that the vendor's compiler adds "
                     "on this chip, and reports them; 'off' adds none, so that a kernel has to have them (default on)")
      .typeName("on|off");
  arguments.option("--include", options.source.includes, with + "folder with headers").typeName("DIR").oneEach();
  arguments.option("--define", options.source.defines, with + "definition of a macro").typeName("NAME=VALUE").oneEach();
  arguments
      .option("--cxx", options.source.compiler, with + "C++ compiler (default CXX, else clang++-22, clang++, c++, g++)")
      .typeName("FILE");
  arguments
      .option("--timeout", options.timeout,
              with + "limit of CPU time for the kernel's own code, in seconds (default 10)")
      .typeName("SECONDS")
      .check(wholeNumber(1, 3600));
}

const Target *checkSourceOptions(const SourceRunOptions &options, Diagnostics &diagnostics) {
  const Target *target = findTarget(options.chip);
  if (!target) {
    const std::string near = nearestName(options.chip, targetNames());
    diagnostics.error(Code::E0106, {}, "there is no chip '" + printable(options.chip) + "'", {},
                      near.empty() ? "" : "did you mean '" + near + "'?");
  } else if (options.blocks && (*options.blocks < 1 || *options.blocks > target->maxBlocks())) {
    diagnostics.error(Code::E0104, {},
                      "--block_dim expects 1 to " + std::to_string(target->maxBlocks()) + ", found " +
                          std::to_string(*options.blocks));
  }
  if (!options.cann.empty() && !findCann(options.cann))
    diagnostics.error(Code::E0104, {}, "--cann expects 8.1 or 9.1, found '" + printable(options.cann) + "'");
  if (options.autoSync != "on" && options.autoSync != "off")
    diagnostics.error(Code::E0104, {}, "--auto-sync expects on or off, found '" + printable(options.autoSync) + "'");
  return diagnostics.hasErrors() ? nullptr : target;
}

} // namespace opc::tool
