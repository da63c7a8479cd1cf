#include "machine/frame.h"
#include "cost/address_roots.h"
#include "cost/compile_time.h"
#include "machine/frame_layout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

namespace warplint {
namespace {

/// "fib" of `_Z3fibi`.
std::string functionName(const std::string &mangled) {
  if (mangled.front() == '%') // a register
    return "a function behind a pointer";
  std::string name = mangled.substr(0, mangled.rfind('$'));
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(name.c_str()))
    return name;
  char *text = demangler.getFunctionBaseName(nullptr, nullptr);
  if (!text)
    return name;
  name = text;
  std::free(text);
  return name;
}

/// Matches each piece of a function's local memory to an array of the source,
/// or a part of one: an array that is used at the same lines and is no smaller.
class ArrayNames {
public:
  explicit ArrayNames(const Kernel *source) : source_(source) {
    if (!source)
      return;
    places_.resize(source->arrays.size());
    for (const Access &access : source->accesses)
      if (access.array) {
        places_[*access.array].insert(access.place);
        places_[*access.array].insert(access.callSites.begin(),
                                      access.callSites.end());
      }
    for (unsigned i = 0; i < places_.size(); ++i) {
      places_[i].insert(source->arrays[i].place);
      if (!source->arrays[i].passedTo.empty())
        places_[i].insert(source->arrays[i].passedAt);
    }
  }

  /// Returns the array of each piece. Arrays are in the order of their
  /// declarations, so the next one is taken of several that fit equally well.
  std::vector<std::optional<unsigned>> of(const LocalMemory &memory) {
    std::vector<std::optional<unsigned>> names(memory.pieces.size());
    // printf's arguments are no array, even at the same line.
    if (source_)
      for (unsigned i = 0; i < names.size(); ++i)
        if (memory.pieces[i].passedTo != std::vector<std::string>{"vprintf"})
          names[i] = bestFor(memory.pieces[i]);
    return names;
  }

private:
  std::optional<unsigned> bestFor(const LocalPiece &piece) {
    std::optional<unsigned> best;
    std::pair<int, size_t> most{0, 0};
    for (unsigned i = 0; i < places_.size(); ++i) {
      const uint64_t bytes = source_->arrays[i].bytes;
      const size_t common = llvm::count_if(piece.places, [&](const Place &at) {
        return llvm::any_of(places_[i], [&](const Place &place) {
          return sameLine(at, place);
        });
      });
      // Prefers a whole array, with padding for the next one, to a remaining
      // part of one.
      const uint64_t left = bytes - std::min(bytes, given_[i]);
      const bool isWhole =
          left == bytes && bytes <= piece.bytes && piece.bytes - bytes < 16;
      const bool isPart = piece.bytes < bytes && piece.bytes <= left;
      if (!common || !(isWhole || isPart))
        continue;
      const int fit = (isWhole ? 2 : 0) + (bytes == piece.bytes ? 1 : 0);
      if (!best || std::pair(fit, common) > most) {
        best = i;
        most = {fit, common};
      }
    }
    if (best)
      given_[*best] += piece.bytes;
    return best;
  }

  const Kernel *source_;
  std::vector<std::set<Place>> places_; ///< by array
  std::map<unsigned, uint64_t> given_;  ///< bytes, by array
};

/// The parameter by value that an access reads at an index which is unknown at
/// compile time; null if it reads none.
const Object *indexedParameter(const Kernel &kernel, const Access &access) {
  if (access.space != Space::Parameter || !access.bytes ||
      !whyNotKnown(kernel, access.address))
    return nullptr;
  for (ValueId root : addressRoots(kernel.graph, access.address))
    if (const Node &node = kernel.graph.node(root); node.op == Op::Base)
      return &kernel.objects[node.number];
  return nullptr;
}

/// Assigns each byte of the frame to one owner.
class Painter {
public:
  Painter(const CompiledKernel &kernel, const Kernel *source)
      : kernel_(kernel), source_(source), layout_(layoutOf(kernel)),
        owners_(kernel.usage.stackFrame, -1) {
    frame_.bytes = kernel.usage.stackFrame;
  }

