#include "base/plural.h"
#include "base/printable.h"
#include "report/disagree.h"
#include "report/fields.h"
#include "report/text.h"
#include "version.h"
#include "llvm/Support/JSON.h"

namespace warplint {

static std::string placeText(const Disagreement &found,
                             const std::string &relativeTo) {
  return printablePath(found.place.file, relativeTo) + ":" +
         std::to_string(found.place.line);
}

void printDisagreements(const std::vector<Disagreement> &all,
                        const std::string &relativeTo, llvm::raw_ostream &out) {
  const Disagreement *before = nullptr;
  for (const Disagreement &found : all) {
    if (!before || before->kernel != found.kernel ||
        before->shape.shape != found.shape.shape)
      out << (before ? "\n" : "") << printable(found.kernel) << ", blocks of "
          << found.shape.shape.text() << '\n';
    before = &found;
    out << "  " << placeText(found, relativeTo) << ": " << spelling(found.space)
        << ' ' << spelling(found.operation);
    if (!found.accessed.empty())
      out << " '" << printable(found.accessed) << "'";
    out << ": source " << found.source << "; ptx " << found.ptx << ": "
        << printable(found.why) << '\n';
  }
  if (all.empty())
    out << "the source and the PTX agree\n";
  else
    out << '\n' << counted(all.size(), "disagreement") << '\n';
}

void printDisagreementsCsv(const std::vector<Disagreement> &all,
                           const std::string &relativeTo,
                           llvm::raw_ostream &out) {
  out << "file,line,kernel,block,space,op,accessed,source,ptx,ptx_line,why\n";
  for (const Disagreement &found : all)
    out << csvField(shownPath(found.place.file, relativeTo)) << ','
        << found.place.line << ',' << csvField(found.kernel) << ','
        << found.shape.shape.text() << ',' << spelling(found.space) << ','
        << spelling(found.operation) << ',' << csvField(found.accessed) << ','
        << csvField(found.source) << ',' << csvField(found.ptx) << ','
        << (found.ptxLine ? found.ptxLine : found.place.line) << ','
        << csvField(found.why) << '\n';
}

void printDisagreementsJson(const std::vector<Disagreement> &all,
                            llvm::raw_ostream &out) {
  llvm::json::OStream json(out, 2);
  json.object([&] {
    json.attribute("warplint", WARPLINT_VERSION);
    json.attribute("schema", 1);
    json.attributeArray("disagreements", [&] {
      for (const Disagreement &found : all)
        json.object([&] {
          json.attribute("file", found.place.file);
          json.attribute("line", found.place.line);
          json.attribute("kernel", found.kernel);
          json.attribute("block", found.shape.shape.text());
          json.attribute("space", spelling(found.space));
          json.attribute("op", spelling(found.operation));
          json.attribute("accessed", found.accessed);
          json.attribute("source", found.source);
          json.attribute("ptx", found.ptx);
          json.attribute("ptxLine",
                         found.ptxLine ? found.ptxLine : found.place.line);
          json.attribute("why", found.why);
        });
    });
  });
  out << '\n';
}

} // namespace warplint
