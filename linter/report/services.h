// The report as CI services read it: GitHub's workflow commands, GitLab's code
// quality, JUnit's XML. Paths below `root` are relative to it; refuted findings
// are left out unless `refuted`.
#pragma once
#include "report/report.h"
#include "llvm/Support/raw_ostream.h"

namespace warplint {

/// One command of a line for each finding and each source that was not read,
/// then the line that closes a report.
void printGithub(const Report &report, bool refuted, const std::string &root,
                 llvm::raw_ostream &out);

/// A JSON list of findings. It has no place for what could not be read.
void printGitlab(const Report &report, bool refuted, const std::string &root,
                 llvm::raw_ostream &out);

/// A suite for each file that has findings, with a failure for each of them; a
/// source that was not read is an error. A report without either is one test
/// that passes.
void printJunit(const Report &report, bool refuted, const std::string &root,
                llvm::raw_ostream &out);

} // namespace warplint
