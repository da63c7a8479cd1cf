// The open documents of an editor, and the runs that lint them. Each document
// has at most one run, in a process of its own; a run for outdated text is
// ended.
#pragma once
#include "lsp/lint_document.h"
#include "os/background_process.h"
#include "llvm/Support/LSP/Protocol.h"
#include <chrono>

namespace warplint {

using Clock = std::chrono::steady_clock;

struct Document {
  llvm::lsp::URIForFile uri; ///< as the editor spells it
  std::string language, text;
  int64_t version = 0;
  bool isSaved = false;

  struct Run {
    BackgroundProcess work;
    bool judges;
    Clock::time_point last; ///< when it is ended
  };
  std::optional<Run> run;
  bool wantsReading = false, wantsJudging = false;
  Clock::time_point due;

  Shown shown;               ///< the result of the last run,
  int64_t shownVersion = -1; ///< of this version
  bool isCurrent() const { return shownVersion == version; }
};

class Documents {
public:
  /// Calls `publish` with each file whose diagnostics may have changed, and
  /// `say` with messages to log or, if `isLoud`, to show.
  struct Listener {
    virtual ~Listener() = default;
    virtual void publish(const std::string &file) = 0;
    virtual void say(const std::string &text, bool isLoud) = 0;
  };
  Documents(const Options &options, Listener &listener);

  void open(const std::string &file, const llvm::lsp::TextDocumentItem &item);
  void change(const std::string &file, std::string text, int64_t version);
  void save(const std::string &file);
  void close(const std::string &file);
  /// Call when a configuration or database that runs depend on changed.
  void lintAll();
  void setFolder(std::string folder) { folder_ = std::move(folder); }

  const Document *find(const std::string &file) const;
  /// The results for a file that is open or that an open file includes.
  std::vector<EditorDiagnostic> diagnosticsOf(const std::string &file) const;

  /// Starts runs that are due, and takes the results of those that ended.
  void step();
  /// The file descriptors and the time that `step` waits for.
  std::vector<int> files() const;
  std::optional<Clock::time_point> next() const;

private:
  using Entry = std::pair<const std::string, Document>;
  void want(Document &document, bool judging, Clock::duration delay);
  void wantIncluding(const std::string &file, bool judging);
  bool mayJudge(const Entry &entry) const;
  void start(Entry &entry, bool judges);
  void startDue();
  void finish(Entry &entry, bool isLate);
  void show(Entry &entry, Shown shown);
  Buffers buffers() const;

  const Options options_;
  Listener &listener_;
  std::string folder_;
  std::map<std::string, Document> documents_; ///< by file
  /// The number of parallel runs, of those that judge and of the others.
  const unsigned most_;
};

} // namespace warplint
