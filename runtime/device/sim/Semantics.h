// The assumed semantics: what the simulator does where the chip's behaviour is not published.
//
// runtime/target/accuracy/Accuracy.def has bounds on accuracy, overflow of 16-bit floats, fused products and subnormal
// numbers, and --numerics=worst takes the other end of these bounds. This table describes the exact mode only.
//
// A kernel whose result depends on a row may give other bits on a board, within what the row says. The CPU form
// of a kernel follows the same table. Figures of the chip (sizes, alignments, supported types) are in
// runtime/target instead.
//
// clang-format off
//   what                      here                                                   why it is an assumption
//   ------------------------  -----------------------------------------------------  ----------------------------------
//   add sub mul, f16 and f32  correctly rounded, to nearest, ties to even            the usual; not published
//   div, rec, sqrt            correctly rounded                                      iterated units often lose an ulp
//   rsqrt                     f16 correctly rounded, f32 within kElementaryUlp;      as above
//                             of -0: minus infinity
//   exp, ln                   f16 correctly rounded, f32 within kElementaryUlp       ulp not published
//   floor                     exact for every number, infinities stay                not by a way through integers
//   subnormal numbers         kept in arguments and results, f16 and f32             flush modes are not published
//   NaN made by arithmetic    the one quiet NaN 0x7e00, 0x7fc00000                   sign and payload are not published
//   NaN in max, min, relu,    the result is NaN                                      IEEE 754-2019 maximum and minimum;
//     leaky relu, reductions                                                         the chip may prefer the number
//   zeros in max and min      +0 is larger than -0; relu(-0) is +0                   IEEE 754-2019
//   compare with NaN          false, `ne` true                                       IEEE
//   compounds                 each step rounded to the type it works in              a fused step would round once
//   muladd, axpy f16 to f32   product exact in f32, sum rounded to f32               accumulates in the wider type
//   order of a sum            neighbours in pairs, level by level, each step         the tree within and over repeats
//                             rounded to the type; whole repeats, then the tail,     is documented, the tail read in
//                             then both; an odd one passes up                        public headers; the odd one is not
//   part of a repeat          counts as if the rest added 0, or lost every           for blocks and pairs without
//                             comparison                                             elements documented, else not
//   index of an extreme       of the first of equal elements; of the first NaN       which of equal ones: not published
//   after kept elements       undefined, up to the source's length                   how far a call writes is not said
//     (gather_mask)
//   equal offsets (scatter)   the later lane stays                                   not published
//   NaN in a sort, a merge    after every number, in the order of the source;        not published; order of equal
//                             the zeros are equal                                    scores is documented
//   middle of an f16 pair     two bytes of 0                                         documented as reserved
//   integers                  add, sub, mul, abs wrap around                         might saturate
//   shift by width or more    no bit of the source is left; signed right: the sign   might take the amount modulo width
//   float to integer          rounds by its mode, saturates; NaN gives 0             NaN is not published
//   int32 to int16            saturates                                              might keep the low half
//   int32 to f16              by its mode, scale 1; through f32, which for            the chip has a scale register
//                             numbers that f16 holds is one rounding too
//   float to f16, bf16        too large is infinite; the largest number where the    a mode register may say saturate
//                             mode rounds toward zero
//   scalar operand            f32 rounded to the vector's type, integers cut         no scalar half on the chip
//   varange of floats         scalar + lane number, rounded once                     might add up step by step
//   lanes past a compare      compared as they are in UB, their bits are written     emulated masks
//   scratch                   holds nothing afterwards                               not to be relied on
//   UB at the start           undefined; bytes 0xff here                             left over from the last kernel
//   instruction under way     reads and writes count from start to completion        latencies are not published
//   queue of a pipe           kQueueDepth instructions, then the scalar unit         depth not published
//                             stalls
// clang-format on

#ifndef OPC_RUNTIME_DEVICE_SIM_SEMANTICS_H
#define OPC_RUNTIME_DEVICE_SIM_SEMANTICS_H

#include <cstddef>

namespace opc::sim {

/// Bound on the error of f32 exp, ln and rsqrt, in ulps of the result (subnormal results: of the smallest number).
inline constexpr double kElementaryUlp = 0.501;

/// Capacity of a pipe's queue; the scalar unit stalls when it is full.
inline constexpr size_t kQueueDepth = 4096;

} // namespace opc::sim

#endif // OPC_RUNTIME_DEVICE_SIM_SEMANTICS_H
