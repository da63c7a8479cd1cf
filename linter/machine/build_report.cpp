#include "machine/build_report.h"
#include "machine/ptxas.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Regex.h"
#include <set>

using namespace llvm;

namespace warplint {

bool isReportLine(StringRef line) {
  static const Regex info(
      "^ptxas info *: *("
      "[0-9]+ bytes gmem|Compiling entry function|Function properties for|"
      "Used [0-9]+ registers|Compile time = |"
      "Function .*cumulative stack size)");
  static const Regex properties(
      "^ *[0-9]+ bytes stack frame, [0-9]+ bytes spill stores, "
      "[0-9]+ bytes spill loads");
  line = line.rtrim();
  return info.match(line) || properties.match(line);
}

template <typename T> static bool isAnswered(const T &function, Asks asked) {
  const bool spills = function.spillStores || function.spillLoads;
  return asked == Asks::Report || (asked == Asks::SpillLines && !spills) ||
         (asked == Asks::FrameLines && !spills && !function.stackFrame);
}

bool isAnsweredBy(const Usage &usage, Asks asked) {
  return isAnswered(usage, asked) &&
         all_of(usage.callees, [&](const CalleeUsage &function) {
           return isAnswered(function, asked);
         });
}

std::optional<Compiled>
judgedByReport(StringRef text, const std::vector<std::string> &architectures,
               Asks asked) {
  PtxasReport report = readPtxas(text);
  if (report.cutOff || report.usages.empty() ||
      !all_of(report.functions, [&](const CalleeUsage &function) {
        return isAnswered(function, asked);
      }))
    return std::nullopt;
  std::set<std::string> reported;
  for (const Usage &usage : report.usages) {
    if (!isAnsweredBy(usage, asked) || !usage.registers ||
        usage.architecture.empty())
      return std::nullopt;
    reported.insert(usage.architecture);
  }
  // nvcc compiles for one architecture by default; several mean `-arch=all`.
  if (architectures.empty() && reported.size() != 1)
    return std::nullopt;
  Compiled compiled;
  std::vector<std::string> wanted = architectures;
  if (wanted.empty())
    wanted.push_back("");
  for (const std::string &architecture : wanted) {
    if (any_of(compiled.units, [&](const CompiledUnit &unit) {
          return unit.architecture == architecture;
        }))
      continue;
    CompiledUnit &unit = compiled.units.emplace_back();
    unit.architecture = architecture;
    unit.functions = report.functions;
    for (const Usage &usage : report.usages)
      if (architecture.empty() || usage.architecture == architecture) {
        unit.kernels.emplace_back();
        unit.kernels.back().usage = usage;
      }
    if (unit.kernels.empty())
      return std::nullopt;
  }
  return compiled;
}

} // namespace warplint
