#include "findings/frame_rest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>

namespace warplint {

const FrameShare *shareOf(unsigned index, const Frame &frame,
                          const Kernel &kernel) {
  const Array &array = kernel.arrays[index];
  for (const FrameShare &share : frame.shares)
    if (share.array && kernel.arrays[*share.array].place == array.place &&
        share.name == array.name)
      return &share;
  return nullptr;
}

bool isOfOthers(const Frame &frame, const std::string &array) {
  return llvm::none_of(frame.shares, [&](const FrameShare &share) {
    return share.kind == FrameShare::Unknown ||
           share.kind == FrameShare::Unnamed ||
           share.kind == FrameShare::Variable ||
           llvm::any_of(share.shared, [&](llvm::StringRef other) {
             return other.contains("'" + array + "'");
           });
  });
}

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
