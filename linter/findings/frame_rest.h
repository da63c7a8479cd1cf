// An array's part of a stack frame, beside what else is in it.
#pragma once
#include "machine/frame.h"
#include "model/model.h"
#include <string>

namespace warplint {

/// The part of the array `index` of the kernel; null if none is known to be. A
/// function that is inlined twice has two arrays in the model and one in the
/// frame.
const FrameShare *shareOf(unsigned index, const Frame &frame,
                          const Kernel &kernel);

/// Returns true if all bytes of the frame are known to be of others than the
/// array of that name.
bool isOfOthers(const Frame &frame, const std::string &array);

/// The largest other part of the frame, if `share` is small beside it in bytes
/// and in local instructions: without `share` the frame stays, and so does
/// nearly all local traffic. Null otherwise.
const FrameShare *muchMoreThan(const FrameShare &share, const Frame &frame);

} // namespace warplint
