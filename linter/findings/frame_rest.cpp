#include "findings/frame_rest.h"
#include <algorithm>

namespace warplint {

const FrameShare *muchMoreThan(const FrameShare &share, const Frame &frame) {
  constexpr unsigned much = 16;
  const FrameShare *most = nullptr;
  for (const FrameShare &other : frame.shares)
    if (&other != &share && other.kind != FrameShare::Alignment &&
        (!most || other.bytes > most->bytes))
      most = &other;
  const bool isMuch = most && most->bytes >= much * share.bytes &&
                      most->loads + most->stores >=
                          much * std::max(1u, share.loads + share.stores);
  return isMuch ? most : nullptr;
}

} // namespace warplint
