#include "report/registers.h"
#include "base/plural.h"
#include "base/printable.h"
#include "machine/register_words.h"
#include "report/fields.h"
#include "report/text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace warplint {
namespace {

constexpr unsigned mostLines = 6; ///< shown of a kernel

std::string shown(const Place &place, const std::string &relativeTo) {
  if (!place.line)
    return "";
  return (shownPath(place.file, relativeTo) + ":" + Twine(place.line)).str();
}

void printOwners(const RegisterReport &report, const std::string &relativeTo,
                 raw_ostream &out) {
  for (const RegisterOwner &owner : report.owners) {
    out << formatv("  {0,4}  ", owner.registers) << printable(inWords(owner));
    if (!owner.function.empty())
      out << " in inlined '" << printable(owner.function) << "'";
    if (owner.place.line && owner.kind != RegisterKind::Parameter)
      out << ", " << printable(shown(owner.place, relativeTo));
    out << '\n';
  }
}

void printLines(const RegisterReport &report, const std::string &relativeTo,
                raw_ostream &out) {
  std::vector<LineRegisters> lines = report.lines;
  stable_sort(lines, [](const LineRegisters &a, const LineRegisters &b) {
    return a.most > b.most;
  });
  if (lines.size() > mostLines)
    lines.resize(mostLines);
  if (lines.empty())
    return;
  out << "  by line:";
  for (const LineRegisters &line : lines)
    out << ' ' << printable(shown(line.place, relativeTo)) << " has "
        << line.most << (&line == &lines.back() ? "\n" : ",");
}

void printRow(const RegisterRow &row, const std::string &relativeTo,
              raw_ostream &out) {
  const Usage &usage = row.compiled.usage;
  out << printable(row.kernel);
  if (!usage.architecture.empty())
    out << ", " << usage.architecture;
  if (row.place.line)
    out << ", " << printable(shown(row.place, relativeTo));
  out << ": " << counted(usage.registers, "register");
  if (usage.spillStores + usage.spillLoads)
    out << ", " << usage.spillStores << " bytes of spill stores and "
        << usage.spillLoads << " of spill loads";
  out << '\n';
  if (!row.compiled.registers)
    return;
  const RegisterReport &report = *row.compiled.registers;
  if (!report.whyNot.empty()) {
    out << "  not shown: " << printable(report.whyNot) << '\n';
    return;
  }
  out << "  " << report.live << " are live at "
      << printable(report.place.line ? shown(report.place, relativeTo)
                                     : "code without a line");
  if (!report.function.empty())
    out << ", in '" << printable(report.function) << "'";
  if (report.predicates)
    out << ", with " << counted(report.predicates, "predicate");
  if (report.uniform)
    out << (report.predicates ? " and " : ", with ")
        << counted(report.uniform, "uniform register");
  out << ":\n";
  printOwners(report, relativeTo, out);
  for (const std::string &reason : report.reasons)
    out << "  " << printable(reason) << '\n';
  for (const SpilledOwner &spill : report.spills)
    out << "  " << printable(inWords(spill)) << '\n';
  for (const std::string &tried : triedInWords(row.compiled))
    out << "  " << printable(tried) << '\n';
  printLines(report, relativeTo, out);
}

void printPlace(json::OStream &json, const Place &place) {
  json.attribute("file", utf8(place.file));
  json.attribute("line", place.line);
}

void printReport(json::OStream &json, const RegisterReport &report) {
  json.attribute("live", report.live);
  json.attribute("predicates", report.predicates);
  json.attribute("uniform", report.uniform);
  json.attribute("named", report.named());
  json.attributeObject("peak", [&] {
    printPlace(json, report.place);
    json.attribute("function", utf8(report.function));
  });
  json.attributeArray("owners", [&] {
    for (const RegisterOwner &owner : report.owners)
      json.object([&] {
        json.attribute("registers", owner.registers);
        json.attribute("kind", spelling(owner.kind));
        json.attribute("name", utf8(owner.name));
        json.attribute("inlinedFunction", utf8(owner.function));
        printPlace(json, owner.place);
      });
  });
  json.attributeArray("spills", [&] {
    for (const SpilledOwner &spill : report.spills)
      json.object([&] {
        json.attribute("bytes", spill.bytes);
        json.attribute("kind", spelling(spill.kind));
        json.attribute("name", utf8(spill.name));
        json.attributeArray("stored", [&] {
          for (unsigned line : spill.stored)
            json.value(line);
        });
        json.attributeArray("loaded", [&] {
          for (unsigned line : spill.loaded)
            json.value(line);
        });
        json.attribute("inLoop", spill.inLoop);
      });
  });
  json.attributeArray("why", [&] {
    for (const std::string &reason : report.reasons)
      json.value(utf8(reason));
  });
  json.attributeArray("lines", [&] {
    for (const LineRegisters &line : report.lines)
      json.object([&] {
        printPlace(json, line.place);
        json.attribute("live", line.most);
      });
  });
}

} // namespace

void printRegisters(const std::vector<RegisterRow> &rows,
                    const std::string &relativeTo, raw_ostream &out) {
  for (const RegisterRow &row : rows) {
    if (&row != &rows.front())
      out << '\n';
    printRow(row, relativeTo, out);
  }
}

void printRegisterJson(const std::vector<RegisterRow> &rows, raw_ostream &out) {
  json::OStream json(out, /*IndentSize=*/2);
  json.array([&] {
    for (const RegisterRow &row : rows)
      json.object([&] {
        const Usage &usage = row.compiled.usage;
        json.attribute("kernel", utf8(row.kernel));
        json.attribute("mangled", utf8(usage.kernel));
        json.attribute("architecture", usage.architecture);
        printPlace(json, row.place);
        json.attribute("registers", usage.registers);
        json.attribute("spillStores", usage.spillStores);
        json.attribute("spillLoads", usage.spillLoads);
        const auto &report = row.compiled.registers;
        json.attribute("whyNot", utf8(report ? report->whyNot : ""));
        if (report && report->whyNot.empty())
          printReport(json, *report);
        json.attributeArray("tried", [&] {
          for (const std::string &tried : triedInWords(row.compiled))
            json.value(utf8(tried));
        });
      });
  });
  out << '\n';
}

std::string explainRegisters(const CompiledKernel &kernel,
                             const std::string &relativeTo) {
  if (!kernel.registers)
    return "";
  const RegisterReport &report = *kernel.registers;
  if (!report.whyNot.empty())
    return "who holds the registers is not shown: " + report.whyNot;
  std::string text = formatv("{0} of {1} registers are live", report.live,
                             kernel.usage.registers);
  if (report.place.line)
    text += " at " + shown(report.place, relativeTo);
  text += ": " + largestOwners(report, 3);
  const std::vector<std::string> tried = triedInWords(kernel);
  if (!tried.empty())
    return text + "; " + tried.front();
  if (!report.reasons.empty())
    text += "; " + report.reasons.front() + " (not tried)";
  return text;
}

} // namespace warplint
