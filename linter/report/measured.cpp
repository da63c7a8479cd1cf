#include "report/measured.h"
#include "base/failure.h"
#include "base/kernel_name.h"
#include "base/printable.h"
#include "base/readable_name.h"
#include "base/short_number.h"
#include "findings/check.h"
#include "machine/disassembly.h"
#include "report/fields.h"
#include "report/source_lines.h"
#include "report/text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace warplint {
namespace {

/// "k<float,4>": what Nsight Compute's and Clang's spellings of an instance
/// share. The former writes "void <unnamed>::k<float, (int)4>(T1 *)".
std::string keyOf(StringRef name) {
  if (name.starts_with("_Z"))
    return keyOf(readableKernelName(name));
  std::string text = withoutInternalNamespace(name.str());
  auto remove = [&](StringRef part, StringRef instead = "") {
    for (size_t at; (at = text.find(part)) != std::string::npos;)
      text.replace(at, part.size(), instead.str());
  };
  remove("<unnamed>::");
  remove("(anonymous namespace)::");
  remove("(bool)1", "true");
  remove("(bool)0", "false");
  for (StringRef cast : {"(int)", "(unsigned int)", "(long)", "(unsigned long)",
                         "(short)", "(char)"})
    remove(cast);
  text = functionOfKey(text).str();
  // The return type stands before a template's name.
  size_t depth = 0, begin = 0;
  for (const auto &[at, c] : enumerate(text)) {
    depth += c == '<';
    depth -= c == '>' && depth;
    if (c == ' ' && !depth)
      begin = at + 1;
  }
  text = text.substr(begin);
  llvm::erase(text, ' ');
  return text;
}

StringRef withoutArguments(StringRef key) {
  return key.take_front(key.find('<'));
}

/// Files of the profile by the files of the sources.
class Files {
public:
  Files(const Report &report, ArrayRef<SourceKernel> kernels) {
    for (const std::string &file : report.files)
      add(file);
    for (const SourceKernel &kernel : kernels)
      for (const AccessRow &row : kernel.accesses)
        add(row.access.place.file);
  }

  /// The file whose path has the longest end in common; empty if not even the
  /// name is known.
  const std::string &of(const std::string &measured) {
    auto [place, isNew] = known_.try_emplace(measured);
    if (!isNew)
      return place->second;
    unsigned most = 0;
    for (const std::string &file : files_) {
      unsigned same = 0;
      for (auto a = sys::path::rbegin(measured), b = sys::path::rbegin(file);
           a != sys::path::rend(measured) && b != sys::path::rend(file) &&
           *a == *b;
           ++a, ++b)
        ++same;
      if (same > most) {
        most = same;
        place->second = file;
      }
    }
    return place->second;
  }

private:
  void add(const std::string &file) {
    if (!file.empty())
      files_.insert(file);
  }
  std::set<std::string> files_;
  std::map<std::string, std::string> known_;
};

using Line = std::pair<std::string, unsigned>;

/// Checks whose findings stand at the kernel and are about its stack frame.
constexpr StringRef ofFrames[] = {"register-spill", "tight-launch-bounds",
                                  "stack-frame"};

/// A kernel of the profile with the one of the sources.
struct Pair {
  const ProfiledKernel &measured;
  const SourceKernel &source;
  double samples = 0;
  std::map<Line, std::vector<const ProfiledInstruction *>> byLine;
};

std::string percent(double share) {
  return shortNumber(std::round(share * 100)) + " %";
}

class Join {
public:
  Join(const Profile &profile, const Report &report,
       ArrayRef<SourceKernel> kernels)
      : profile_(profile), report_(report), kernels_(kernels),
        files_(report, kernels) {
    for (const ProfiledKernel &kernel : profile.kernels)
      all_ += kernel.samples();
    for (const SourceKernel &kernel : kernels)
      keys_.push_back(keyOf(kernel.mangled));
  }

