#include "machine/profile.h"
#include "base/failure.h"
#include "machine/operands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace warplint {
namespace {

/// The cells of a line of CSV. ncu does not double the quotes in a cell.
std::vector<StringRef> cellsOf(StringRef line) {
  line = line.trim("\r,");
  if (!line.consume_front("\"") || !line.consume_back("\""))
    return {};
  std::vector<StringRef> cells;
  while (true) {
    const size_t end = line.find("\",\"");
    cells.push_back(line.take_front(end));
    if (end == StringRef::npos)
      return cells;
    line = line.drop_front(end + 3);
  }
}

double number(StringRef cell) {
  std::string digits = cell.str();
  llvm::erase(digits, ',');
  double value = 0;
  return StringRef(digits).trim().getAsDouble(value) ? 0 : value;
}

/// Where a row has what; npos: nowhere.
struct Columns {
  static constexpr size_t none = ~size_t(0);
  size_t count = 0, line = none, text = none, address = none, code = none,
         samples = none, executed = none, sectors = none, ideal = none,
         ways = none;
  std::vector<std::pair<size_t, std::string>> stalls;

  /// Names of columns differ by the release.
  explicit Columns(ArrayRef<StringRef> head) : count(head.size()) {
    for (const auto &[at, name] : enumerate(head)) {
      auto is = [&, name = name](size_t &column,
                                 std::initializer_list<StringRef> names) {
        if (column == none && is_contained(names, name))
          column = at;
      };
      is(line, {"Line No", "#"});
      is(address, {"Address"});
      is(address == none ? text : code, {"Source", "CUDA", "SASS"});
      is(samples, {"Warp Stall Sampling (All Samples)",
                   "Warp Stall Sampling (All Cycles)", "Sampling Data (All)",
                   "# Samples", "# Samples (All)"});
      is(executed, {"Instructions Executed"});
      is(sectors, {"L2 Theoretical Sectors Global"});
      is(ideal, {"L2 Theoretical Sectors Global Ideal"});
      is(ways, {"L1 Conflicts Shared N-Way"});
      StringRef reason = name;
      if (reason.consume_front("stall_") && !reason.contains('(') &&
          reason != "selected")
        stalls.push_back({at, reason.str()});
    }
    // The code of a report without lines has addresses first.
    if (text == none && line == none && code != none)
      text = code;
  }
};

class Reader {
public:
  Expected<Profile> read(StringRef csv, StringRef name) {
    bool hasSources = false, hasLines = false;
    while (!csv.empty()) {
      StringRef line;
      std::tie(line, csv) = csv.split('\n');
      std::vector<StringRef> cells = cellsOf(line);
      if (cells.size() == 2 &&
          (cells[0] == "File Path" || cells[0] == "File Name"))
        file_ = cells[1].str();
      else if (cells.size() == 2 &&
               (cells[0] == "Function Name" || cells[0] == "Kernel Name"))
        beginKernel(cells[1]);
      else if (is_contained(cells, "Source") || is_contained(cells, "CUDA")) {
        columns_.emplace(cells);
        hasSources = true;
        hasLines |= columns_->line != Columns::none;
      } else if (columns_ && kernel_ && columns_->line != Columns::none)
        readRow(std::move(cells));
    }
    if (!hasSources)
      return failure(name +
                     " is no source page of Nsight Compute; make it with "
                     "'ncu --import REPORT --page source --print-source "
                     "cuda,sass --csv'");
    if (!hasLines || !hasAny_)
      return failure(name +
                     " has no lines of sources with what was measured at "
                     "them: compile with -lineinfo, profile with '--set "
                     "full', and export with '--print-source cuda,sass'");
    for (size_t i = 0; i < profile_.kernels.size(); ++i)
      sortByAddress(profile_.kernels[i].instructions, byAddress_[i]);
    return std::move(profile_);
  }

private:
  static void sortByAddress(std::vector<ProfiledInstruction> &code,
                            const std::map<std::string, size_t> &order) {
    std::vector<ProfiledInstruction> sorted;
    for (const auto &[address, at] : order)
      sorted.push_back(std::move(code[at]));
    code = std::move(sorted);
  }

  /// The rows of one file of one launch follow.
  void beginKernel(StringRef name) {
    auto [place, isNew] = byName_.try_emplace(name, profile_.kernels.size());
    if (isNew) {
      profile_.kernels.emplace_back().name = name.str();
      byAddress_.emplace_back();
    }
    if (place->second != kernel_ || !files_.insert({file_, true}).second) {
      // Another launch begins where a file comes again.
      files_.clear();
      files_.insert({file_, true});
      ++profile_.kernels[place->second].launches;
      seen_.clear();
    }
    kernel_ = place->second;
    columns_.reset();
  }

  void readRow(std::vector<StringRef> cells) {
    // A line of the source may hold what separates cells.
    while (cells.size() > columns_->count &&
           columns_->text + 1 < cells.size()) {
      const size_t at = columns_->text;
      cells[at] =
          StringRef(cells[at].begin(), cells[at + 1].end() - cells[at].begin());
      cells.erase(cells.begin() + at + 1);
    }
    if (cells.size() != columns_->count)
      return;
    unsigned line = 0;
    if (!cells[columns_->line].getAsInteger(10, line)) {
      place_ = {file_, line, 0};
      if (columns_->text != Columns::none)
        profile_.lines.push_back({place_, cells[columns_->text].trim().str()});
      if (columns_->address == Columns::none)
        add(cells, (file_ + ":" + Twine(line)).str(), "");
      return;
    }
    if (columns_->address != Columns::none &&
        cells[columns_->address].starts_with("0x"))
      add(cells, cells[columns_->address],
          columns_->code == Columns::none ? "" : cells[columns_->code].trim());
  }

