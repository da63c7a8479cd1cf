#include "source/parse.h"
#include "source/clang_command.h"
#include "source/parse_attempt.h"

namespace warplint {
namespace {

/// Which attempt was the best when the source was last read from disk.
class KnownAttempt {
public:
  explicit KnownAttempt(const ParseRequest &request)
      : request_(request), here_(request.kept.folder()) {}

  /// Text in an editor has errors more often than not, and each attempt would
  /// find them again. Returns the index of the attempt to use for it, below
  /// `count`; nothing if none is known, or for the text on disk.
  std::optional<size_t> find(size_t count) const {
    if (request_.buffers.empty())
      return std::nullopt;
    size_t index;
    const std::optional<std::string> text = here_.get(key());
    if (!text || llvm::StringRef(*text).getAsInteger(10, index) ||
        index >= count)
      return std::nullopt;
    return index;
  }

  /// Records an attempt with errors only if no other is recorded.
  void remember(size_t index, bool isClean) const {
    if (!request_.kept.isEnabled() || !request_.buffers.empty())
      return;
    const std::string text = std::to_string(index);
    const std::optional<std::string> former = here_.get(key());
    if (former != text && (isClean || !former))
      here_.put(key(), text);
  }

private:
  std::string key() const {
    return Key("attempt")
        .add(request_.command.source)
        .add(sharedFlags(request_))
        .add(request_.translation.clang)
        .text();
  }

  const ParseRequest &request_;
  const Store here_; ///< the index is of no use to other machines
};

} // namespace

llvm::Expected<std::unique_ptr<ParsedSource>>
parse(const Command &command, const Translation &translation,
      const std::optional<Toolkit> &toolkit, const std::string &resourceDir,
      const Store &kept, const Buffers &buffers) {
  const ParseRequest request{command,     translation, toolkit,
                             resourceDir, kept,        buffers};
  const std::vector<Attempt> attempts =
      attemptsFor(command, translation, releaseOf(request));
  const KnownAttempt knownAttempt(request);
  const std::optional<size_t> known = knownAttempt.find(attempts.size());
  AttemptParser parser(request);
  std::unique_ptr<ParsedSource> best;
  size_t indexOfBest = known.value_or(0);
  unsigned made = 0;
  for (size_t i = indexOfBest; i < (known ? *known + 1 : attempts.size());
       ++i) {
    const auto &[cure, flags] = attempts[i];
    if (best && !mayCure(cure, best->errorKinds, best->errors.size()))
      continue;
    auto attempt =
        best ? parser.parse(flags, best->errors.size()) : parser.parse(flags);
    if (!attempt)
      return attempt.takeError();
    ++made;
    if (best && cure == Cure::HostTemplates)
      dropUsesOfHost((*attempt)->errors, best->errors);
    if (!best || (*attempt)->errors.size() < best->errors.size()) {
      best = std::move(*attempt);
      indexOfBest = i;
    }
    if (best->errors.empty())
      break;
  }
  const bool isClean = best->errors.empty();
  if (!known)
    knownAttempt.remember(indexOfBest, isClean);
  best->asked.assign(parser.asked().begin(), parser.asked().end());
  best->attempts = made;
  if (indexOfBest == 0 && isClean)
    parser.noteClean(attempts[indexOfBest].flags, *best);
  return best;
}

} // namespace warplint
