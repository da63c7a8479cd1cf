// Decides which files that a report names are opened, to show their lines.
// Anybody may have written a report, and it may name a user's private files, or
// a device without an end.
#pragma once
#include "input/buffers.h"
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

  /// Adds the files that are named.
  void add(const Report &report);
  void add(const SourceOutcome &source);
  void add(const ReportContext &context);

  /// Those of the added files that lie elsewhere, each with an empty text:
  /// their lines are told, not shown, and no allowance is found in them.
  Buffers closed() const;
  void addNote(std::vector<std::string> &notes) const;

private:
  void add(const std::string &file);
  void add(const Finding &finding);

  FilesBelow files_;
  std::set<std::string> closed_;
};

} // namespace warplint
