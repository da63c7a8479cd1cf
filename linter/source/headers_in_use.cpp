#include "source/headers_in_use.h"
#include "source/attempts.h"
#include "source/clang_command.h"
#include "source/header_choice.h"
#include "source/source_preamble.h"

namespace warplint {

static std::vector<Attempt> attemptsOf(const ParseRequest &request) {
  return attemptsFor(request.command, request.translation, releaseOf(request));
}

std::string cachedPrecompiledHeader(const Command &command,
                                    const Translation &translation,
                                    const std::optional<Toolkit> &toolkit,
                                    const std::string &resourceDir,
                                    const Store &kept,
                                    const std::string &libraries) {
  const Buffers none;
  const ParseRequest request{command,     translation, toolkit,
                             resourceDir, kept,        none};
  return HeaderChoice(request).cached(attemptsOf(request).front().flags,
                                      libraries);
}

void dropPrecompiledHeaders(const Command &command,
                            const Translation &translation,
                            const std::optional<Toolkit> &toolkit,
                            const std::string &resourceDir, const Store &kept) {
  const Buffers none;
  const ParseRequest request{command,     translation, toolkit,
                             resourceDir, kept,        none};
  HeaderChoice headers(request);
  for (const Attempt &attempt : attemptsOf(request)) {
    if (auto preamble = SourcePreamble::of(request, attempt.flags))
      preamble->drop();
    for (const UsableHeader &header :
         headers.usable(attempt.flags, /*mayMake=*/false))
      dropPrecompiledHeader(header.before.header);
  }
}

} // namespace warplint
