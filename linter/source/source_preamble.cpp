#include "source/source_preamble.h"
#include "source/clang_command.h"
#include "source/clang_files.h"
#include "source/precompile.h"
#include "source/recording_files.h"
#include "clang/Basic/LangOptions.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LockFileManager.h"
#include "llvm/Support/Path.h"

namespace warplint {

std::optional<SourcePreamble>
SourcePreamble::of(const ParseRequest &request,
                   const std::vector<std::string> &attempt) {
  if (!request.kept.isEnabled() ||
      (request.translation.forHost && request.translation.layoutRight))
    return std::nullopt;
  // Copied: an editor may cut the file short meanwhile.
  auto source = filesForClang(request, diskFor(request), {}, {})
                    ->getBufferForFile(request.command.source, /*FileSize=*/-1,
                                       /*RequiresNullTerminator=*/true,
                                       /*IsVolatile=*/true);
  if (!source)
    return std::nullopt;
  llvm::StringRef text = (*source)->getBuffer();
  clang::LangOptions language;
  language.CPlusPlus = true;
  language.LineComment = true;
  const clang::PreambleBounds bounds =
      clang::Lexer::ComputePreamble(text, language);
  // A licence before the first directive differs from source to source.
  clang::Lexer lexer(clang::SourceLocation(), language, text.begin(),
                     text.begin(), text.end());
  clang::Token first;
  lexer.LexFromRawLexer(first);
  const size_t begin = lexer.getCurrentBufferOffset() - first.getLength();
  if (bounds.Size <= begin)
    return std::nullopt;
  text = text.slice(begin, bounds.Size);
  llvm::SmallString<256> file(request.command.source);
  llvm::sys::path::remove_filename(file);
  llvm::sys::path::append(file, ".warplint-preamble.cu");
  Key key("preamble");
  key.add(file.str()).add(request.command.directory).add(sharedFlags(request));
  key.add(userFlags(request, attempt)).add(text);
  key.add(versionOfHeader(""));
  for (const auto &[path, changed] : request.buffers)
    if (path != request.command.source)
      key.add(path).add(changed);
  return SourcePreamble(request, std::move(*source), bounds,
                        {file.str().str(), text.str()}, attempt, key);
}

std::optional<ParsedBefore> SourcePreamble::made(HeaderChoice &headers) {
  if (!kept_.made() && kept_.isWorthMaking())
    make(headers);
  const MadePreamble *made = kept_.made();
  if (!made)
    return std::nullopt;
  ParsedBefore before = continuing(made->base, made->libraries);
  before.preamble = made->file;
  before.bounds = bounds_;
  before.declarations = made->declarations;
  before.files = made->files;
  before.texts.push_back(directives_);
  return before;
}

void SourcePreamble::make(HeaderChoice &headers) {
  // Other processes read their sources without it instead of waiting.
  llvm::LockFileManager lock(kept_.file());
  llvm::Expected<bool> isOurs = lock.tryLock();
  if (!isOurs || !*isOurs)
    return llvm::consumeError(isOurs.takeError());
  kept_ = Preamble(request_.kept, key_);
  if (kept_.made())
    return;
  for (const UsableHeader &header : headers.usable(attempt_))
    if (makeBehind(header.before))
      return;
  kept_.drop();
}

/// Returns false if it cannot be made with this base.
bool SourcePreamble::makeBehind(const ParsedBefore &base) {
  auto files = llvm::makeIntrusiveRefCnt<RecordingFiles>(diskFor(request_));
  MadePreamble made{kept_.file(), base.header, base.libraries, {}, {}};
  auto write = [&](llvm::StringRef file) {
    return writePreamble(request_, userFlags(request_, attempt_), base,
                         directives_, files, file, made);
  };
  if (!makeFile(request_.kept, made.file, write).value_or(false))
    return false;
  kept_.keep(std::move(made), withoutOwn(files->asked()));
  return true;
}

/// The files without the source itself, whose text is compared by its
/// preamble, and without what is kept here.
std::vector<std::string>
SourcePreamble::withoutOwn(const std::set<std::string> &asked) const {
  llvm::SmallString<256> source(request_.command.source);
  llvm::sys::path::make_absolute(request_.command.directory, source);
  std::vector<std::string> others;
  for (const std::string &file : asked)
    if (file != source &&
        !llvm::StringRef(file).starts_with(request_.kept.folder()))
      others.push_back(file);
  return others;
}

/// True for a header of the project. Which files of the system a source
/// reads itself, and where it looks for them in vain, depends on the
/// precompiled header at the time.
bool SourcePreamble::isProjects(llvm::StringRef file) const {
  return !file.starts_with("/usr/") &&
         !file.starts_with(request_.resourceDir) &&
         !(request_.toolkit && file.starts_with(request_.toolkit->root)) &&
         llvm::sys::fs::is_regular_file(file);
}

bool SourcePreamble::isWorthKeeping(const ParsedSource &parsed) {
  constexpr uint64_t enough = 1 << 16;
  return parsed.headerBytes() >= enough;
}

void SourcePreamble::wasRead(const ParsedSource &parsed) {
  std::vector<std::string> asked =
      withoutOwn({parsed.asked.begin(), parsed.asked.end()});
  llvm::erase_if(asked, [&](const auto &file) { return !isProjects(file); });
  kept_.wasRead(request_.command.source, source_->getBuffer(),
                std::move(asked));
}

} // namespace warplint