  Frame paint() {
    describeCalls();
    paintArguments();
    paintVariables();
    paintSpills();
    paintRest();
    countOthers();
    for (int owner : owners_)
      ++frame_.shares[owner].bytes;
    llvm::erase_if(frame_.shares,
                   [](const FrameShare &share) { return share.bytes == 0; });
    llvm::stable_sort(frame_.shares,
                      [](const FrameShare &a, const FrameShare &b) {
                        return a.bytes > b.bytes;
                      });
    return std::move(frame_);
  }

private:
  void describeCalls() {
    for (const LocalMemory *callee : calledWithFrames(kernel_)) {
      CallFrame call;
      call.name = functionName(callee->function);
      call.isRecursive = isRecursive(*callee, kernel_.memory);
      for (const CalleeUsage &usage : kernel_.usage.callees)
        if (usage.name == callee->function) {
          call.bytes = usage.stackFrame;
          // Besides variables, a function's frame holds only registers saved
          // for its caller, which count as spilled.
          call.areVariablesKept = callee->bytes &&
                                  usage.stackFrame >= callee->bytes &&
                                  usage.spillStores == 0;
        }
      for (std::optional<unsigned> array : ArrayNames(source_).of(*callee))
        if (array)
          call.arrays.insert(*array);
      frame_.calls.push_back(std::move(call));
    }
    for (const LocalMemory &memory : kernel_.memory) {
      frame_.callsThroughPointers |= memory.callsThroughPointers;
      frame_.hasAlloca |= memory.hasAlloca;
      frame_.allocas.insert(memory.allocas.begin(), memory.allocas.end());
      frame_.pointerCalls.insert(memory.pointerCalls.begin(),
                                 memory.pointerCalls.end());
    }
  }

  /// Returns the share of that kind and name; adds one if there is none.
  unsigned share(FrameShare::Kind kind, const std::string &name = "",
                 std::optional<unsigned> array = std::nullopt) {
    for (unsigned i = 0; i < frame_.shares.size(); ++i) {
      const FrameShare &known = frame_.shares[i];
      if (known.kind == kind && known.name == name && known.array == array)
        return i;
    }
    FrameShare added;
    added.kind = kind;
    added.name = name;
    added.array = array;
    frame_.shares.push_back(std::move(added));
    return frame_.shares.size() - 1;
  }

  void own(unsigned begin, unsigned end, unsigned index) {
    for (unsigned at = begin; at < std::min<size_t>(end, owners_.size()); ++at)
      if (owners_[at] < 0)
        owners_[at] = index;
      else if (unsigned(owners_[at]) != index) {
        std::vector<std::string> &shared = frame_.shares[owners_[at]].shared;
        std::string other = inWords(frame_.shares[index]);
        if (!llvm::is_contained(shared, other))
          shared.push_back(std::move(other));
      }
  }

  void paintArguments() {
    if (!layout_.arguments)
      return;
    std::string name =
        frame_.calls.size() == 1 ? frame_.calls.front().name : "";
    own(0, layout_.arguments, share(FrameShare::Arguments, name));
  }

  // --- variables -------------------------------------------------------------

  void paintVariables() {
    // A parameter is the array itself; the caller's is a copy.
    auto hasParameters = [](const FrameLayout::Variables &variables) {
      return llvm::any_of(
          variables.memory->pieces,
          [](const LocalPiece &piece) { return piece.isParameter; });
    };
    ArrayNames arrays(source_);
    std::map<const LocalMemory *, std::vector<std::optional<unsigned>>> named;
    for (bool first : {true, false})
      for (const FrameLayout::Variables &variables : layout_.variables)
        if (hasParameters(variables) == first)
          named[variables.memory] = arrays.of(*variables.memory);
    for (const FrameLayout::Variables &variables : layout_.variables) {
      const LocalMemory &memory = *variables.memory;
      const std::vector<std::optional<unsigned>> &names = named[&memory];
      for (unsigned i = 0; i < memory.pieces.size(); ++i) {
        const LocalPiece &piece = memory.pieces[i];
        const unsigned start = variables.start + piece.offset;
        unsigned bytes = piece.bytes;
        unsigned index;
        if (names[i]) {
          const Array &array = source_->arrays[*names[i]];
          bytes = std::min<uint64_t>(bytes, array.bytes);
          index = share(FrameShare::Array, array.name, *names[i]);
        } else {
          index = nameless(memory, piece);
        }
        own(start, start + bytes, index);
        pieces_.push_back({&piece, index});
        for (const Place &place : piece.places)
          frame_.shares[index].places.try_emplace({place.file, place.line, 0},
                                                  0);
      }
      // Memory of a function that takes no address at all is one share.
      if (memory.pieces.empty())
        own(variables.start, variables.start + memory.bytes,
            share(FrameShare::Unnamed, functionName(memory.function)));
    }
  }

  unsigned nameless(const LocalMemory &memory, const LocalPiece &piece) {
    if (piece.isParameter)
      return share(FrameShare::Copy, functionName(memory.function));
    if (piece.passedTo == std::vector<std::string>{"vprintf"})
      return share(FrameShare::Arguments, "printf");
    const bool hasLines = llvm::any_of(
        memory.pieces, [](const LocalPiece &p) { return !p.places.empty(); });
    if (!memory.isKernel && !hasLines)
      return share(FrameShare::Library, libraryName(memory.function));
    if (!piece.passedTo.empty())
      return share(FrameShare::Variable, functionName(piece.passedTo.front()));
    if (isOfFloatSine(piece))
      return share(FrameShare::Library, "sin, cos or tan of a float");
    if (std::optional<unsigned> access = readerOfCopy(memory, piece))
      return copyOf(*access);
    return share(FrameShare::Unnamed);
  }