  Expected<Measured> join() {
    if (Error different = compareLines())
      return different;
    if (Error none = pairKernels())
      return none;
    for (const Finding &finding : report_.findings)
      if (finding.verdict() != Verdict::Refuted && !finding.isPart)
        addFinding(finding);
    for (const Pair &pair : pairs_)
      addHotLines(pair);
    auto byCost = [](const auto &a, const auto &b) {
      return a.shareOfAll > b.shareOfAll;
    };
    llvm::stable_sort(result_.hot, byCost);
    llvm::stable_sort(result_.cold, byCost);
    llvm::stable_sort(result_.notFound, byCost);
    return std::move(result_);
  }

private:
  Error compareLines() {
    SourceLines lines;
    bool hasCompared = false;
    for (const auto &[place, text] : profile_.lines) {
      const std::string &file = files_.of(place.file);
      if (file.empty() || text.empty())
        continue;
      const auto now = lines.line(file, place.line);
      if (!now || now->trim() != text)
        return failure("the profile was made from another version of " +
                       printable(file) + ": there line " + Twine(place.line) +
                       " is '" + printable(StringRef(text).take_front(60)) +
                       "'");
      hasCompared = true;
    }
    if (!hasCompared)
      result_.notes.push_back(
          "the profile holds no text of these sources; whether it was made "
          "from them is not checked");
    return Error::success();
  }

  Error pairKernels() {
    std::vector<std::string> unknown;
    for (const ProfiledKernel &kernel : profile_.kernels) {
      const SourceKernel *source = sourceOf(kernel.name);
      if (!source) {
        unknown.push_back(kernel.name);
        continue;
      }
      Pair pair{kernel, *source, kernel.samples(), {}};
      for (const ProfiledInstruction &instruction : kernel.instructions)
        for (const Place &place : instruction.places)
          if (const std::string &file = files_.of(place.file); !file.empty())
            pair.byLine[{file, place.line}].push_back(&instruction);
      pairs_.push_back(std::move(pair));
    }
    if (pairs_.empty())
      return failure("no kernel of the profile is in these sources; it has " +
                     printable(fewOf(unknown)));
    if (!unknown.empty())
      result_.notes.push_back("not in these sources: " + fewOf(unknown));
    return Error::success();
  }

  static std::string fewOf(ArrayRef<std::string> names) {
    constexpr size_t most = 5;
    std::string text = llvm::join(names.take_front(most), ", ");
    return names.size() > most
               ? text + " and " + std::to_string(names.size() - most) + " more"
               : text;
  }

  /// By the whole name; else by the name alone if there is one such kernel.
  const SourceKernel *sourceOf(StringRef name) const {
    const std::string key = keyOf(name);
    const SourceKernel *alike = nullptr;
    unsigned count = 0;
    for (const auto &[kernel, other] : zip(kernels_, keys_)) {
      if (other == key ||
          (name.starts_with("_Z") &&
           normalisedKernelName(name) == normalisedKernelName(kernel.mangled)))
        return &kernel;
      if (withoutArguments(other) == withoutArguments(key)) {
        alike = &kernel;
        ++count;
      }
    }
    return count == 1 ? alike : nullptr;
  }

  /// The instructions at the places of a finding, each once.
  static SetVector<const ProfiledInstruction *>
  instructionsOf(const Pair &pair, const Finding &finding) {
    SetVector<const ProfiledInstruction *> found;
    auto add = [&](const Place &place) {
      auto at = pair.byLine.find({place.file, place.line});
      if (at != pair.byLine.end())
        found.insert(at->second.begin(), at->second.end());
    };
    add(finding.place);
    for (const Place &place : finding.places)
      add(place);
    return found;
  }

  /// Loads and stores of stack frames: spills and arrays.
  static SetVector<const ProfiledInstruction *>
  localAccesses(const Pair &pair) {
    SetVector<const ProfiledInstruction *> found;
    for (const ProfiledInstruction &instruction : pair.measured.instructions)
      if (isLocal(instruction))
        found.insert(&instruction);
    return found;
  }

  static bool isLocal(const ProfiledInstruction &instruction) {
    const StringRef name = machineText(instruction.text).mnemonic();
    return name == "LDL" || name == "STL";
  }

  static bool isAtKernel(const Finding &finding, const SourceKernel &kernel) {
    return llvm::any_of(finding.kernels, [&](const FindingKernel &each) {
      return each.mangled == kernel.mangled && each.place.line &&
             each.place.line == finding.place.line &&
             each.place.file == finding.place.file;
    });
  }

