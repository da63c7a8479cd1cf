// How long loops can be whose bounds only the run knows: as long as the arrays
// and the rows that they step through.
#pragma once
#include "cost/evaluation.h"
#include <optional>

namespace warplint {

/// Returns the iterations in which a loop steps through the smallest array of
/// known size, in local, shared or constant memory, that each of them accesses:
/// 2 of `for (i = threadIdx.x; i < n; i += 256) tile[i] = in[i]` with 512
/// elements. None without such an array.
std::optional<double> iterationsThroughArrays(Evaluation &evaluation,
                                              Shape shape, LoopId loop);

/// Returns the iterations in which each lane of a warp steps through a row of
/// global memory up to where the next lane's row begins, if the source says how
/// far apart they are: 5 of `key += 3` from `keys + 16 * i`. Steps of more than
/// a quarter of that go through no row: windows overlap.
std::optional<double> iterationsThroughRows(Evaluation &evaluation, Shape shape,
                                            LoopId loop);

} // namespace warplint
