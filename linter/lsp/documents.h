// The documents that an editor has open, and the runs that lint them: one at a
// time for each, in a process of its own, and none for a text that is gone.
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
    Clock::time_point last; ///< it is ended then
  };
  std::optional<Run> run;
  bool wantsReading = false, wantsJudging = false;
  Clock::time_point due;

  Shown shown;               ///< what the last run said,
  int64_t shownVersion = -1; ///< of this version
  bool isCurrent() const { return shownVersion == version; }
};

class Documents {
public:
  /// `publish` is told of each file whose diagnostics may be others than
  /// before; `say` of what there is to log or, if `isLoud`, to show.
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
  /// What the runs depend on has changed: a configuration, a database.
  void lintAll();
  void setFolder(std::string folder) { folder_ = std::move(folder); }

  const Document *find(const std::string &file) const;
  /// What is known of a file, be it open or included by one that is.
  std::vector<EditorDiagnostic> diagnosticsOf(const std::string &file) const;

  /// Starts what is due, and takes in what has been done.
  void step();
  /// What `step` waits for: more answers, and a time.
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
  const unsigned most_; ///< runs at a time, of those that judge and the others
};

} // namespace warplint