  void addFinding(const Finding &finding) {
    for (const Pair &pair : pairs_) {
      if (llvm::none_of(finding.kernels, [&](const FindingKernel &kernel) {
            return kernel.mangled == pair.source.mangled;
          }))
        continue;
      MeasuredFinding measured{finding, pair.source.name};
      const bool isOfFrame = llvm::is_contained(ofFrames, finding.check);
      const auto code =
          isOfFrame ? localAccesses(pair) : instructionsOf(pair, finding);
      double samples = 0;
      for (const ProfiledInstruction *instruction : code)
        samples += instruction->samples;
      measured.isWhole =
          !isOfFrame && (code.empty() || isAtKernel(finding, pair.source));
      if (measured.isWhole)
        samples = pair.samples;
      measured.share = pair.samples ? samples / pair.samples : 0;
      measured.shareOfAll = all_ ? samples / all_ : 0;
      measured.compared = compare(pair, finding, code.getArrayRef());
      measured.estimate = estimateOf(pair.measured, finding.check);
      const double heat =
          measured.isWhole ? measured.shareOfAll : measured.share;
      (heat >= hotShare ? result_.hot : result_.cold)
          .push_back(std::move(measured));
    }
  }

  static std::optional<Compared>
  compare(const Pair &pair, const Finding &finding,
          ArrayRef<const ProfiledInstruction *> code) {
    double sectors = 0, requests = 0, ways = 0;
    for (const ProfiledInstruction *instruction : code) {
      if (instruction->sectors) {
        sectors += instruction->sectors;
        requests += instruction->executed;
      }
      ways = std::max(ways, instruction->sharedWays);
    }
    double predictedSectors = 0, predictedWays = 0;
    unsigned count = 0;
    for (const AccessRow &row : pair.source.accesses) {
      if (row.held || row.cost.basis == Basis::Unknown ||
          !isAt(finding, row.access.place))
        continue;
      if (row.cost.space == Space::Global) {
        predictedSectors += row.cost.sectors;
        ++count;
      } else if (row.cost.space == Space::Shared) {
        predictedWays = std::max(predictedWays, row.cost.ways);
      }
    }
    const bool isShared = finding.check == "shared-bank-conflict";
    if (count && requests && !isShared)
      return Compared{"sectors per request", predictedSectors / count,
                      sectors / requests};
    if (predictedWays && ways)
      return Compared{"ways", predictedWays, ways};
    return std::nullopt;
  }

  static bool isAt(const Finding &finding, const Place &place) {
    auto same = [&](const Place &other) {
      return other.line == place.line && other.file == place.file;
    };
    return same(finding.place) || llvm::any_of(finding.places, same);
  }

  /// The rule that the check's page names.
  static std::optional<std::pair<std::string, double>>
  estimateOf(const ProfiledKernel &kernel, const std::string &id) {
    const Check *check = findCheck(id);
    for (const auto &[rule, saved] : kernel.estimates)
      if (check && StringRef(check->info.ncu).contains(rule))
        return std::pair(rule, saved);
    return std::nullopt;
  }

  void addHotLines(const Pair &pair) {
    for (const auto &[line, code] : pair.byLine) {
      HotLine hot{pair.source.name, {line.first, line.second, 0}};
      double samples = 0;
      std::map<std::string, double> stalls;
      for (const ProfiledInstruction *instruction : code) {
        samples += instruction->samples;
        for (const auto &[reason, count] : instruction->stalls)
          stalls[reason] += count;
      }
      hot.share = pair.samples ? samples / pair.samples : 0;
      hot.shareOfAll = all_ ? samples / all_ : 0;
      if (hot.share < hotShare || hot.shareOfAll < hotShare ||
          isFound(pair, line))
        continue;
      hot.stalls = wordsOf(stalls, samples);
      hot.why = whySilent(pair, line, stalls);
      result_.notFound.push_back(std::move(hot));
    }
  }

  bool isFound(const Pair &pair, const Line &line) const {
    double local = 0, samples = 0;
    for (const ProfiledInstruction *instruction : pair.byLine.at(line)) {
      samples += instruction->samples;
      local += isLocal(*instruction) ? instruction->samples : 0;
    }
    return llvm::any_of(report_.findings, [&](const Finding &finding) {
      return finding.verdict() != Verdict::Refuted &&
             (isAt(finding, {line.first, line.second, 0}) ||
              (local > samples / 2 &&
               llvm::is_contained(ofFrames, finding.check))) &&
             llvm::any_of(finding.kernels, [&](const FindingKernel &kernel) {
               return kernel.mangled == pair.source.mangled;
             });
    });
  }

