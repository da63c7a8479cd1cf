#include "run/openable.h"
#include "base/folders.h"
#include "base/plural.h"
#include "input/database.h"

using namespace llvm;

namespace warplint {

/// The projects of these folders and of the current one.
static std::vector<std::string> projectsOf(std::vector<std::string> folders) {
  folders.push_back(currentFolder());
  for (std::string &folder : folders)
    folder = projectOf(canonicalPath(folder));
  return folders;
}

Openable::Openable(std::vector<std::string> folders)
    : files_(projectsOf(std::move(folders))) {}

/// A place without a file, as of code that a compiler made, opens nothing.
bool Openable::allows(const std::string &file) {
  return file.empty() || files_.allow(file);
}

void Openable::restrict(Place &place) {
  if (place.line == 0 || allows(place.file))
    return;
  closed_.insert(place.file);
  place.line = place.column = 0;
}

void Openable::restrict(Finding &finding) {
  restrict(finding.place);
  for (Place &call : finding.callSites)
    restrict(call);
  for (Place &place : finding.places)
    restrict(place);
  for (FindingKernel &kernel : finding.kernels)
    restrict(kernel.place);
}

void Openable::restrict(ReportContext &context) {
  for (Figure &figure : context.figures)
    restrict(figure.place);
}

void Openable::restrict(Report &report) {
  for (Finding &finding : report.findings)
    restrict(finding);
  for (UnreadSource &unread : report.unread)
    restrict(unread.place);
  addNote(report.notes);
}

void Openable::restrict(SourceOutcome &source) {
  auto close = [&](const std::string &file) {
    if (allows(file))
      return;
    closed_.insert(file);
    source.outline.userFiles.insert(file); // as a file without a mark
    source.outline.markedFiles.erase(file);
  };
  close(source.source);
  for (const KernelOutline &kernel : source.outline.kernels)
    for (const auto &[file, lines] : kernel.lines)
      close(file);
  for (Finding &finding : source.linted.findings) {
    close(finding.place.file);
    restrict(finding);
  }
  restrict(source.errorPlace);
}

void Openable::addNote(std::vector<std::string> &notes) const {
  if (!closed_.empty())
    notes.push_back("lines are left out in " + counted(closed_.size(), "file") +
                    " that " + (closed_.size() == 1 ? "is" : "are") +
                    " neither below the reports' project nor below the current "
                    "one, first '" +
                    *closed_.begin() + "'");
}

} // namespace warplint
