#include "machine/register_words.h"
#include "base/listed.h"
#include "base/plural.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace warplint {
namespace {

std::string quoted(StringRef name) {
  return name.starts_with("`") ? name.str() : "'" + name.str() + "'";
}

std::string nameOf(RegisterKind kind, StringRef name) {
  if (name.empty())
    return spelling(kind);
  switch (kind) {
  case RegisterKind::Variable:
  case RegisterKind::Counter:
  case RegisterKind::Parameter:
    return std::string(spelling(kind)) + " " + quoted(name);
  case RegisterKind::Load:
    return "value loaded from " + quoted(name);
  case RegisterKind::Address:
    return "address into " + quoted(name);
  case RegisterKind::Index:
    return "index in " + quoted(name);
  case RegisterKind::Result:
    return "result of " + quoted(name);
  case RegisterKind::Intermediate:
    return "intermediate value of " + quoted(name);
  case RegisterKind::Special:
  case RegisterKind::Stack:
    return name.str();
  case RegisterKind::Constant:
  case RegisterKind::Unnamed:
    break;
  }
  return std::string(spelling(kind)) + " of " + quoted(name);
}

std::string linesInWords(const std::vector<unsigned> &lines) {
  constexpr size_t few = 4;
  std::vector<std::string> shown;
  for (unsigned line : lines)
    if (shown.size() < few)
      shown.push_back(std::to_string(line));
  if (shown.empty())
    return "an unknown line";
  return plural(lines.size() == 1, "line") + " " +
         listed(shown, lines.size() - shown.size());
}

std::string resultInWords(const Usage &usage) {
  const unsigned spills = usage.spillStores + usage.spillLoads;
  return counted(usage.registers, "register") +
         (spills ? " and " + std::to_string(spills) + " bytes of spills" : "");
}

} // namespace

std::string inWords(const RegisterOwner &owner) {
  return nameOf(owner.kind, owner.name);
}

std::string inWords(const SpilledOwner &spill) {
  std::string text = formatv("{0} is spilled: {1} bytes, stored at {2}",
                             nameOf(spill.kind, spill.name), spill.bytes,
                             linesInWords(spill.stored));
  if (!spill.loaded.empty())
    text += ", loaded at " + linesInWords(spill.loaded) +
            (spill.inLoop ? ", in a loop" : ", outside of loops");
  return text;
}

std::string largestOwners(const RegisterReport &report, unsigned count) {
  std::vector<std::string> texts;
  unsigned rest = report.live;
  for (const RegisterOwner &owner : report.owners) {
    if (texts.size() == count)
      break;
    texts.push_back(inWords(owner) + " " + std::to_string(owner.registers));
    rest -= std::min(rest, owner.registers);
  }
  if (rest)
    texts.push_back("others " + std::to_string(rest));
  return join(texts, ", ");
}

std::vector<std::string> triedInWords(const CompiledKernel &kernel) {
  std::vector<std::string> texts;
  if (kernel.withoutLimits)
    texts.push_back("tried without its limits: " +
                    resultInWords(*kernel.withoutLimits));
  for (const OptionBranch &option : kernel.options)
    texts.push_back(formatv("tried with the branch on '{0}' at line {1} fixed: "
                            "{2} one way, {3} the other",
                            option.parameter, option.place.line,
                            resultInWords(option.taken),
                            resultInWords(option.notTaken)));
  for (const RolledLoop &loop : kernel.rolled) {
    texts.push_back(formatv("tried with one copy of the loop at line {0}: {1}",
                            loop.place.line, resultInWords(loop.usage)));
    // An array that the loop indexes leaves the registers.
    if (loop.usage.stackFrame > kernel.usage.stackFrame)
      texts.back() +=
          formatv(", and a stack frame of {0} bytes in place of {1}",
                  loop.usage.stackFrame, kernel.usage.stackFrame);
  }
  for (const KeptFunction &function : kernel.kept)
    texts.push_back("tried with '__noinline__' on '" + function.name +
                    "': " + resultInWords(function.usage));
  return texts;
}

std::string registersInWords(const CompiledKernel &kernel) {
  if (!kernel.registers)
    return "";
  if (!kernel.registers->whyNot.empty())
    return "what holds its registers is unknown: " + kernel.registers->whyNot;
  const RegisterReport &report = *kernel.registers;
  std::string text = formatv("{0} live", report.live);
  if (report.place.line)
    text += formatv(" at line {0}", report.place.line);
  text += ": " + largestOwners(report, 3);
  if (!report.spills.empty()) {
    std::vector<std::string> spilled;
    for (const SpilledOwner &spill : report.spills)
      if (spilled.size() < 3)
        spilled.push_back(inWords(spill));
    text += "; " + join(spilled, "; ");
  }
  return text;
}

} // namespace warplint
