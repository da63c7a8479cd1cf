// Runs with a cache of their own, over sources that a test changes.
#pragma once
#include "cache/store.h"
#include "input_folder.h"
#include "report/json.h"
#include "run/pipeline.h"
#include "llvm/Support/raw_ostream.h"
#include <gmock/gmock.h>
#include <unistd.h>

namespace warplint {

class CachedRun : public testing::Test {
protected:
  void SetUp() override {
    options.command = CommandName::Check;
    options.sources.paths = {folder.path};
    options.compiling.judge = false;
    options.cache.folder = kept / "cache";
  }

  /// Files that this run has written before it began.
  std::string write(llvm::StringRef name, llvm::StringRef text) {
    std::string file = folder.write(name, text);
    usleep(15'000); // files changed during a run are not cached
    return file;
  }

  /// What has just changed is looked at again by the next run, which then keeps
  /// more.
  void letFilesAge() { sleep(2); }

  Report run() {
    auto report = check(options);
    if (report)
      return std::move(*report);
    ADD_FAILURE() << llvm::toString(report.takeError());
    return {};
  }

  std::vector<unsigned> lines() {
    std::vector<unsigned> lines;
    for (const Finding &finding : run().findings)
      lines.push_back(finding.place.line);
    return lines;
  }

  std::string json() {
    std::string text;
    llvm::raw_string_ostream out(text);
    printJson(run(), true, out);
    return text;
  }

  /// Records there are; the same number if a run has added nothing.
  uint64_t records() { return Store(options.cache.folder).size().records; }

  InputFolder folder, kept;
  Options options;
};

} // namespace warplint