  void add(ArrayRef<StringRef> cells, StringRef address, StringRef text) {
    ProfiledKernel &kernel = profile_.kernels[*kernel_];
    auto [known, isNew] = byAddress_[*kernel_].try_emplace(
        address.str(), kernel.instructions.size());
    if (isNew)
      kernel.instructions.emplace_back().text = text.str();
    ProfiledInstruction &instruction = kernel.instructions[known->second];
    if (!is_contained(instruction.places, place_))
      instruction.places.push_back(place_);
    // Inlined code stands under each of its lines, with the same counts.
    if (!seen_.insert({address, true}).second)
      return;
    auto value = [&](size_t column) {
      return column == Columns::none ? 0 : number(cells[column]);
    };
    hasAny_ |= value(columns_->executed) || value(columns_->samples);
    // Warps that have ended are sampled at a branch that nothing executes.
    if (columns_->executed != Columns::none && !value(columns_->executed))
      return;
    instruction.samples += value(columns_->samples);
    instruction.executed += value(columns_->executed);
    instruction.sectors += value(columns_->sectors);
    instruction.idealSectors += value(columns_->ideal);
    instruction.sharedWays =
        std::max(instruction.sharedWays, value(columns_->ways));
    for (const auto &[column, reason] : columns_->stalls)
      if (const double samples = value(column))
        instruction.stalls[reason] += samples;
  }

  Profile profile_;
  StringMap<size_t> byName_;
  /// By kernel and address, so that the code is in order.
  std::vector<std::map<std::string, size_t>> byAddress_;
  StringMap<bool> files_; ///< of the current launch
  StringMap<bool> seen_;  ///< addresses of the current launch
  std::string file_;
  std::optional<size_t> kernel_;
  std::optional<Columns> columns_;
  Place place_;
  bool hasAny_ = false;
};

/// Loads that warps wait for long enough to be counted.
bool isLoad(const MachineText &code) {
  return is_contained({"LDG", "LD", "LDL", "LDS", "LDSM", "ATOM", "ATOMG",
                       "ATOMS", "TEX", "TLD", "TLD4", "SULD", "LDC", "SHFL"},
                      code.mnemonic());
}

/// Returns true if `code` reads register `number`, also as the second one of a
/// pair. Of the first operand, which is often written, this is an
/// overestimate: an instruction waits for what it overwrites as well.
bool uses(const MachineText &code, unsigned number) {
  StringRef text = code.operands;
  while (!text.empty()) {
    const size_t at = text.find('R');
    if (at == StringRef::npos)
      return false;
    const bool isStart = at == 0 || !isAlnum(text[at - 1]);
    text = text.drop_front(at + 1);
    unsigned first = 0;
    if (!isStart || text.consumeInteger(10, first))
      continue;
    const unsigned width = text.starts_with(".64") ? 2 : 1;
    if (number >= first && number < first + width)
      return true;
  }
  return false;
}

} // namespace

double ProfiledKernel::samples() const {
  double sum = 0;
  for (const ProfiledInstruction &instruction : instructions)
    sum += instruction.samples;
  return sum;
}

Expected<Profile> readProfile(StringRef csv, StringRef name) {
  Expected<Profile> profile = Reader().read(csv, name);
  if (profile)
    for (ProfiledKernel &kernel : profile->kernels)
      moveWaitsToLoads(kernel);
  return profile;
}

void readEstimates(StringRef csv, Profile &into) {
  std::vector<StringRef> head;
  StringMap<size_t> columns;
  while (!csv.empty()) {
    StringRef line;
    std::tie(line, csv) = csv.split('\n');
    const std::vector<StringRef> cells = cellsOf(line);
    if (is_contained(cells, "Rule Name")) {
      for (const auto &[at, name] : enumerate(cells))
        columns[name] = at;
      continue;
    }
    auto cell = [&](StringRef name) {
      auto found = columns.find(name);
      return found == columns.end() || found->second >= cells.size()
                 ? StringRef()
                 : cells[found->second];
    };
    const double saved = number(cell("Estimated Speedup"));
    if (saved <= 0)
      continue;
    for (ProfiledKernel &kernel : into.kernels)
      if (kernel.name == cell("Kernel Name")) {
        double &known = kernel.estimates[cell("Rule Name").str()];
        known = std::max(known, saved);
      }
  }
}

void moveWaitsToLoads(ProfiledKernel &kernel) {
  std::vector<ProfiledInstruction> &code = kernel.instructions;
  std::vector<MachineText> texts;
  for (const ProfiledInstruction &instruction : code)
    texts.push_back(machineText(instruction.text));
  auto isWaitingFor = [&](size_t waits, size_t load) {
    const std::optional<unsigned> first =
        isLoad(texts[load]) ? destination(texts[load]) : std::nullopt;
    for (unsigned i = 0; first && i < wordsMoved(texts[load]); ++i)
      if (uses(texts[waits], *first + i))
        return true;
    return false;
  };
  for (size_t i = 0; i < code.size(); ++i)
    for (const char *reason : {"long_sb", "short_sb"}) {
      auto wait = code[i].stalls.find(reason);
      if (wait == code[i].stalls.end())
        continue;
      // The last load before it that writes what it reads; in a loop that may
      // stand behind it.
      for (size_t back = 1; back < code.size(); ++back) {
        const size_t at = (i + code.size() - back) % code.size();
        if (!isWaitingFor(i, at))
          continue;
        const double samples = wait->second;
        code[i].stalls.erase(wait);
        code[i].samples -= samples;
        code[at].samples += samples;
        code[at].stalls[reason] += samples;
        break;
      }
    }
}

} // namespace warplint
