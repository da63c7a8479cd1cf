// Parts of a stack frame that hardly matter beside what stays in it.
#pragma once
#include "machine/frame.h"

namespace warplint {

/// The largest other part of the frame, if `share` is small beside it in bytes
/// and in local instructions: without `share` the frame stays, and so does
/// nearly all local traffic. Null otherwise.
const FrameShare *muchMoreThan(const FrameShare &share, const Frame &frame);

} // namespace warplint
