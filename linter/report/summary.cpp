#include "report/summary.h"
#include "base/plural.h"
#include "base/printable.h"
#include "cost/loaded_data.h"
#include "report/accesses.h"
#include "report/text.h"
#include "version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace warplint {

void Tally::add(Basis basis) {
  ++(basis == Basis::Exact     ? exact
     : basis == Basis::Bounded ? bounded
     : basis == Basis::Assumed ? assumed
                               : unknown);
}

Tally &Tally::operator+=(const Tally &other) {
  exact += other.exact;
  bounded += other.bounded;
  assumed += other.assumed;
  unknown += other.unknown;
  return *this;
}

std::string reasonKind(llvm::StringRef why) {
  if (why.starts_with("'") && why.ends_with("', loaded from memory"))
    return "a value loaded from memory";
  std::string kind;
  while (!why.empty()) {
    size_t open = why.find('\'');
    kind += why.take_front(open);
    why = why.substr(open);
    size_t close = why.find('\'', 1);
    if (close == llvm::StringRef::npos)
      break;
    kind += "'...'";
    why = why.substr(close + 1);
  }
  return kind;
}

KernelTally tally(const Kernel &kernel) {
  KernelTally result;
  result.identity = kernel.place.file + ":" +
                    std::to_string(kernel.place.line) + " " + kernel.mangled;
  result.notFollowed.insert(kernel.notFollowed.begin(),
                            kernel.notFollowed.end());
  std::vector<Cost> all = costs(kernel, kernel.shapes.front());
  const HeldAccesses held(kernel);
  for (size_t i = 0; i < all.size(); ++i) {
    const Cost &cost = all[i];
    const Access &access = kernel.accesses[i];
    if (held.has(access)) {
      ++result.held;
      continue;
    }
    switch (cost.space) {
    case Space::Parameter:
    case Space::Constant:
      continue;
    case Space::Local:
      ++result.local;
      continue;
    case Space::Texture:
      ++result.textures;
      continue;
    case Space::Shared:
      result.shared.add(cost.basis);
      break;
    case Space::Global:
    case Space::Unknown: // not followed: nearly always global
      result.global.add(cost.basis);
      if (!dependsOnLoadedData(kernel, access.address))
        result.steady.add(cost.basis);
      break;
    }
    if (cost.basis != Basis::Unknown)
      continue;
    UnknownReason &reason = result.reasons[reasonKind(cost.why)];
    if (reason.count++ == 0) {
      reason.place = access.place;
      reason.text = access.text.empty() ? access.object : access.text;
      reason.why = cost.why;
    }
  }
  return result;
}

void AccessSummary::add(const KernelTally &kernel) {
  if (!seen_.insert(kernel.identity).second)
    return;
  ++kernels;
  global += kernel.global;
  shared += kernel.shared;
  steady += kernel.steady;
  local += kernel.local;
  textures += kernel.textures;
  held += kernel.held;
  for (const auto &[kind, reason] : kernel.reasons) {
    auto [it, fresh] = reasons.try_emplace(kind, reason);
    if (!fresh)
      it->second.count += reason.count;
  }
  coverage.expressions += kernel.coverage.expressions;
  coverage.withAccess += kernel.coverage.withAccess;
  for (const auto &[why, reason] : kernel.coverage.without) {
    auto [it, fresh] = coverage.without.try_emplace(why, reason);
    if (!fresh)
      it->second.count += reason.count;
  }
  // Enough examples to investigate.
  constexpr size_t examples = 100;
  auto append = [](std::vector<Coverage::Example> &to,
                   const std::vector<Coverage::Example> &from) {
    for (const Coverage::Example &example : from)
      if (to.size() < examples)
        to.push_back(example);
  };
  unexplained += kernel.coverage.unexplained.size();
  withoutExpression += kernel.coverage.withoutExpression.size();
  append(coverage.unexplained, kernel.coverage.unexplained);
  append(coverage.withoutExpression, kernel.coverage.withoutExpression);
  for (const std::string &what : kernel.notFollowed)
    ++notFollowed[what];
}

