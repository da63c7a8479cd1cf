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
void Openable::add(const std::string &file) {
  if (!file.empty() && !files_.allow(file))
    closed_.insert(file);
}

void Openable::add(const Finding &finding) {
  add(finding.place.file);
  for (const Place &call : finding.callSites)
    add(call.file);
  for (const Place &place : finding.places)
    add(place.file);
  for (const FindingKernel &kernel : finding.kernels)
    add(kernel.place.file);
  if (!finding.edit)
    return;
  add(finding.edit->at.file);
  for (const Edit &edit : finding.edit->edits) {
    add(edit.begin.file);
    add(edit.end.file);
  }
}

void Openable::add(const ReportContext &context) {
  for (const Figure &figure : context.figures)
    add(figure.place.file);
}

void Openable::add(const Report &report) {
  for (const Finding &finding : report.findings)
    add(finding);
  for (const UnreadSource &unread : report.unread)
    add(unread.place.file);
}

void Openable::add(const SourceOutcome &source) {
  add(source.source);
  for (const KernelOutline &kernel : source.outline.kernels)
    for (const auto &[file, lines] : kernel.lines)
      add(file);
  for (const DroppedKernel &kernel : source.outline.notRead)
    add(kernel.error.file);
  for (const Finding &finding : source.linted.findings)
    add(finding);
  add(source.errorPlace.file);
}

Buffers Openable::closed() const {
  Buffers texts;
  for (const std::string &file : closed_)
    texts[file];
  return texts;
}

void Openable::addNote(std::vector<std::string> &notes) const {
  if (!closed_.empty())
    notes.push_back("no line is shown of " + counted(closed_.size(), "file") +
                    " that " + (closed_.size() == 1 ? "is" : "are") +
                    " neither below the reports' project nor below the current "
                    "one, first '" +
                    *closed_.begin() + "'");
}

} // namespace warplint
