// The report for CI services: GitHub's workflow commands, GitLab's code
// quality, JUnit's XML. Paths below `root` are relative to it. Omits refuted
// findings unless `refuted`.
#pragma once
#include "report/report.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// One command per line for each finding and each source that was not read,
/// then the closing line of the report.
void printGithub(const Report &report, bool refuted, const std::string &root,
                 llvm::raw_ostream &out);

/// A JSON list of findings. It cannot represent sources that were not read.
void printGitlab(const Report &report, bool refuted, const std::string &root,
                 llvm::raw_ostream &out);

/// A suite for each file with findings, and a failure for each finding; a
/// source that was not read is an error. A report without either is one test
/// that passes.
void printJunit(const Report &report, bool refuted, const std::string &root,
                llvm::raw_ostream &out);

} // namespace warplint
