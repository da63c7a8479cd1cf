#include "run/add_edits.h"
#include "fixes/edits.h"
#include "fixes/project_files.h"

namespace warplint {

namespace {

std::vector<Edit> editsIn(const Work &work, const Fix &fix,
                          const Buffers &buffers) {
  if (!work.model.outline.userFiles.count(fix.at.file))
    return {};
  auto text = readText(fix.at.file, buffers);
  if (!text ||
      !mayChange(fix.at.file, text->getBuffer(), projectOf(work.command)))
    return {};
  return editsOf(fix, text->getBuffer());
}

} // namespace

void addEdits(std::vector<Finding> &findings, const Work &work,
              const Buffers &buffers) {
  for (Finding &finding : findings) {
    if (!finding.edit)
      continue;
    finding.edit->edits = editsIn(work, *finding.edit, buffers);
    if (finding.edit->edits.empty())
      finding.edit.reset();
  }
}

} // namespace warplint
