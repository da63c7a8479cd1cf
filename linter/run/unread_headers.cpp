#include "run/unread_headers.h"
#include "base/plural.h"
#include "input/cuda_switch.h"
#include "input/database.h"
#include "input/walk.h"
#include <set>

namespace warplint {

void noteUnreadHeaders(Batch &batch, llvm::ArrayRef<std::string> headers) {
  if (headers.empty())
    return;
  CanonicalPaths canonical;
  std::set<std::string> read;
  for (const Work &work : batch.sources) {
    read.insert(canonical.of(work.command.source));
    for (const std::string &file : work.model.outline.userFiles)
      if (isHeader(file))
        read.insert(canonical.of(file));
  }
  std::vector<std::string> unread;
  for (const std::string &header : headers)
    if (!read.count(canonical.of(header)) && fileHasKernels(header))
      unread.push_back(header);
  if (unread.empty())
    return;
  const bool isOne = unread.size() == 1;
  batch.notes.push_back(counted(unread.size(), "header") +
                        (isOne ? " has kernels, and no source that was read "
                                 "includes it: '"
                               : " have kernels, and no source that was read "
                                 "includes them: first '") +
                        unread.front() + "'; a header that is named is read");
}

} // namespace warplint
