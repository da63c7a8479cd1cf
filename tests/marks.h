// Findings held against what a source says of itself: `// expect: <check>` and
// `// refuted: <check>` at the end of a line.
#pragma once
#include "findings/check.h"
#include "nvcc.h"
#include "run/pipeline.h"
#include "test_paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace warplint {

/// Tests share precompiled headers and what nvcc makes of a fixture.
inline Report reportOf(Options options) {
  options.cache.folder = WARPLINT_TEST_CACHE;
  auto report = check(options);
  if (!report) {
    ADD_FAILURE() << llvm::toString(report.takeError());
    return {};
  }
  for (const UnreadSource &unread : report->unread)
    ADD_FAILURE() << unread.source << ": " << unread.firstError;
  return std::move(*report);
}

inline Report linted(std::vector<std::string> files,
                     std::vector<std::string> enabled,
                     std::vector<std::string> architectures = {},
                     std::vector<std::string> flags = {}) {
  Options options;
  options.settings.architectures = std::move(architectures);
  options.command = CommandName::Check;
  options.sources.paths = std::move(files);
  options.sources.extraFlags = std::move(flags);
  options.settings.enabled = std::move(enabled);
  options.settings.allChecks = options.settings.enabled.empty();
  return reportOf(options);
}

/// The files of a folder of the project whose names end so, sorted.
inline std::vector<std::string> filesIn(llvm::StringRef folder,
                                        llvm::StringRef ending) {
  std::vector<std::string> files;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator
           entry(std::string(WARPLINT_SOURCE_DIR "/") + folder.str(), error),
       end;
       !error && entry != end; entry.increment(error))
    if (llvm::StringRef(entry->path()).ends_with(ending))
      files.push_back(entry->path());
  llvm::sort(files);
  return files;
}

/// A line and a check.
using Mark = std::pair<unsigned, std::string>;

struct Marks {
  std::set<Mark> expected, refuted;
};

inline std::set<std::string> checksAfter(llvm::StringRef word,
                                         llvm::StringRef line) {
  std::set<std::string> result;
  for (size_t at = line.find(word); at != llvm::StringRef::npos;
       at = line.find(word, at + 1)) {
    llvm::StringRef rest = line.substr(at + word.size());
    result.insert(
        rest.take_while([](char c) { return llvm::isAlnum(c) || c == '-'; })
            .str());
  }
  return result;
}

inline Marks marksOf(const std::string &file) {
  Marks marks;
  std::string text = readFile(file);
  unsigned number = 0;
  for (llvm::StringRef line : llvm::split(text, '\n')) {
    ++number;
    for (const std::string &id : checksAfter("// expect: ", line))
      marks.expected.insert({number, id});
    for (const std::string &id : checksAfter("// refuted: ", line))
      marks.refuted.insert({number, id});
  }
  return marks;
}

struct Seen {
  std::set<Verdict> verdicts;
  std::string text; ///< for whoever has to look into it
};

inline std::map<Mark, Seen> seenIn(const Report &report,
                                   const std::string &file) {
  std::map<Mark, Seen> result;
  for (const Finding &finding : report.findings) {
    if (finding.place.file != file)
      continue;
    Seen &seen = result[{finding.place.line, finding.check}];
    seen.verdicts.insert(finding.verdict());
    seen.text += finding.message;
    for (const FindingKernel &kernel : finding.kernels)
      seen.text += "\n    " + kernel.name + ": " +
                   spelling(kernel.judgement.verdict) + ", " +
                   kernel.judgement.evidence;
    seen.text += '\n';
  }
  return result;
}

/// With nvcc a mark means confirmed or refuted; without it both are unjudged.
/// `only`: the marks of one check; empty: of all.
inline void expectAsMarked(const Report &report, const std::string &file,
                           const std::string &only = "") {
  const bool judged = !nvccForTests().empty();
  const std::map<Mark, Seen> seen = seenIn(report, file);
  Marks marks = marksOf(file);
  // Findings of compiled code need a compiler.
  if (!judged)
    std::erase_if(marks.expected, [&](const Mark &mark) {
      const Check *check = findCheck(mark.second);
      return check && check->inspectCompiled && !seen.count(mark);
    });
  for (std::set<Mark> *some : {&marks.expected, &marks.refuted})
    std::erase_if(*some, [&](const Mark &mark) {
      return !only.empty() && mark.second != only;
    });
  EXPECT_FALSE(marks.expected.empty() && marks.refuted.empty() &&
               llvm::StringRef(file).contains("fixtures"))
      << file << " has no marks";
  auto at = [&](const Mark &mark) {
    auto found = seen.find(mark);
    return found == seen.end() ? Seen() : found->second;
  };
  auto where = [&](const Mark &mark) {
    return file + ":" + std::to_string(mark.first) + ": " + mark.second;
  };
  for (const Mark &mark : marks.expected)
    EXPECT_TRUE(at(mark).verdicts.count(judged ? Verdict::Confirmed
                                               : Verdict::Unjudged))
        << where(mark) << " is not " << (judged ? "confirmed" : "found") << ": "
        << at(mark).text;
  for (const Mark &mark : marks.refuted)
    EXPECT_EQ(at(mark).verdicts,
              std::set{judged ? Verdict::Refuted : Verdict::Unjudged})
        << where(mark) << " is not " << (judged ? "refuted" : "found") << ": "
        << at(mark).text;
  for (const auto &[mark, what] : seen) {
    if (marks.expected.count(mark) || marks.refuted.count(mark))
      continue;
    EXPECT_EQ(what.verdicts, std::set{Verdict::Refuted})
        << where(mark) << " is not marked: " << what.text;
  }
}

} // namespace warplint
