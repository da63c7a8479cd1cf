#include "lsp/documents.h"
#include "base/parse_json.h"
#include "base/regular_file.h"
#include "input/database.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include <poll.h>
#include <thread>

using namespace llvm;
using namespace std::chrono_literals;

namespace warplint {

/// Shorter than a pause of the user, longer than the time between two keys of a
/// word typed quickly.
static constexpr auto pause = 100ms;

Documents::Documents(const Options &options, Listener &listener)
    : options_(options), listener_(listener),
      most_(options.limits.threads
                ? options.limits.threads
                : std::max(1u, std::thread::hardware_concurrency())) {}

/// True if the file on disk has the same text. Editors remove a byte order mark
/// and may convert line ends.
static bool isOnDisk(const std::string &file, StringRef text) {
  auto read = readRegularFile(file);
  if (!read)
    return false;
  StringRef disk = (*read)->getBuffer();
  disk.consume_front("\xEF\xBB\xBF");
  auto plain = [](StringRef text) {
    std::string result = text.str();
    llvm::erase(result, '\r');
    return result;
  };
  return disk == text || plain(disk) == plain(text);
}

void Documents::want(Document &document, bool judging, Clock::duration delay) {
  document.wantsReading = true;
  document.wantsJudging = judging && options_.compiling.judge;
  document.due = Clock::now() + delay;
  document.run.reset();
}

/// A document that includes a changed one has changed as well.
void Documents::wantIncluding(const std::string &file, bool judging) {
  for (auto &[other, document] : documents_)
    if (other != file && document.shown.files.count(file))
      want(document, judging, 2 * pause);
}

void Documents::open(const std::string &file,
                     const lsp::TextDocumentItem &item) {
  Document &document = documents_[file];
  document.uri = item.uri;
  document.language = item.languageId;
  document.text = item.text;
  document.version = item.version;
  document.isSaved = isOnDisk(file, item.text);
  want(document, true, 0ms);
}

void Documents::change(const std::string &file, std::string text,
                       int64_t version) {
  auto entry = documents_.find(file);
  if (entry == documents_.end())
    return;
  entry->second.text = std::move(text);
  entry->second.version = version;
  entry->second.isSaved = false;
  want(entry->second, false, pause);
  wantIncluding(file, false);
}

void Documents::save(const std::string &file) {
  auto entry = documents_.find(file);
  if (entry == documents_.end())
    return;
  Document &document = entry->second;
  document.isSaved = true;
  document.wantsJudging = options_.compiling.judge;
  // Nothing to do: this text has been read or is being read.
  if (document.wantsReading || (!document.run && !document.isCurrent()))
    want(document, true, 0ms);
  wantIncluding(file, true);
}

void Documents::close(const std::string &file) {
  auto entry = documents_.find(file);
  if (entry == documents_.end())
    return;
  std::set<std::string> told = {file};
  for (const auto &[other, _] : entry->second.shown.diagnostics)
    told.insert(other);
  documents_.erase(entry);
  wantIncluding(file, true); // they read the file on disk again
  for (const std::string &each : told)
    listener_.publish(each);
}

void Documents::lintAll() {
  for (auto &[_, document] : documents_)
    want(document, true, pause);
}

const Document *Documents::find(const std::string &file) const {
  auto entry = documents_.find(file);
  return entry == documents_.end() ? nullptr : &entry->second;
}

std::vector<EditorDiagnostic>
Documents::diagnosticsOf(const std::string &file) const {
  auto in = [&](const Document &document) {
    auto found = document.shown.diagnostics.find(file);
    return found == document.shown.diagnostics.end()
               ? std::vector<EditorDiagnostic>()
               : found->second;
  };
  if (const Document *own = find(file))
    return in(*own);
  // Several open documents may include it; each reports the same.
  std::vector<EditorDiagnostic> all;
  for (const auto &[_, document] : documents_)
    for (EditorDiagnostic &one : in(document))
      if (none_of(all, [&](const EditorDiagnostic &other) {
            return other.range == one.range && other.code == one.code &&
                   other.message == one.message;
          }))
        all.push_back(std::move(one));
  return all;
}

/// Every file that the compiler reads must be saved, since it reads from disk.
bool Documents::mayJudge(const Entry &entry) const {
  return all_of(documents_, [&](const Entry &other) {
    return other.second.isSaved ||
           (&other != &entry && !entry.second.shown.files.count(other.first));
  });
}

Buffers Documents::buffers() const {
  Buffers result;
  for (const auto &[file, document] : documents_)
    if (!document.isSaved) {
      result[file] = document.text;
      result[canonicalPath(file)] = document.text;
    }
  return result;
}

void Documents::start(Entry &entry, bool judges) {
  auto &[file, document] = entry;
  LintRequest request;
  request.file = file;
  request.language = document.language;
  request.folder = folder_;
  request.judge = judges;
  request.through = document.shown.through;
  request.refuted = document.shown.refuted;
  BackgroundProcess work([&] {
    Options options = options_;
    options.sources.buffers = buffers();
    return formatv("{0}", toJSON(lintDocument(request, std::move(options))))
        .str();
  });
  (judges ? document.wantsJudging : document.wantsReading) = false;
  // Reading takes about a second; the judge has limits of its own.
  document.run.emplace(Document::Run{std::move(work), judges,
                                     Clock::now() + (judges ? 15min : 1min)});
}

void Documents::startDue() {
  for (const bool judges : {false, true})
    for (Entry &entry : documents_) {
      Document &document = entry.second;
      const unsigned running = count_if(documents_, [&](const Entry &other) {
        return other.second.run && other.second.run->judges == judges;
      });
      const bool isWanted = judges ? document.wantsJudging && mayJudge(entry)
                                   : document.wantsReading;
      if (isWanted && !document.run && running < most_ &&
          (document.due <= Clock::now()) && (!judges || !document.wantsReading))
        start(entry, judges);
    }
}

static Shown failed(const std::string &file, const std::string &why) {
  EditorDiagnostic diagnostic;
  diagnostic.severity = lsp::DiagnosticSeverity::Information;
  diagnostic.source = "warplint";
  diagnostic.message = "not read: " + why;
  Shown shown;
  shown.diagnostics[file].push_back(std::move(diagnostic));
  return shown;
}

void Documents::show(Entry &entry, Shown shown) {
  auto &[file, document] = entry;
  std::set<std::string> told = {file};
  for (const Shown *each : {&document.shown, &shown})
    for (const auto &[other, _] : each->diagnostics)
      told.insert(other);
  document.shown = std::move(shown);
  document.shownVersion = document.version;
  for (const std::string &note : document.shown.notes)
    listener_.say(note, /*isLoud=*/false);
  if (!document.shown.failure.empty())
    listener_.say(document.shown.failure, /*isLoud=*/true);
  for (const std::string &each : told)
    listener_.publish(each);
}

void Documents::finish(Entry &entry, bool isLate) {
  auto &[file, document] = entry;
  const Document::Run run = std::move(*document.run);
  document.run.reset();
  Shown shown;
  bool isGood = false;
  if (auto answer = parseJson(run.work.answer())) {
    json::Path::Root root;
    isGood = fromJSON(*answer, shown, root);
  } else {
    consumeError(answer.takeError());
  }
  if (!isGood)
    shown = failed(file, isLate ? "it took too long" : "it ended in a crash");
  // For a text that cannot be read, the includes and refuted findings of the
  // last run still apply.
  if (shown.files.empty())
    shown.files = document.shown.files;
  if (shown.through.empty())
    shown.through = document.shown.through;
  if (!run.judges || !isGood)
    shown.refuted = document.shown.refuted;
  show(entry, std::move(shown));
  // The document includes a header that is not saved.
  if (run.judges && !mayJudge(entry))
    want(document, false, 0ms);
}

void Documents::step() {
  for (Entry &entry : documents_) {
    auto &run = entry.second.run;
    if (!run)
      continue;
    pollfd file = {run->work.file(), POLLIN, 0};
    const bool isLate = Clock::now() > run->last;
    if (isLate || run->work.file() < 0 ||
        (poll(&file, 1, 0) > 0 && !run->work.read()))
      finish(entry, isLate);
  }
  startDue();
}

std::vector<int> Documents::files() const {
  std::vector<int> result;
  for (const auto &[_, document] : documents_)
    if (document.run)
      result.push_back(document.run->work.file());
  return result;
}

std::optional<Clock::time_point> Documents::next() const {
  std::optional<Clock::time_point> first;
  for (const auto &[_, document] : documents_) {
    const bool waits = document.wantsReading || document.wantsJudging;
    // A document that is due but cannot start waits for another event.
    if (!document.run && (!waits || document.due <= Clock::now()))
      continue;
    const Clock::time_point time =
        document.run ? document.run->last : document.due;
    first = std::min(first.value_or(time), time);
  }
  return first;
}

} // namespace warplint
