// ptxas writes a block for each kernel:
//
//   ptxas info    : Compiling entry function '_Z1kPf' for 'sm_80'
//   ptxas info    : Function properties for _Z1kPf
//       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//   ptxas info    : Used 8 registers, used 0 barriers, 360 bytes cmem[0]
//
// Device functions that were not inlined have properties too, inside or between
// the blocks, but no "Used" line. Of the lines, only the last does not say whom
// it speaks of, so where several compilations write to one terminal it may be
// anybody's; then nobody gets it.

#include "machine/ptxas.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <list>
#include <map>
#include <vector>

using namespace llvm;

namespace warplint {
namespace {

/// Removes the colours of terminals and the carriage returns of Windows.
std::string plainText(StringRef text) {
  std::string plain;
  plain.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r')
      continue;
    if (text[i] == '\x1b' && i + 1 < text.size() && text[i + 1] == '[') {
      for (i += 2; i < text.size() && !isAlpha(text[i]);)
        ++i;
      continue;
    }
    plain += text[i];
  }
  return plain;
}

/// The items of a "Used ..." line, by unit.
struct Resources {
  unsigned registers = 0, sharedMemory = 0;
  std::optional<unsigned> barriers, localMemory;
  bool complete = false; ///< the line does not end within an item
};

/// Removes "1024" or "1024+16" (the user's share plus the system's) from the
/// front.
bool consumeSum(StringRef &text, unsigned &sum) {
  sum = 0;
  do {
    unsigned part = 0;
    if (text.consumeInteger(10, part))
      return false;
    sum += part;
  } while (text.consume_front("+"));
  return true;
}

/// Reads one item of a "Used" line; returns false for an unknown item.
bool readItem(StringRef item, Resources &resources) {
  item = item.trim();
  item.consume_front("Used ") || item.consume_front("used ");
  unsigned number = 0;
  if (!consumeSum(item, number))
    return false;
  StringRef unit = item.trim();
  if (unit == "registers")
    resources.registers = number;
  else if (unit == "barriers")
    resources.barriers = number;
  else if (unit == "bytes smem")
    resources.sharedMemory += number;
  else if (unit == "bytes lmem")
    resources.localMemory = number;
  else
    return unit == "bytes cumulative stack size" ||
           (unit.starts_with("bytes cmem[") && unit.ends_with("]")) ||
           unit == "textures" || unit == "surfaces" || unit == "samplers";
  return true;
}

Resources readUsed(StringRef line, bool mayBeCut) {
  Resources resources;
  SmallVector<StringRef> items;
  line.split(items, ',');
  for (StringRef item : items)
    readItem(item, resources);
  // A text that ends within the line may have lost items; without the item for
  // shared memory it would read as 0. All releases print the registers.
  resources.complete =
      resources.registers && !mayBeCut && !items.back().trim().empty();
  return resources;
}

struct Frame {
  unsigned size = 0, spillStores = 0, spillLoads = 0;
};

/// "    24 bytes stack frame, 0 bytes spill stores, 8 bytes spill loads",
/// behind whatever a build tool puts in front of a line.
std::optional<Frame> readFrame(StringRef line) {
  size_t at = line.find(" bytes stack frame, ");
  if (at == StringRef::npos)
    return std::nullopt;
  StringRef before = line.take_front(at);
  StringRef number = before.take_back(
      before.size() - before.find_last_not_of("0123456789") - 1);
  StringRef rest =
      line.drop_front(at + StringRef(" bytes stack frame, ").size());
  Frame frame;
  if (number.getAsInteger(10, frame.size) ||
      rest.consumeInteger(10, frame.spillStores) ||
      !rest.consume_front(" bytes spill stores, ") ||
      rest.consumeInteger(10, frame.spillLoads) ||
      !rest.starts_with(" bytes spill loads"))
    return std::nullopt;
  return frame;
}

struct Block {
  Usage usage;
  bool isKernel = false; ///< false: only its properties so far
  bool hasFrame = false;
  bool isClosed = false; ///< its "Used" line was seen
  bool frameIsMixed = false, resourcesAreMixed = false;
};

/// The blocks of one stream of text.
class Reader {
public:
  void compiling(StringRef message);
  void properties(StringRef message);
  void frame(const Frame &frame);
  void used(const Resources &resources);
  void stopped();
  void finish(PtxasReport &report);

private:
  std::list<Block> blocks_;
  std::vector<Block *> open_;       ///< kernels without their "Used" line
  std::vector<Block *> awaitFrame_; ///< in the order of their properties
  bool lostBlock_ = false;
};

void Reader::compiling(StringRef message) {
  // The name is found from its end: a demangled one may hold quotes.
  auto [name, architecture] = message.rsplit("' for '");
  if (!name.consume_front("'") || !architecture.consume_back("'")) {
    lostBlock_ = true;
    return;
  }
  Block block;
  block.usage.kernel = name.str();
  block.usage.architecture = architecture.str();
  block.isKernel = true;
  blocks_.push_back(std::move(block));
  open_.push_back(&blocks_.back());
}

void Reader::properties(StringRef message) {
  std::string name = message.trim().str();
  SmallVector<Block *> owners;
  for (Block *block : open_)
    if (!block->hasFrame && block->usage.kernel == name &&
        !is_contained(awaitFrame_, block))
      owners.push_back(block);
  if (owners.empty()) {
    Block block;
    block.usage.kernel = std::move(name);
    blocks_.push_back(std::move(block));
    awaitFrame_.push_back(&blocks_.back());
    return;
  }
  if (owners.size() > 1) // one source, several architectures at a time
    for (Block *owner : owners)
      owner->frameIsMixed = true;
  awaitFrame_.push_back(owners.front());
}

void Reader::frame(const Frame &frame) {
  if (awaitFrame_.empty()) {
    lostBlock_ = true;
    return;
  }
  if (awaitFrame_.size() > 1)
    for (Block *block : awaitFrame_)
      block->frameIsMixed = true;
  Block &block = *awaitFrame_.front();
  awaitFrame_.erase(awaitFrame_.begin());
  block.hasFrame = true;
  block.usage.stackFrame = frame.size;
  block.usage.spillStores = frame.spillStores;
  block.usage.spillLoads = frame.spillLoads;
}

void Reader::used(const Resources &resources) {
  // A kernel without properties cannot have a "Used" line yet.
  std::vector<Block *> owners;
  copy_if(open_, std::back_inserter(owners),
          [](Block *block) { return block->hasFrame; });
  if (owners.empty())
    owners = open_;
  // Reads a log that begins after the header: a function with a "Used" line is
  // a kernel of unknown architecture.
  if (owners.empty() && !blocks_.empty() && !blocks_.back().isKernel &&
      blocks_.back().hasFrame)
    owners.push_back(&blocks_.back());
  if (owners.empty()) {
    lostBlock_ = true;
    return;
  }
  if (owners.size() > 1)
    for (Block *owner : owners)
      owner->resourcesAreMixed = true;
  Block &block = *owners.front();
  erase(open_, &block);
  block.isKernel = true;
  block.isClosed = true;
  block.resourcesAreMixed |= !resources.complete;
  block.usage.registers = resources.registers;
  block.usage.sharedMemory = resources.sharedMemory;
  block.usage.barriers = resources.barriers;
  if (!block.hasFrame && resources.localMemory) {
    block.hasFrame = true;
    block.usage.stackFrame = *resources.localMemory;
  }
}

/// ptxas gave up: open blocks stay incomplete.
void Reader::stopped() {
  open_.clear();
  awaitFrame_.clear();
}

void Reader::finish(PtxasReport &report) {
  report.cutOff |= lostBlock_ || !awaitFrame_.empty();
  const size_t first = report.usages.size();
  for (Block &block : blocks_) {
    bool frameIsKnown = block.hasFrame && !block.frameIsMixed;
    if (!block.isKernel) {
      report.cutOff |= block.frameIsMixed;
      CalleeUsage callee{block.usage.kernel, block.usage.stackFrame,
                         block.usage.spillStores, block.usage.spillLoads};
      if (frameIsKnown && report.usages.size() > first)
        report.usages.back().callees.push_back(callee);
      if (frameIsKnown)
        report.functions.push_back(std::move(callee));
      continue;
    }
    bool resourcesAreKnown = block.isClosed && !block.resourcesAreMixed;
    report.cutOff |= !frameIsKnown || !resourcesAreKnown;
    if (!frameIsKnown)
      continue;
    if (!resourcesAreKnown) {
      block.usage.registers = block.usage.sharedMemory = 0;
      block.usage.barriers.reset();
    }
    report.usages.push_back(std::move(block.usage));
  }
}

/// The parts of a line: Visual Studio numbers the projects that it builds in
/// parallel ("2>  ptxas info : ..."), which separates their reports.
struct Line {
  StringRef stream, text;
};

Line splitStream(StringRef line) {
  StringRef number = line.ltrim().take_while(isDigit);
  StringRef rest = line.ltrim().drop_front(number.size());
  if (number.empty() || !rest.consume_front(">"))
    return {"", line};
  return {number, rest};
}

/// Splits "ptxas info    : ..." into kind and message, wherever it starts in
/// the line. Other tools' lines have no kind.
std::pair<StringRef, StringRef> splitMessage(StringRef line) {
  size_t at = line.find("ptxas");
  if (at == StringRef::npos)
    return {};
  StringRef rest = line.drop_front(at + 5).ltrim(' ');
  StringRef kind = rest.take_while([](char c) { return isAlpha(c); });
  rest = rest.drop_front(kind.size()).ltrim(' ');
  if (kind.empty() || !rest.consume_front(":"))
    return {};
  return {kind, rest.trim()};
}

/// Returns true if the text's last line, without a line end, may be the start
/// of a relevant one.
bool isTorn(StringRef line) {
  size_t at = line.find("ptxas");
  if (at ==
      StringRef::npos) // "ptx"; a kernel without its frame is noticed anyway
    return !line.trim().empty() && StringRef("ptxas").starts_with(line.trim());
  auto [kind, message] = splitMessage(line);
  if (kind.empty())
    return StringRef("ptxas info    :").starts_with(line.drop_front(at));
  if (kind != "info" || message.starts_with("Used "))
    return false; // readUsed handles the resources
  for (StringRef known :
       {"Compiling entry function ", "Function properties for ", "Used "})
    if (known.starts_with(message))
      return true;
  return false;
}

class Splitter {
public:
  explicit Splitter(StringRef text) : rest_(text) {}
  bool isDone() const { return rest_.empty(); }

