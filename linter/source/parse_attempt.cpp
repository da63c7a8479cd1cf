#include "source/parse_attempt.h"
#include "source/clang_command.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <utility>

namespace warplint {
namespace {

/// Returns true if the errors are the same, at the same lines: a keyword moves
/// what follows it.
bool hasSameErrors(llvm::ArrayRef<ParseError> errors,
                   llvm::ArrayRef<ParseError> before) {
  return llvm::equal(errors, before, [](const auto &a, const auto &b) {
    return std::tie(a.file, a.line, a.text) == std::tie(b.file, b.line, b.text);
  });
}

/// Returns true if an error may come from a precompiled header that the source
/// does not include: one of its names, such as `count`, after `using namespace
/// std`.
bool mayComeFromPrecompiledHeader(const std::vector<ParseError> &errors) {
  return llvm::any_of(errors, [](const ParseError &error) {
    llvm::StringRef text = error.text;
    return text.contains("ambiguous") || text.contains("redefinition") ||
           text.contains("conflict");
  });
}

/// Returns true unless the errors are those of names that no declaration that
/// was left out has, and of what stands around them.
bool mayMissDropped(const ParsedSource &parsed) {
  const clang::IdentifierTable &words =
      parsed.instance().getPreprocessor().getIdentifierTable();
  auto isAround = [](const ParseError &error) {
    return llvm::StringRef(error.text).starts_with("expected ");
  };
  auto isOfAnother = [&](const ParseError &error) {
    llvm::StringRef text = error.text;
    if (!text.consume_front("use of undeclared identifier '") &&
        !text.consume_front("unknown type name '"))
      return isAround(error);
    const auto word = words.find(text.split('\'').first);
    return word == words.end() || !parsed.dropped.contains(word->second);
  };
  return !parsed.dropped.empty() &&
         (llvm::all_of(parsed.errors, isAround) ||
          !llvm::all_of(parsed.errors, isOfAnother));
}

} // namespace

/// Parses once more if a declaration that was left out may be missed.
llvm::Expected<std::unique_ptr<ParsedSource>>
AttemptParser::parse(const std::vector<std::string> &flags,
                     size_t fewestErrors) {
  fewestErrors_ = fewestErrors;
  auto attempt = parseWithSpaces(flags);
  if (!attempt || (*attempt)->errors.empty())
    return attempt;
  mayDropUnused_ = false;
  return mayMissDropped(**attempt) ? parseWithSpaces(flags)
                                   : std::move(attempt);
}

/// Parses once more if definitions lack the `__device__` of their declarations.
AttemptParser::Result
AttemptParser::parseWithSpaces(const std::vector<std::string> &flags) {
  auto attempt = parseWithKeywords(flags);
  MissingSpaces &missing = changes_.missingSpaces;
  if (!attempt || !missing.empty())
    return attempt;
  missing = missingSpaces(**attempt);
  if (missing.empty())
    return attempt;
  auto again = parseWithKeywords(flags);
  if (again && (*again)->errors.size() <= (*attempt)->errors.size())
    return again;
  llvm::consumeError(again.takeError());
  missing.clear();
  return attempt;
}

/// Parses once more with the keywords `template` that Clang misses, and again
/// for those that it finds missing only then: code instantiated by code that
/// it had rejected. The offsets of each round are those in its own text.
AttemptParser::Result
AttemptParser::parseWithKeywords(const std::vector<std::string> &flags) {
  auto attempt = parseWithConstructors(flags);
  if (!attempt || (*attempt)->missingKeywords.empty())
    return attempt;
  Buffers best = changes_.withKeywords;
  std::unique_ptr<ParsedSource> again;
  for (unsigned round = 0; round < 3; ++round) {
    const ParsedSource &last = again ? *again : **attempt;
    if (last.missingKeywords.empty())
      break;
    for (const auto &[file, keywords] : last.missingKeywords)
      addKeywords(file, keywords);
    auto next = parseWithConstructors(flags);
    if (!next) {
      llvm::consumeError(next.takeError());
      break;
    }
    if ((*next)->errors.size() < (*attempt)->errors.size()) {
      attempt = std::move(*next);
      again = nullptr;
      best = changes_.withKeywords;
      continue;
    }
    // Clang goes on to the next argument of a call only behind one that it
    // understands.
    if ((*next)->errors.size() > (*attempt)->errors.size() ||
        hasSameErrors((*next)->errors, last.errors))
      break;
    again = std::move(*next);
  }
  changes_.withKeywords = std::move(best);
  return attempt;
}

void AttemptParser::addKeywords(const std::string &file,
                                const KeywordsInFile &keywords) {
  llvm::SmallString<256> path(file);
  llvm::sys::path::make_absolute(request_.command.directory, path);
  std::string &text = changes_.withKeywords[file];
  if (text.empty())
    if (auto read = readText(path.str().str(), request_.buffers))
      text = read->getBuffer().str();
  text = withKeywords(text, keywords);
}

/// Parses once more if variables in shared memory have constructors: without
/// precompiled headers that may hold their classes, which are not defined
/// again.
AttemptParser::Result
AttemptParser::parseWithConstructors(const std::vector<std::string> &flags) {
  auto attempt = parseWithHeaders(flags);
  for (auto limit :
       {HeaderChoice::Limit::WithoutLibraries, HeaderChoice::Limit::None}) {
    if (!attempt || (*attempt)->constructedInShared.empty())
      break;
    const std::set<std::string> before = changes_.inShared;
    changes_.inShared.insert((*attempt)->constructedInShared.begin(),
                             (*attempt)->constructedInShared.end());
    const auto former = headers_.limit();
    headers_.setLimit(std::min(former, limit));
    auto again = parseWithHeaders(flags);
    if (again && (*again)->errors.size() < (*attempt)->errors.size()) {
      attempt = std::move(again);
      continue;
    }
    llvm::consumeError(again.takeError());
    changes_.inShared = before;
    headers_.setLimit(former);
  }
  return attempt;
}

AttemptParser::Result
AttemptParser::parseWithHeaders(const std::vector<std::string> &flags) {
  if (auto attempt = parseAfterPreamble(flags))
    return attempt;
  for (const UsableHeader &header : headers_.usable(flags)) {
    auto attempt = parseOnce(flags, header.before);
    if (!attempt) {
      // For example: a header is newer than the precompiled header.
      llvm::consumeError(attempt.takeError());
      dropPrecompiledHeader(header.before.header);
    } else if (headers_.excludeIfChanged(flags, header.before, **attempt)) {
      continue;
    } else if (mayComeFromPrecompiledHeader((*attempt)->errors)) {
      headers_.setLimit(header.before.libraries.empty()
                            ? HeaderChoice::Limit::None
                            : HeaderChoice::Limit::WithoutLibraries);
    } else {
      headers_.wereRead(flags, header.lacks, **attempt);
      return attempt;
    }
  }
  return parseOnce(flags, {});
}

std::optional<SourcePreamble>
AttemptParser::preambleOf(const std::vector<std::string> &flags) const {
  if (changes_.any() || headers_.limit() == HeaderChoice::Limit::None)
    return std::nullopt;
  return SourcePreamble::of(request_, flags);
}

/// Parses only what follows the preamble. Returns null where there is no
/// preamble to use.
std::unique_ptr<ParsedSource>
AttemptParser::parseAfterPreamble(const std::vector<std::string> &flags) {
  std::optional<SourcePreamble> own = preambleOf(flags);
  const auto before = own ? own->made(headers_) : std::nullopt;
  if (!before)
    return nullptr;
  auto attempt = parseOnce(flags, *before);
  // An error in a header may be due to what the source says after it.
  const bool isWhole =
      attempt && !mayComeFromPrecompiledHeader((*attempt)->errors) &&
      llvm::all_of((*attempt)->errors, [&](const ParseError &error) {
        return error.file == request_.command.source;
      });
  if (!attempt) {
    llvm::consumeError(attempt.takeError());
    own->drop();
  }
  if (!isWhole)
    return nullptr;
  asked_.insert(own->asked().begin(), own->asked().end());
  usesPreamble_ = true;
  return std::move(*attempt);
}

void AttemptParser::noteClean(const std::vector<std::string> &flags,
                              const ParsedSource &parsed) {
  if (usesPreamble_ || !SourcePreamble::isWorthKeeping(parsed))
    return;
  if (std::optional<SourcePreamble> own = preambleOf(flags))
    own->wasRead(parsed);
}

AttemptParser::Result
AttemptParser::parseOnce(const std::vector<std::string> &flags,
                         const ParsedBefore &before) {
  auto run = [&] {
    return warplint::parseOnce(
        request_,
        {userFlags(request_, flags), mayParseLate_, mayDropUnused_,
         fewestErrors_},
        before, changes_, asked_);
  };
  auto parsed = run();
  if (!parsed || !(*parsed)->hasErrorsInLateBodies)
    return parsed;
  // The body may have found a name that the source declares after it.
  mayParseLate_ = false;
  return run();
}

} // namespace warplint