  /// Returns the access at the piece's lines that indexes a parameter of which
  /// the piece is a copy, whole or in part: nvcc makes one before ptxas could
  /// load from constant memory by the index.
  std::optional<unsigned> readerOfCopy(const LocalMemory &memory,
                                       const LocalPiece &piece) const {
    if (!source_ || !memory.isKernel || !piece.isDynamic)
      return std::nullopt;
    for (unsigned i = 0; i < source_->accesses.size(); ++i) {
      const Access &access = source_->accesses[i];
      auto isThere = [&](const Place &place) {
        return sameLine(place, access.place);
      };
      const Object *parameter = llvm::any_of(piece.places, isThere)
                                    ? indexedParameter(*source_, access)
                                    : nullptr;
      if (parameter && piece.bytes < parameter->bytes + 16)
        return i;
    }
    return std::nullopt;
  }

  unsigned copyOf(unsigned access) {
    const Object *parameter =
        indexedParameter(*source_, source_->accesses[access]);
    const unsigned index = share(FrameShare::Parameter, parameter->name);
    if (!frame_.shares[index].access)
      frame_.shares[index].access = access;
    return index;
  }

  /// Returns true for the seven words in which sinf and its like multiply a
  /// large argument by 2 / pi. They are inlined, at the line of the call.
  bool isOfFloatSine(const LocalPiece &piece) const {
    constexpr unsigned sevenWords = 28;
    auto isSine = [&](const Place &place) {
      return llvm::any_of(source_->operations, [&](const Computation &one) {
        const Written &written = source_->writtenOf(one);
        return one.kind == Compute::Sine && one.type == Number::F32 &&
               !one.isApproximate &&
               (sameLine(written.place, place) ||
                llvm::any_of(written.callSites, [&](const Place &call) {
                  return sameLine(call, place);
                }));
      });
    };
    // Of a 'sin' that a header defines by another one, lines of the header are
    // places as well.
    return source_ && piece.bytes == sevenWords &&
           llvm::any_of(piece.places, isSine);
  }

  static std::string libraryName(const std::string &function) {
    if (llvm::StringRef(function).starts_with(
            "__internal_trig_reduction_slowpathd"))
      return "sin, cos or tan of a double";
    return functionName(function);
  }

  // --- spills, and what is left
  // -----------------------------------------------

  void paintSpills() {
    if (layout_.spills.empty() && layout_.spillStart == frame_.bytes)
      return;
    const unsigned index = share(FrameShare::Spill);
    bool areAllPlaced = !layout_.spills.empty();
    for (const LocalInstruction *spill : layout_.spills) {
      count(*spill, index);
      if (spill->frameOffset && *spill->frameOffset >= 0)
        own(*spill->frameOffset, *spill->frameOffset + spill->bytes, index);
      else
        areAllPlaced = false;
    }
    if (!areAllPlaced)
      own(layout_.spillStart, frame_.bytes, index);
  }

  /// A gap too short for any other known content is alignment.
  void paintRest() {
    constexpr unsigned widest =
        16; // an access; nothing is aligned beyond its size
    for (unsigned at = 0; at < owners_.size();) {
      unsigned end = at;
      while (end < owners_.size() && owners_[end] < 0)
        ++end;
      if (end > at)
        own(at, end,
            share(end - at < widest && layout_.whyNot.empty()
                      ? FrameShare::Alignment
                      : FrameShare::Unknown,
                  ""));
      at = std::max(end, at + 1);
    }
  }

  /// A static address identifies the owner; otherwise the line does.
  void countOthers() {
    for (const LocalInstruction *local : layout_.others) {
      const bool isInFrame = local->frameOffset && *local->frameOffset >= 0 &&
                             *local->frameOffset < int(owners_.size());
      if (isInFrame) {
        count(*local, owners_[*local->frameOffset]);
        continue;
      }
      for (const auto &[piece, index] : pieces_)
        if (llvm::any_of(piece->places, [&](const Place &place) {
              return sameLine(place, {local->file, local->line, 0});
            })) {
          count(*local, index);
          break;
        }
    }
  }

  void count(const LocalInstruction &local, unsigned index) {
    FrameShare &share = frame_.shares[index];
    ++(local.isStore ? share.stores : share.loads);
    // A library's function has no lines: the table goes on with the last one of
    // the code before it.
    const bool isNowhere =
        share.kind == FrameShare::Library && !local.function.empty();
    if (local.line && !isNowhere)
      ++share.places[{local.file, local.line, 0}];
  }