  /// Returns the next line. Joins a list that was wrapped after a comma, and
  /// splits two messages that two processes wrote on one line.
  std::string next() {
    std::string line = take().str();
    while (StringRef(line).contains(": Used ") &&
           StringRef(line).rtrim().ends_with(",") && continues())
      line += take().str();
    return line;
  }

private:
  StringRef take() {
    size_t end = std::min(rest_.find('\n'), rest_.size());
    size_t second = rest_.take_front(end).find("ptxas info ", 1);
    size_t first = rest_.take_front(end).find("ptxas ");
    if (second != StringRef::npos && first != StringRef::npos && first < second)
      end = second;
    StringRef line = rest_.take_front(end);
    rest_ = rest_.drop_front(end);
    rest_.consume_front("\n");
    return line;
  }

  bool continues() const {
    StringRef line = rest_.take_until([](char c) { return c == '\n'; });
    Resources ignored;
    return line.starts_with(" ") && readItem(line.split(',').first, ignored);
  }

  StringRef rest_;
};

} // namespace

PtxasReport readPtxas(StringRef text) {
  std::string plain = plainText(text);
  bool endsInLine = !plain.empty() && plain.back() != '\n';
  std::map<std::string, Reader> readers;
  PtxasReport report;
  for (Splitter lines(plain); !lines.isDone();) {
    std::string whole = lines.next();
    bool mayBeCut = lines.isDone() && endsInLine;
    report.cutOff |= mayBeCut && isTorn(whole);
    auto [stream, line] = splitStream(whole);
    Reader &reader = readers[stream.str()];
    auto [kind, message] = splitMessage(line);
    if (kind == "fatal" || kind == "error" || line.contains("'ptxas' died"))
      reader.stopped();
    else if (kind == "info" &&
             message.consume_front("Compiling entry function "))
      reader.compiling(message);
    else if (kind == "info" &&
             message.consume_front("Function properties for "))
      reader.properties(message);
    else if (kind == "info" && message.starts_with("Used "))
      reader.used(readUsed(message, mayBeCut));
    else if (kind.empty())
      if (std::optional<Frame> frame = readFrame(line))
        reader.frame(*frame);
  }
  for (auto &[stream, reader] : readers)
    reader.finish(report);
  return report;
}

} // namespace warplint
