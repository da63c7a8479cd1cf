#include "machine/register_owners.h"
#include "machine/register_reasons.h"
#include "machine/spilled_owners.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace warplint {
namespace {

struct Owned {
  RegisterOwner owner;
  /// The lines of the PTX that write it, by what such instructions share.
  std::map<std::string, std::set<unsigned>> forms;

  /// How many copies of the code wrote its values.
  unsigned copies() const {
    size_t most = 0;
    for (auto &[form, lines] : forms)
      most = std::max(most, lines.size());
    return most;
  }
};

std::vector<Owned> ownersAt(size_t peak, RegisterValues &values) {
  std::map<std::tuple<RegisterKind, std::string, std::string>, Owned> owners;
  for (unsigned number : values.live().at(peak, RegisterFile::General)) {
    const RegisterOwner owner = values.ownerOf(peak, number);
    Owned &known = owners[{owner.kind, owner.name, owner.function}];
    RegisterOwner &all = known.owner;
    if (!all.registers) {
      all = owner;
    } else if (owner.place.line &&
               (!all.place.line || owner.place < all.place)) {
      all.place = owner.place;
      all.callSites = owner.callSites;
    }
    ++all.registers;
    for (size_t writer :
         values.live().definitions(peak, RegisterFile::General, number))
      known.forms[values.formOf(writer)].insert(values.ptxLine(writer));
  }
  std::vector<Owned> sorted;
  for (auto &[key, owned] : owners)
    sorted.push_back(std::move(owned));
  stable_sort(sorted, [](const Owned &a, const Owned &b) {
    return a.owner.registers > b.owner.registers;
  });
  return sorted;
}

/// True if the loop around a place is not unrolled for certain.
bool isInLoopAsWritten(const Place &place, const KernelCode &kernel,
                       StatementFiles &files) {
  const SourceStatements *source = files.of(place.file);
  const SourceStatement *loop =
      source ? source->loopAround(place.line, place.column) : nullptr;
  return loop && kernel.ptx.countsByOne(
                     kernel.code.name, {place.file, source->lineOf(*loop), 0});
}

/// The lines of the user's code, with the most registers of each.
std::vector<LineRegisters> linesOf(const KernelCode &kernel,
                                   RegisterValues &values) {
  std::map<std::pair<std::string, unsigned>, unsigned> most;
  for (size_t i = 0; i < kernel.code.instructions.size(); ++i) {
    const std::vector<SourceFrame> frames = values.userFrames(i);
    if (frames.empty())
      continue;
    const Place &place = frames.front().place;
    unsigned &line = most[{place.file, place.line}];
    line = std::max(line, values.live().count(i, RegisterFile::General));
  }
  std::vector<LineRegisters> lines;
  for (auto &[place, live] : most)
    lines.push_back({{place.first, place.second, 0}, live});
  return lines;
}

} // namespace

RegisterReport registersOf(const KernelCode &kernel, StatementFiles &files) {
  RegisterReport report;
  RegisterValues values(kernel, files);
  const LiveRegisters &live = values.live();
  if (!live.unknownOpcode().empty()) {
    report.whyNot = "which registers the machine instruction '" +
                    live.unknownOpcode() + "' writes is not known";
    return report;
  }
  const auto peak = live.peak();
  if (!peak) {
    report.whyNot = "the machine code of the function is empty";
    return report;
  }
  report.live = live.count(*peak, RegisterFile::General);
  report.predicates = live.count(*peak, RegisterFile::Predicate);
  report.uniform = live.count(*peak, RegisterFile::Uniform);
  std::vector<SourceFrame> frames = values.userFrames(*peak);
  if (!frames.empty()) {
    report.place = frames.front().place;
    for (const SourceFrame &frame : drop_begin(frames))
      report.callSites.insert(report.callSites.begin(), frame.place);
  }
  if (StringRef callee = kernel.code.functionAt(*peak); !callee.empty())
    report.function = functionName(callee.rsplit('$').second.str());
  std::vector<unsigned> copies;
  for (Owned &owned : ownersAt(*peak, values)) {
    // The parts of a float4 come from such instructions, too.
    copies.push_back(isInLoopAsWritten(owned.owner.place, kernel, files)
                         ? 1
                         : owned.copies());
    report.owners.push_back(std::move(owned.owner));
  }
  report.lines = linesOf(kernel, values);
  if (!kernel.cubin.spills.empty())
    report.spills = spillsOf(kernel, values);
  for (RegisterReason &reason :
       reasonsOf(report, copies, kernel.usage, kernel.limits, files)) {
    report.reasons.push_back(std::move(reason.text));
    if (reason.loop.line)
      report.unrolled.push_back(std::move(reason.loop));
    if (reason.function.inside.line)
      report.inlined.push_back(std::move(reason.function));
  }
  return report;
}

} // namespace warplint
