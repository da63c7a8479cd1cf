// Decides which files that a report names are opened, to show their lines.
// Anybody may have written a report, and it may name a user's private files, or
// a device without an end.
#pragma once
#include "input/files_below.h"
#include "report/page.h"
#include "run/outcome.h"
#include <set>
#include <string>
#include <vector>

namespace warplint {

/// Opens what lies below the projects of the folders in which the reports are,
/// and below the current one.
class Openable {
public:
  explicit Openable(std::vector<std::string> folders);

  /// Takes the line from places in other files, so that nothing opens them, and
  /// says so in a note.
  void restrict(Report &report);
  /// The same, and searches no other file for allowances.
  void restrict(SourceOutcome &source);
  void restrict(ReportContext &context);
  void addNote(std::vector<std::string> &notes) const;

private:
  bool allows(const std::string &file);
  void restrict(Finding &finding);
  void restrict(Place &place);

  FilesBelow files_;
  std::set<std::string> closed_;
};

} // namespace warplint
