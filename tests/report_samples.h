// Reports for the tests of output formats, and a way into the JSON they print.
#pragma once
#include "gather.h"
#include "report/report.h"
#include "llvm/Support/JSON.h"
#include <gtest/gtest.h>

namespace warplint {

// Compilers and file systems allow these characters; in each format, some of
// them end its text.
const char *const hostile =
    "</script><!--\"'&]]>%\n::error::,:|`{0}[a](b)\x01\xFF\\";

inline Finding inlinedGather() {
  Finding finding = gather();
  finding.place.file = "/src/a b/gather.cu";
  finding.callSites.push_back({"/usr/include/lib.cuh", 9, 5});
  finding.kernels[0].place = {"/src/main.cu", 2, 1};
  return finding;
}

inline Finding withVerdict(Finding finding, Verdict verdict) {
  for (FindingKernel &kernel : finding.kernels)
    kernel.judgement.verdict = verdict;
  return finding;
}

inline Finding hostileFinding() {
  Finding finding = inlinedGather();
  finding.check = finding.message = finding.fix = finding.place.file =
      finding.kernels[0].name = finding.kernels[0].mangled =
          finding.kernels[0].judgement.evidence = finding.callSites[0].file =
              hostile;
  finding.notes = {hostile};
  return finding;
}

inline Report sampleReport(std::vector<Finding> findings) {
  Report report;
  report.findings = std::move(findings);
  report.sourcesRead = 1;
  report.kernelsRead = 2;
  return report;
}

inline Report hostileReport() {
  Report report = sampleReport({hostileFinding()});
  report.unread = {{hostile, hostile, true}};
  report.unreadKernels = {{hostile, hostile, hostile}};
  report.notes = {hostile};
  return report;
}

using Print = void (*)(const Report &, bool, const std::string &,
                       llvm::raw_ostream &);

inline std::string printed(Print print, const Report &report,
                           bool refuted = false) {
  std::string text;
  llvm::raw_string_ostream out(text);
  print(report, refuted, "/src", out);
  return text;
}

inline llvm::json::Value parsed(const std::string &text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (!value) {
    ADD_FAILURE() << llvm::toString(value.takeError()) << '\n' << text;
    return nullptr;
  }
  return std::move(*value);
}

/// The JSON value at a path such as "runs.0.results.0.level".
inline std::string at(const llvm::json::Value &root, llvm::StringRef path) {
  const llvm::json::Value *value = &root;
  while (value && !path.empty()) {
    auto [step, rest] = path.split('.');
    path = rest;
    size_t index = 0;
    if (const auto *list = value->getAsArray();
        list && !step.getAsInteger(10, index))
      value = index < list->size() ? &(*list)[index] : nullptr;
    else
      value = value->getAsObject() ? value->getAsObject()->get(step) : nullptr;
  }
  if (!value)
    return "nothing";
  std::string text;
  llvm::raw_string_ostream(text) << *value;
  return text;
}

} // namespace warplint