std::vector<std::pair<std::string, UnknownReason>>
AccessSummary::commonestFirst() const {
  std::vector<std::pair<std::string, UnknownReason>> sorted(reasons.begin(),
                                                            reasons.end());
  llvm::stable_sort(sorted, [](const auto &a, const auto &b) {
    return a.second.count > b.second.count;
  });
  return sorted;
}

namespace {

double perCent(uint64_t part, uint64_t whole) {
  return whole ? 100.0 * part / whole : 0;
}

/// "  480  93.8 %"; no percentage of zero.
std::string share(uint64_t part, uint64_t whole) {
  std::string of =
      whole ? llvm::formatv("{0:f1} %", perCent(part, whole)).str() : "";
  return llvm::formatv("{0,9}{1,9}", part, of);
}

void printTally(llvm::StringRef name, const Tally &tally,
                llvm::raw_ostream &out) {
  out << llvm::left_justify(name, 8) << llvm::formatv("{0,9}", tally.all())
      << share(tally.exact, tally.all()) << share(tally.bounded, tally.all())
      << share(tally.assumed, tally.all()) << share(tally.unknown, tally.all())
      << '\n';
}

std::string placeText(const Place &place, const std::string &relativeTo) {
  return llvm::formatv("{0}:{1}:{2}", printablePath(place.file, relativeTo),
                       place.line, place.column);
}

void printReasons(const AccessSummary &summary, const std::string &relativeTo,
                  llvm::raw_ostream &out) {
  if (summary.reasons.empty())
    return;
  out << "\nunknown, since they depend on\n";
  for (const auto &[kind, reason] : summary.commonestFirst()) {
    out << llvm::formatv("{0,9}  {1}\n", reason.count, printable(kind));
    out << "           such as "
        << (reason.text.empty() ? "one" : "'" + printable(reason.text) + "'")
        << " at " << placeText(reason.place, relativeTo);
    if (reason.why != kind)
      out << ", on " << printable(reason.why);
    out << '\n';
  }
}

void printExamples(llvm::ArrayRef<Coverage::Example> examples,
                   const std::string &relativeTo, llvm::raw_ostream &out) {
  constexpr size_t shown = 10;
  for (const Coverage::Example &example : examples.take_front(shown))
    out << "           '" << printable(example.text) << "' at "
        << placeText(example.place, relativeTo) << '\n';
}

void printCoverage(const AccessSummary &summary, const std::string &relativeTo,
                   llvm::raw_ostream &out) {
  const Coverage &coverage = summary.coverage;
  if (!coverage.expressions)
    return;
  uint64_t without = coverage.expressions - coverage.withAccess;
  out << "\nmemory expressions of the source, with the calls that lead to "
         "them: "
      << coverage.expressions << ", of which " << without
      << " have no access in the list\n";
  for (const auto &[why, reason] : coverage.without)
    out << llvm::formatv("{0,9}  {1}\n           such as '{2}' at {3}\n",
                         reason.count, why, printable(reason.first.text),
                         placeText(reason.first.place, relativeTo));
  if (summary.unexplained)
    out << llvm::formatv("{0,9}  for no known reason\n", summary.unexplained);
  printExamples(coverage.unexplained, relativeTo, out);
  if (summary.withoutExpression) {
    out << llvm::formatv("{0,9}  accesses", summary.withoutExpression)
        << " without an expression in the source\n";
    printExamples(coverage.withoutExpression, relativeTo, out);
  }
}

void tallyJson(llvm::StringRef name, const Tally &tally,
               llvm::json::OStream &json) {
  json.attributeObject(name, [&] {
    json.attribute("accesses", tally.all());
    json.attribute("exact", tally.exact);
    json.attribute("bounded", tally.bounded);
    json.attribute("assumed", tally.assumed);
    json.attribute("unknown", tally.unknown);
  });
}

std::string utf8(llvm::StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

} // namespace

void printSummaryText(const AccessSummary &summary, const Report &report,
                      const std::string &relativeTo, llvm::raw_ostream &out) {
  out << counted(report.sourcesRead, "source") << ", "
      << counted(summary.kernels, "kernel") << " read, "
      << report.unreadKernels.size() << " not read\n\n";
  out << llvm::formatv("{0,17}{1,18}{2,18}{3,18}{4,18}\n", "accesses",
                       "exact   ", "bounded   ", "assumed   ", "unknown   ");
  printTally("global", summary.global, out);
  printTally("shared", summary.shared, out);
  out << llvm::formatv("local   {0,9}  of the thread's own arrays, where they "
                       "are not in registers\n",
                       summary.local);
  if (summary.textures)
    out << llvm::formatv("texture {0,9}  have no sectors to count\n",
                         summary.textures);
  if (summary.held)
    out << llvm::formatv("register{0,9}  make no request: a register has their "
                         "value, or their array, or it is overwritten\n",
                         summary.held);
  const Tally &steady = summary.steady;
  if (steady.all())
    out << llvm::formatv(
        "\nanswered: {0:f1} % of the {1} global accesses whose "
        "address depends on no loaded data\n",
        perCent(steady.answered(), steady.all()), steady.all());
  printReasons(summary, relativeTo, out);
  if (!summary.notFollowed.empty())
    out << "\nnot followed\n";
  for (const auto &[what, kernels] : summary.notFollowed)
    out << llvm::formatv("{0,9}  {1}\n", counted(kernels, "kernel"),
                         printable(what));
  printCoverage(summary, relativeTo, out);
}

void printSummaryJson(const AccessSummary &summary, const Report &report,
                      llvm::raw_ostream &out) {
  llvm::json::OStream json(out, 2);
  json.object([&] {
    json.attribute("warplint", WARPLINT_VERSION);
    json.attribute("schema", 1);
    json.attribute("sources", report.sourcesRead);
    json.attribute("kernels", summary.kernels);
    json.attributeArray("kernelsNotRead", [&] {
      for (const UnreadKernel &kernel : report.unreadKernels)
        json.object([&] {
          json.attribute("source", utf8(kernel.source));
          json.attribute("name", utf8(kernel.name));
          json.attribute("why", utf8(kernel.why));
        });
    });
    tallyJson("global", summary.global, json);
    tallyJson("globalOfNoLoadedData", summary.steady, json);
    tallyJson("shared", summary.shared, json);
    json.attribute("local", summary.local);
    json.attribute("texture", summary.textures);
    json.attribute("register", summary.held);
    json.attributeArray("unknown", [&] {
      for (const auto &[kind, reason] : summary.commonestFirst())
        json.object([&] {
          json.attribute("reason", utf8(kind));
          json.attribute("accesses", reason.count);
          json.attributeObject("example", [&] {
            json.attribute("file", utf8(reason.place.file));
            json.attribute("line", reason.place.line);
            json.attribute("column", reason.place.column);
            json.attribute("text", utf8(reason.text));
            json.attribute("dependsOn", utf8(reason.why));
          });
        });
    });
    json.attributeObject("memoryExpressions", [&] {
      const Coverage &coverage = summary.coverage;
      json.attribute("all", coverage.expressions);
      json.attribute("withAccess", coverage.withAccess);
      json.attributeObject("without", [&] {
        for (const auto &[why, reason] : coverage.without)
          json.attribute(why, reason.count);
      });
      json.attribute("unexplained", summary.unexplained);
      json.attribute("accessesWithoutExpression", summary.withoutExpression);
    });
    json.attributeObject("kernelsNotFollowedWhole", [&] {
      for (const auto &[what, kernels] : summary.notFollowed)
        json.attribute(utf8(what), kernels);
    });
  });
  out << '\n';
}

} // namespace warplint
