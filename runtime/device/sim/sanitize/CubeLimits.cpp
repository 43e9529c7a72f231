// CubeLimits.

#include "runtime/device/sim/sanitize/CubeLimits.h"

#include <initializer_list>

namespace opc::sim {

namespace {
/// A number of a load of windows, and the figure that limits it.
struct ImageLimit {
  ImageNumber number;
  std::string_view what;
  int64_t least;
  std::string_view figure;
};
} // namespace

using N = ImageNumber;
static constexpr ImageLimit kImageLimits[] = {{N::FirstRow, "as the first row", 0, "max_im2col_size"},
                                              {N::FirstColumn, "as the first column", 0, "max_im2col_size"},
                                              {N::Channels, "channels", 1, "max_im2col_size"},
                                              {N::Height, "as the height of the image", 1, "max_image_size"},
                                              {N::Width, "as the width of the image", 1, "max_image_size"},
                                              {N::Top, "as the pad at the top", 0, "max_image_pad"},
                                              {N::Bottom, "as the pad at the bottom", 0, "max_image_pad"},
                                              {N::Left, "as the left pad", 0, "max_image_pad"},
                                              {N::Right, "as the right pad", 0, "max_image_pad"},
                                              {N::FilterHeight, "as the height of the filter", 1, "max_filter_size"},
                                              {N::FilterWidth, "as the width of the filter", 1, "max_filter_size"},
                                              {N::StrideHeight, "as the stride down", 1, "max_window_stride"},
                                              {N::StrideWidth, "as the stride across", 1, "max_window_stride"},
                                              {N::DilationHeight, "as the dilation down", 1, "max_window_dilation"},
                                              {N::DilationWidth, "as the dilation across", 1, "max_window_dilation"}};

CubeLimits::CubeLimits(const Launch &launch)
    : isRecorded(launch.options.recorded), copyBlocks(launch.target.maxCopyBlocks()),
      copyLength(launch.target.limit("max_copy_length")), nzRows(launch.target.limit("max_nz_rows")),
      nzColumns(launch.target.limit("max_nz_columns")), nzPitch(launch.target.limit("max_nz_pitch")),
      nzHeight(launch.target.limit("max_nz_height")), fillRepeats(launch.target.limit("max_fill_repeats")),
      fractalRepeats(launch.target.limit("max_fractal_repeats")),
      fractalStride(launch.target.limit("max_fractal_stride")), im2colSize(launch.target.limit("max_im2col_size")),
      mmadSize(launch.target.limit("max_mmad_size")), fixpipeRows(launch.target.limit("max_fixpipe_rows")),
      fixpipeColumns(launch.target.limit("max_fixpipe_columns")) {
  for (const ImageLimit &limit : kImageLimits)
    image.push_back(launch.target.limit(limit.figure));
}

static std::optional<CubeSize> firstBeyond(std::initializer_list<CubeSize> sizes) {
  for (const CubeSize &size : sizes)
    if (size.value < size.least || size.value > size.most)
      return size;
  return std::nullopt;
}

std::optional<CubeSize> CubeLimits::beyondOfNz(const SimInstruction &op) const {
  const SimAccess &to = op.accesses[0], &from = op.accesses[1];
  // From UB it is a copy of blocks.
  if (op.instruction->packed)
    return firstBeyond({{"columns of fractals", op.rows, 0, copyBlocks},
                        {"blocks of a column", from.rowBytes / kFractalRowBytes, 0, copyLength}});
  const bool isFromUb = op.instruction->pipe == Pipe::MTE3;
  // Kernels of this compiler copy row by row if the vendor's call has too few bits for the pitch.
  const bool hasPitch = from.rows > 1 && isRecorded && !isFromUb;
  return firstBeyond(
      {{"rows", op.rows, 0, isFromUb ? copyBlocks : nzRows},
       {"columns", op.count, 0, nzColumns},
       {"elements from row to row", hasPitch ? from.stride / elementSize(from.operand->type) : 0, 0, nzPitch},
       {"rows in a column of fractals", to.rows > 1 ? to.stride / kFractalRowBytes : 1, 1, nzHeight}});
}

std::optional<CubeSize> CubeLimits::beyondOfImage(const SimInstruction &op) const {
  std::optional<CubeSize> found = firstBeyond({{"rows", op.rows, 0, im2colSize}, {"columns", op.count, 0, im2colSize}});
  // Nothing is loaded of no windows, so there need be no image.
  if (found || op.rows == 0 || op.count == 0)
    return found;
  for (size_t i = 0; i < image.size(); ++i) {
    const ImageLimit &limit = kImageLimits[i];
    const int64_t value = op.image.of(limit.number);
    if (value < limit.least || value > image[i])
      return CubeSize{limit.what, value, limit.least, image[i]};
  }
  return std::nullopt;
}

std::optional<CubeSize> CubeLimits::beyond(const SimInstruction &op) const {
  const SimAccess &to = op.accesses[0], &from = op.accesses[1];
  switch (op.instruction->kind) {
  case PipeInstruction::LoadNz:
    return beyondOfNz(op);
  case PipeInstruction::Fill:
    return firstBeyond(
        {{"repeats", op.rows, 0, fillRepeats},
         {"blocks", op.count, 0, fillRepeats},
         {"blocks between repeats", to.rows > 1 ? (to.stride - to.rowBytes) / kFractalRowBytes : 0, 0, fillRepeats}});
  case PipeInstruction::LoadFractals: // of bytes in squares, the call counts squares of the source
    return firstBeyond({{"repeats", op.rows, 0, fractalRepeats},
                        {"fractals from one to the next",
                         from.rows > 1 ? from.stride / op.instruction->repeatBytes() : 1, 0, fractalStride},
                        {"fractals between two of the destination", to.rows > 1 ? to.stride / kFractalBytes - 1 : 0, 0,
                         fractalStride}});
  case PipeInstruction::LoadIm2col:
    return beyondOfImage(op);
  case PipeInstruction::LoadBias:
    return firstBeyond({{"units of 64 bytes", op.count, 0, copyLength}});
  case PipeInstruction::Mmad:
    return firstBeyond({{"m", op.rows, 0, mmadSize}, {"n", op.count, 0, mmadSize}, {"k", op.depth, 0, mmadSize}});
  default:
    return firstBeyond({{"rows", op.rows, 0, fixpipeRows}, {"columns", op.count, 0, fixpipeColumns}});
  }
}

} // namespace opc::sim