  /// The three commonest reasons: "long_sb 80 %, lg 12 %".
  static std::string wordsOf(const std::map<std::string, double> &stalls,
                             double samples) {
    std::vector<std::pair<std::string, double>> sorted(stalls.begin(),
                                                       stalls.end());
    llvm::stable_sort(sorted, [](const auto &a, const auto &b) {
      return a.second > b.second;
    });
    std::vector<std::string> words;
    for (const auto &[reason, count] : sorted)
      if (words.size() < 3 && count >= samples / 20)
        words.push_back(reason + " " + percent(count / samples));
    return llvm::join(words, ", ");
  }

  static std::string whySilent(const Pair &pair, const Line &line,
                               const std::map<std::string, double> &stalls) {
    auto share = [&](std::initializer_list<StringRef> reasons) {
      double some = 0, all = 1e-9;
      for (const auto &[reason, count] : stalls) {
        all += count;
        if (is_contained(reasons, reason))
          some += count;
      }
      return some / all;
    };
    // Among several accesses of a line, one with an unknown address; then one
    // of the memory that warps wait for.
    const Space awaited =
        share({"long_sb", "lg"}) > 0.4 ? Space::Global : Space::Shared;
    auto rank = [&](const AccessRow &row) {
      return row.cost.basis == Basis::Unknown ? 2
             : row.cost.space == awaited      ? 1
                                              : 0;
    };
    const AccessRow *access = nullptr;
    for (const AccessRow &row : pair.source.accesses)
      if (!row.held && row.access.place.line == line.second &&
          row.access.place.file == line.first &&
          (!access || rank(row) > rank(*access)))
        access = &row;
    if (access && access->cost.basis == Basis::Unknown)
      return "the address of '" + access->access.text + "' is unknown: it " +
             access->cost.why;
    if (access && access->cost.space == Space::Global &&
        access->cost.sectors <= access->cost.idealSectors)
      return llvm::formatv("'{0}': {1}; its requests are what the data need",
                           access->access.text, costText(*access));
    if (access)
      return llvm::formatv("'{0}': {1}", access->access.text,
                           costText(*access));
    if (share({"barrier", "membar"}) > 0.5)
      return "warps wait for others at a barrier here; what the others do "
             "meanwhile stands at other lines";
    if (share({"short_sb", "mio"}) > 0.5)
      return "warps wait in the queue (MIO) of shared memory, special "
             "registers and functions, which accesses at other lines fill";
    if (share({"math", "not_selected", "dispatch", "wait", "no_inst",
               "branch_resolving"}) > 0.5)
      return "warps issue instructions here; 'warplint operations' counts them";
    return "no access of the source stands here";
  }

