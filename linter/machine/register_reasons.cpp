#include "machine/register_reasons.h"
#include "base/plural.h"
#include "machine/compiled.h"
#include "machine/statement_files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace llvm;

namespace warplint {
namespace {

bool isMuch(unsigned registers, const RegisterReport &report) {
  return registers >= 8 && 4 * registers >= report.live;
}

/// The most registers that are live at a line of the loop's file outside of it.
unsigned mostOutside(const RegisterReport &report, const std::string &file,
                     unsigned first, unsigned last) {
  unsigned most = 0;
  for (const LineRegisters &line : report.lines)
    if (line.place.file == file &&
        (line.place.line < first || line.place.line > last))
      most = std::max(most, line.most);
  return most;
}

/// The facts about the registers that a loop would hold with one copy of its
/// body. `counted` is what the copies beyond the first hold. Held against what
/// nvcc gives with `#pragma unroll 1`, that is right within 5 registers where
/// nothing else holds many; a line outside of the loop that does may itself
/// hold values for the copies, or not.
std::string withOneCopy(const RegisterReport &report, unsigned counted,
                        unsigned outside, const SourceStatements &source,
                        const SourceStatement &loop) {
  for (const RegisterOwner &owner : report.owners) {
    const auto [array, extents] = StringRef(owner.name).split('[');
    if (owner.kind == RegisterKind::Variable && !extents.empty() &&
        // An array of shared memory has never been in registers.
        !StringRef(source.typeOf(array, source.lineOf(loop))).contains("__") &&
        source.countsElements(loop, array))
      return formatv("; without them '{0}' would be indexed at run time and "
                     "leave the registers",
                     array);
  }
  if (counted + outside > report.live)
    return formatv("; up to {0} are live outside of it", outside);
  return counted
             ? formatv(" (estimate: {0} fewer with one copy)", counted).str()
             : "";
}

/// A variable that is no array has one value, and one more for each copy of an
/// unrolled loop's body. Several values alone do not tell: one may have parts.
void addUnrolled(const RegisterReport &report, ArrayRef<unsigned> copies,
                 StatementFiles &files, std::vector<RegisterReason> &reasons) {
  struct Unrolled {
    unsigned registers = 0, most = 0;
    const SourceStatements *source = nullptr;
    const SourceStatement *head = nullptr;
  };
  std::map<std::pair<std::string, unsigned>, Unrolled> loops;
  for (const auto &[owner, times] : zip(report.owners, copies)) {
    if (times < 2 || StringRef(owner.name).contains('[') ||
        (owner.kind != RegisterKind::Variable &&
         owner.kind != RegisterKind::Load))
      continue;
    const SourceStatements *source = files.of(owner.place.file);
    const SourceStatement *loop =
        source ? source->loopAround(owner.place.line, owner.place.column)
               : nullptr;
    if (!loop)
      continue;
    Unrolled &found = loops[{owner.place.file, source->lineOf(*loop)}];
    found.registers += owner.registers;
    found.most = std::max(found.most, times);
    found.source = source;
    found.head = loop;
  }
  for (auto &[place, loop] : loops) {
    if (!isMuch(loop.registers, report))
      continue;
    std::string text =
        formatv("the loop at line {0} is unrolled: values of up to {1} copies "
                "of its body hold {2} registers",
                place.second, loop.most, loop.registers);
    // Without the copies, the peak may be elsewhere.
    const unsigned outside = mostOutside(report, place.first, place.second,
                                         loop.source->lastLineOf(*loop.head));
    text += withOneCopy(report, loop.registers - loop.registers / loop.most,
                        outside, *loop.source, *loop.head);
    reasons.push_back(
        {loop.registers, std::move(text), {place.first, place.second, 0}});
  }
}

void addInlined(const RegisterReport &report,
                std::vector<RegisterReason> &reasons) {
  struct Inlined {
    unsigned registers = 0;
    Place inside;
  };
  std::map<std::string, Inlined> functions;
  for (const RegisterOwner &owner : report.owners) {
    if (owner.function.empty())
      continue;
    Inlined &found = functions[owner.function];
    found.registers += owner.registers;
    // The kernel calls the function, which may call others in turn.
    if (!found.inside.line && !owner.callSites.empty())
      found.inside =
          owner.callSites.size() > 1 ? owner.callSites[1] : owner.place;
  }
  for (auto &[function, found] : functions)
    if (isMuch(found.registers, report))
      reasons.push_back({found.registers,
                         formatv("values of the inlined '{0}' hold {1} of {2}",
                                 function, found.registers, report.live),
                         {},
                         {function, found.inside}});
}

void addAddresses(const RegisterReport &report,
                  std::vector<RegisterReason> &reasons) {
  unsigned registers = 0;
  for (const RegisterOwner &owner : report.owners)
    if (owner.kind == RegisterKind::Address && owner.bits == 64)
      registers += owner.registers;
  if (isMuch(registers, report))
    reasons.push_back(
        {registers, formatv("64-bit addresses hold {0} registers; one base and "
                            "32-bit indexes hold fewer",
                            registers)});
}

void addDoubles(const RegisterReport &report,
                std::vector<RegisterReason> &reasons) {
  unsigned registers = 0;
  for (const RegisterOwner &owner : report.owners)
    if (owner.isFloat && owner.bits == 64)
      registers += owner.registers;
  if (isMuch(registers, report))
    reasons.push_back(
        {registers,
         formatv("values of type double hold {0} registers, two each",
                 registers)});
}

void addArrays(const RegisterReport &report,
               std::vector<RegisterReason> &reasons) {
  for (const RegisterOwner &owner : report.owners)
    if (owner.kind == RegisterKind::Variable &&
        StringRef(owner.name).contains('[') && isMuch(owner.registers, report))
      reasons.push_back(
          {owner.registers, formatv("elements of '{0}' hold {1} registers",
                                    owner.name, owner.registers)});
}

} // namespace

std::vector<RegisterReason> reasonsOf(const RegisterReport &report,
                                      ArrayRef<unsigned> copies,
                                      const Usage &usage,
                                      const LaunchLimits &limits,
                                      StatementFiles &files) {
  std::vector<RegisterReason> reasons;
  addArrays(report, reasons);
  addUnrolled(report, copies, files, reasons);
  addInlined(report, reasons);
  addAddresses(report, reasons);
  addDoubles(report, reasons);
  stable_sort(reasons, [](const RegisterReason &a, const RegisterReason &b) {
    return a.registers > b.registers;
  });
  if (limits.maxRegisters || limits.commandRegisters ||
      (limits.any() && usage.spillStores))
    reasons.push_back(
        {0, limits.maxThreads
                ? "launch bounds limit them"
                : "'-maxrregcount' or '__maxnreg__' limits them"});
  return reasons;
}

} // namespace warplint
