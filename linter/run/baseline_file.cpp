#include "run/baseline_file.h"
#include "base/failure.h"
#include "base/folders.h"
#include "base/regular_file.h"
#include "os/write_file.h"
#include "report/text.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace warplint {

Expected<Baseline> loadBaseline(const std::string &file) {
  auto text = readRegularFile(file);
  if (!text)
    return failure("'" + file +
                   "' cannot be read: " + text.getError().message() +
                   "; 'warplint check --write-baseline' writes it, and "
                   "'--baseline=FILE' names another one");
  return readBaseline((*text)->getBuffer(), file, folderOf(file));
}

void dropBaselined(const Baseline &baseline, const std::string &file,
                   const std::set<std::string> &ran, Report &report) {
  const std::set<std::string> read(report.sources.begin(),
                                   report.sources.end());
  BaselineResult result = applyBaseline(std::move(report.findings), baseline,
                                        read, ran, report.buffers);
  report.findings = std::move(result.findings);
  report.known = result.known;
  constexpr size_t shown = 10;
  for (const KnownFinding &gone : ArrayRef(result.gone).take_front(shown))
    report.notes.push_back(
        shownPath(gone.file, currentFolder()).str() + ": " + gone.message +
        " [" + gone.check + "]: gone" +
        (gone.kernel.empty() ? "" : " from kernel '" + gone.kernel + "'"));
  if (result.gone.size() > shown)
    report.notes.push_back(std::to_string(result.gone.size() - shown) +
                           " more are gone");
  if (!result.gone.empty())
    report.notes.push_back("'" + file + "' records " +
                           std::to_string(result.gone.size()) +
                           " that are gone; --write-baseline removes them");
}

Error saveBaseline(const std::string &file, const Report &report) {
  return writeFile(file, [&](raw_ostream &out) {
    printBaseline(report.findings, report.sources, folderOf(file), out);
  });
}

} // namespace warplint