  const Profile &profile_;
  const Report &report_;
  const ArrayRef<SourceKernel> kernels_;
  std::vector<std::string> keys_; ///< of `kernels_`
  Files files_;
  std::vector<Pair> pairs_;
  double all_ = 0;
  Measured result_;
};

/// ", 19, 21": the other lines of the file that the finding stands for.
std::string otherLines(const Finding &finding) {
  constexpr size_t most = 6;
  std::set<unsigned> lines;
  for (const Place &place : finding.places)
    if (place.file == finding.place.file && place.line != finding.place.line)
      lines.insert(place.line);
  std::string text;
  for (const auto &[at, line] : enumerate(lines))
    if (at < most)
      text += ", " + std::to_string(line);
  return lines.size() > most ? text + ", ..." : text;
}

void printFinding(const MeasuredFinding &each, const std::string &relativeTo,
                  raw_ostream &out) {
  const Finding &finding = each.finding;
  out << "  " << printablePath(finding.place.file, relativeTo) << ':'
      << finding.place.line << otherLines(finding) << ": "
      << printable(finding.message) << " [" << finding.check << "]\n";
  out << "      in '" << printable(each.kernel) << "': "
      << (each.isWhole ? "of the whole kernel, "
                       : percent(each.share) + " of its stall samples, ")
      << percent(each.shareOfAll) << " of all\n";
  if (each.compared)
    out << "      " << each.compared->unit << ": predicted "
        << shortNumber(each.compared->predicted) << ", measured "
        << shortNumber(each.compared->measured) << '\n';
  if (finding.share || each.estimate) {
    out << "      saves";
    if (finding.share)
      out << " about " << percent(*finding.share)
          << " of the kernel's time by warplint";
    if (each.estimate)
      out << (finding.share ? ", " : " ")
          << percent(each.estimate->second / 100) << " by NVIDIA ("
          << each.estimate->first << ')';
    out << '\n';
  }
}

void printFindings(const char *title, ArrayRef<MeasuredFinding> findings,
                   const std::string &relativeTo, raw_ostream &out) {
  if (findings.empty())
    return;
  out << title << '\n';
  for (const MeasuredFinding &each : findings)
    printFinding(each, relativeTo, out);
}

void attributes(json::OStream &json, const MeasuredFinding &each) {
  const Finding &finding = each.finding;
  json.attribute("check", finding.check);
  json.attribute("file", utf8(finding.place.file));
  json.attribute("line", finding.place.line);
  json.attribute("kernel", utf8(each.kernel));
  json.attribute("message", utf8(finding.message));
  json.attribute("verdict", spelling(finding.verdict()));
  json.attribute("samples", each.share);
  json.attribute("samplesOfAll", each.shareOfAll);
  json.attribute("wholeKernel", each.isWhole);
  json.attribute("share", finding.share ? json::Value(*finding.share)
                                        : json::Value(nullptr));
  if (each.compared) {
    json.attribute("unit", each.compared->unit);
    json.attribute("predicted", each.compared->predicted);
    json.attribute("measured", each.compared->measured);
  }
  if (each.estimate) {
    json.attribute("rule", each.estimate->first);
    json.attribute("estimate", each.estimate->second / 100);
  }
}

} // namespace

Expected<Measured> compareMeasured(const Profile &profile, const Report &report,
                                   ArrayRef<SourceKernel> kernels) {
  return Join(profile, report, kernels).join();
}

void printMeasured(const Measured &measured, const std::string &relativeTo,
                   raw_ostream &out) {
  printFindings("found and hot", measured.hot, relativeTo, out);
  printFindings("found but cold", measured.cold, relativeTo, out);
  if (!measured.notFound.empty())
    out << "hot and not found\n";
  for (const HotLine &hot : measured.notFound) {
    out << "  " << printablePath(hot.place.file, relativeTo) << ':'
        << hot.place.line << ": " << percent(hot.share)
        << " of the stall samples of '" << printable(hot.kernel) << "', "
        << percent(hot.shareOfAll) << " of all";
    if (!hot.stalls.empty())
      out << ": " << hot.stalls;
    out << "\n      " << printable(hot.why) << '\n';
  }
  out << measured.hot.size() << " found and hot, " << measured.cold.size()
      << " found but cold, " << measured.notFound.size()
      << " hot and not found\n";
}

void printMeasuredJson(const Measured &measured, raw_ostream &out) {
  json::OStream json(out, /*IndentSize=*/2);
  json.object([&] {
    auto list = [&](const char *name, ArrayRef<MeasuredFinding> findings) {
      json.attributeArray(name, [&] {
        for (const MeasuredFinding &each : findings)
          json.object([&] { attributes(json, each); });
      });
    };
    list("hot", measured.hot);
    list("cold", measured.cold);
    json.attributeArray("notFound", [&] {
      for (const HotLine &hot : measured.notFound)
        json.object([&] {
          json.attribute("kernel", utf8(hot.kernel));
          json.attribute("file", utf8(hot.place.file));
          json.attribute("line", hot.place.line);
          json.attribute("samples", hot.share);
          json.attribute("samplesOfAll", hot.shareOfAll);
          json.attribute("stalls", hot.stalls);
          json.attribute("why", utf8(hot.why));
        });
    });
    json.attributeArray("notes", [&] {
      for (const std::string &note : measured.notes)
        json.value(utf8(note));
    });
  });
  out << '\n';
}

} // namespace warplint