  const CompiledKernel &kernel_;
  const Kernel *source_;
  FrameLayout layout_;
  std::vector<int> owners_; ///< by byte, index of a share
  std::vector<std::pair<const LocalPiece *, unsigned>> pieces_;
  Frame frame_;
};

} // namespace

unsigned Frame::of(FrameShare::Kind kind) const {
  unsigned sum = 0;
  for (const FrameShare &share : shares)
    if (share.kind == kind)
      sum += share.bytes;
  return sum;
}

const FrameShare *Frame::ofArray(unsigned array) const {
  auto it = llvm::find_if(
      shares, [&](const FrameShare &share) { return share.array == array; });
  return it == shares.end() ? nullptr : &*it;
}

const FrameShare *Frame::spills() const {
  auto it = llvm::find_if(shares, [](const FrameShare &share) {
    return share.kind == FrameShare::Spill;
  });
  return it == shares.end() ? nullptr : &*it;
}

Frame frameOf(const CompiledKernel &kernel, const Kernel *source) {
  return Painter(kernel, source).paint();
}

std::string inWords(const FrameShare &share) {
  const std::string quoted = llvm::StringRef(share.name).contains(' ')
                                 ? share.name
                                 : "'" + share.name + "'";
  switch (share.kind) {
  case FrameShare::Array:
    return quoted;
  case FrameShare::Parameter:
    return "a copy of the parameter " + quoted;
  case FrameShare::Variable:
    return "variables whose address " + quoted + " gets";
  case FrameShare::Arguments:
    return share.name.empty() ? "arguments of calls" : "arguments of " + quoted;
  case FrameShare::Copy:
    return "a copy of a parameter of " + quoted;
  case FrameShare::Library:
    return "for the slow path of " + share.name;
  case FrameShare::Unnamed:
    return share.name.empty() ? "variables without a name"
                              : "variables of " + quoted;
  case FrameShare::Spill:
    return "spills";
  case FrameShare::Alignment:
    return "alignment";
  case FrameShare::Unknown:
    return "not told apart";
  }
  return "";
}

std::string mostly(const FrameShare &share) {
  unsigned all = 0;
  std::string file;
  std::map<std::string, unsigned> byFile;
  for (const auto &[place, number] : share.places) {
    all += number;
    byFile[place.file] += number;
  }
  if (!all)
    return "";
  file = std::max_element(
             byFile.begin(), byFile.end(),
             [](const auto &a, const auto &b) { return a.second < b.second; })
             ->first;
  // Returns the shortest run of lines with more than half of them.
  std::vector<std::pair<unsigned, unsigned>> lines;
  for (const auto &[place, number] : share.places)
    if (place.file == file && number)
      lines.push_back({place.line, number});
  unsigned first = lines.front().first, last = lines.back().first;
  for (size_t i = 0; i < lines.size(); ++i) {
    unsigned sum = 0;
    for (size_t k = i; k < lines.size(); ++k) {
      sum += lines[k].second;
      if (2 * sum <= all)
        continue;
      if (lines[k].first - lines[i].first < last - first) {
        first = lines[i].first;
        last = lines[k].first;
      }
      break;
    }
  }
  const bool isAll = lines.size() == 1 && byFile.size() == 1;
  return (isAll ? "at line" : "most at line") +
         (first == last ? llvm::formatv(" {0}", first).str()
                        : llvm::formatv("s {0} to {1}", first, last).str());
}

std::string inWords(const Frame &frame, const FrameShare *first) {
  std::vector<const FrameShare *> shares;
  if (first)
    shares.push_back(first);
  for (const FrameShare &share : frame.shares)
    if (&share != first)
      shares.push_back(&share);
  std::string text;
  for (size_t i = 0; i < shares.size(); ++i) {
    const FrameShare &share = *shares[i];
    const bool isPlural = share.bytes != 1;
    std::string what = inWords(share);
    if (share.kind == FrameShare::Spill)
      if (std::string where = mostly(share); !where.empty())
        what += ", " + where;
    if (!share.shared.empty())
      what += " (at another time " + llvm::join(share.shared, ", ") + ")";
    if (i == 0 && shares.size() == 1)
      return llvm::formatv("all {0} bytes of the stack frame are {1}",
                           frame.bytes, what);
    if (i == 0)
      text = llvm::formatv("{0} of {1} bytes of the stack frame are {2}",
                           share.bytes, frame.bytes, what);
    else
      text += llvm::formatv("; {0}{1} {2} {3}",
                            i == 1 && shares.size() == 2 ? "the other " : "",
                            share.bytes, isPlural ? "are" : "is", what);
  }
  return text;
}

} // namespace warplint
