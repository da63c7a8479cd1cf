#include "source/launch_reader.h"
#include "model/same_pointers.h"
#include "source/kept_addresses.h"
#include "source/known_bytes.h"
#include "source/shape_evaluator.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/Sequence.h"
#include <map>

namespace warplint {

/// Returns true for what may name a kernel, also behind a cast to `void *`.
static bool mayBeFunction(const clang::Expr &value) {
  const clang::QualType type = stripped(&value)->getType();
  return type->isFunctionType() || type->isFunctionPointerType();
}

void LaunchReader::noteStatement(const clang::Stmt *statement,
                                 const clang::FunctionDecl *inside) {
  addressesKeptBy(statement, [&](const HostObject *object, bool isTarget,
                                 const MemberPath &part,
                                 const clang::VarDecl *name) {
    std::vector<Kept> &known = kept_[object];
    if (name || !llvm::is_contained(known, Kept{part, isTarget, name}))
      known.push_back({part, isTarget, name});
  });
  if (auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement)) {
    auto *pointer = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (pointer && pointer->getType()->isPointerType())
      ++handedOn_[pointer];
  } else if (const clang::VarDecl *pointer = pointerRead(statement)) {
    --handedOn_[pointer];
  }
  if (llvm::isa<clang::DeclStmt>(statement))
    return;
  changesOf(statement, [&](const Change &change) {
    auto *variable = llvm::dyn_cast<clang::VarDecl>(change.object);
    if (!variable)
      return;
    changing_[variable].push_back({statement, inside});
    if (!change.value)
      return;
    if (change.path.empty())
      assigned_.insert(variable);
    if (mayBeFunction(*change.value))
      functions_[variable].push_back(change.value);
  });
}

void LaunchReader::noteCall(const clang::Expr *call,
                            const clang::FunctionDecl *inside) {
  const Entered parts = partsOf(call);
  if (parts.function && llvm::isa<clang::CallExpr>(call))
    ++named_[parts.function->getCanonicalDecl()];
  if (parts.function && (!parts.arguments.empty() || parts.object))
    calls_[parts.function->getCanonicalDecl()].push_back({call, inside});
}

bool LaunchReader::isCalledUnseen(const clang::FunctionDecl *function) const {
  function = function->getCanonicalDecl();
  return references_.lookup(function) > named_.lookup(function);
}

std::optional<uint64_t> LaunchReader::constant(const clang::Expr *expression) {
  auto [known, isNew] = constants_.try_emplace(expression);
  clang::Expr::EvalResult result;
  if (isNew && !expression->isValueDependent() &&
      expression->getType()->isIntegralOrEnumerationType() &&
      expression->EvaluateAsInt(result, context_))
    known->second = result.Val.getInt().getExtValue();
  return known->second;
}

void LaunchReader::addParents(const clang::FunctionDecl *function) {
  if (!withParents_.insert(function).second)
    return;
  llvm::SmallVector<const clang::Stmt *, 32> work{function->getBody()};
  bodies_[function->getBody()] = function;
  if (auto *constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(function))
    for (const clang::CXXCtorInitializer *one : constructor->inits()) {
      work.push_back(one->getInit());
      bodies_[one->getInit()] = function;
    }
  while (!work.empty()) {
    const clang::Stmt *parent = work.pop_back_val();
    if (!parent)
      continue;
    if (llvm::isa<clang::LabelStmt>(parent))
      labels_[function->getBody()].push_back(parent);
    for (const clang::Stmt *child : parent->children())
      if (child && parents_.try_emplace(child, parent).second)
        work.push_back(child);
  }
}

using Three = std::array<std::optional<uint64_t>, 3>;

/// The member of a cudaLaunchConfig_t; null if there is none.
static const clang::FieldDecl *memberOf(const clang::Expr *config,
                                        llvm::StringRef name) {
  const clang::RecordDecl *record = config->getType()->getAsRecordDecl();
  if (record)
    for (const clang::FieldDecl *field : record->fields())
      if (field->getName() == name)
        return field;
  return nullptr;
}

static Three gridOf(ShapeEvaluator &evaluator, const WrittenLaunch &launch) {
  if (!launch.config)
    return evaluator.grid(launch.grid);
  const clang::FieldDecl *member = memberOf(launch.config, "gridDim");
  return member ? evaluator.grid(launch.config, {member}) : Three();
}

static Three blockOf(ShapeEvaluator &evaluator, const WrittenLaunch &launch) {
  if (!launch.config)
    return evaluator.three(launch.block);
  const clang::FieldDecl *member = memberOf(launch.config, "blockDim");
  return member ? evaluator.three(launch.config, {member}) : Three();
}

/// Appends what is known of the structures among the arguments, for
/// `argumentBits`. Returns false if it leaves a number in them open.
static bool readStructures(ShapeEvaluator &evaluator,
                           const clang::ASTContext &context,
                           const WrittenLaunch &launch, ReadLaunch &into) {
  if (!into.kernel)
    return false;
  const size_t seen = into.arguments.size();
  bool isWhole = true;
  into.arguments.resize(into.kernel->getNumParams());
  for (auto [i, parameter] : llvm::enumerate(into.kernel->parameters())) {
    const clang::QualType type = parameter->getType();
    const clang::RecordDecl *record = type->getAsRecordDecl();
    if (type->isDependentType() || (record && record->isInvalidDecl()))
      return false;
    if (!record)
      continue;
    constexpr int64_t most = 32764; // bytes that CUDA passes
    if (context.getTypeSizeInChars(type).getQuantity() > most)
      return false;
    KnownBytes bytes(context, type);
    bool isOfEnd = false;
    const clang::Expr *argument =
        i < launch.arguments.size() ? launch.arguments[i] : nullptr;
    if (argument && context.hasSameUnqualifiedType(argument->getType(), type))
      bytes.read([&](llvm::ArrayRef<const clang::FieldDecl *> path) {
        const MemberPath member(path.begin(), path.end());
        const auto value = evaluator.number(argument, member);
        isOfEnd |= evaluator.isOfEnd(argument, member);
        return value;
      });
    isWhole &= bytes.isWhole();
    const size_t first = into.arguments.size();
    llvm::append_range(into.arguments, bytes.entries());
    if (isOfEnd)
      llvm::append_range(into.ends,
                         llvm::seq<uint64_t>(first, into.arguments.size()));
  }
  while (into.arguments.size() > seen && !into.arguments.back())
    into.arguments.pop_back();
  return isWhole;
}

/// Pointers among the arguments of a launch, each with the first one that is the
/// same expression written again: `a + n` and `a + n`. No evaluation changes
/// that, and a launch has up to thousands of them.
using WrittenPointers = std::vector<std::pair<size_t, size_t>>;

static WrittenPointers
pointersAmong(const clang::ASTContext &context,
              llvm::ArrayRef<const clang::Expr *> arguments) {
  WrittenPointers pointers;
  std::map<llvm::FoldingSetNodeID, size_t> written;
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    if (!argument->getType()->isPointerType() || argument->isValueDependent() ||
        argument->containsErrors() ||
        argument->isNullPointerConstant(
            const_cast<clang::ASTContext &>(context),
            clang::Expr::NPC_ValueDependentIsNotNull))
      continue;
    size_t first = i;
    if (const clang::Expr *plain = stripped(argument);
        !plain->HasSideEffects(context)) {
      llvm::FoldingSetNodeID id;
      plain->Profile(id, context, /*Canonical=*/true);
      first = written.try_emplace(id, i).first->second;
    }
    pointers.push_back({i, first});
  }
  return pointers;
}

/// Marks the arguments that are one pointer.
static void readPointers(ShapeEvaluator &evaluator,
                         llvm::ArrayRef<const clang::Expr *> arguments,
                         const WrittenPointers &pointers,
                         std::vector<std::optional<uint64_t>> &into) {
  struct Seen {
    size_t argument, written;
    ShapeEvaluator::Origin origin;
  };
  llvm::SmallVector<Seen, 8> seen;
  for (const auto &[i, written] : pointers) {
    ShapeEvaluator::Origin origin = evaluator.origin(arguments[i]);
    auto same = llvm::find_if(seen, [&](const Seen &other) {
      return (origin.object && origin == other.origin) ||
             written == other.written;
    });
    if (same == seen.end())
      seen.push_back({i, written, std::move(origin)});
    else
      into[i] = into[same->argument] = samePointer(same->argument);
  }
}

/// Notes that an argument is a parameter of a function that other sources may
/// call. All such arguments are those of one function.
static void notePassedOn(ShapeEvaluator &evaluator, const clang::Expr *argument,
                         size_t position, std::optional<FromCaller> &into) {
  const clang::ParmVarDecl *parameter = evaluator.openParameter(argument);
  if (!parameter)
    return;
  auto *function = llvm::cast<clang::FunctionDecl>(parameter->getDeclContext());
  if (!into)
    into = {function->getName().str(), function->getNumParams(), {}};
  if (function->getName() != into->function ||
      function->getNumParams() != into->parameters)
    return;
  into->arguments.resize(position + 1);
  into->arguments[position] = parameter->getFunctionScopeIndex();
}

/// Returns the integers among the arguments.
static void readArguments(ShapeEvaluator &evaluator,
                          const clang::ASTContext &context,
                          const WrittenLaunch &launch,
                          const WrittenPointers &pointers, ReadLaunch &into) {
  into.arguments.clear();
  into.ends.clear();
  into.fromCaller.reset();
  bool isWhole = !launch.arguments.empty();
  for (auto [i, argument] : llvm::enumerate(launch.arguments)) {
    clang::QualType type = argument->getType();
    std::optional<uint64_t> value;
    if (type->isIntegralOrEnumerationType())
      value = evaluator.number(argument);
    if (value && evaluator.isOfEnd(argument))
      into.ends.push_back(i);
    into.arguments.push_back(value);
    if (value || type->isPointerType() || type->isRealFloatingType() ||
        type->isRecordType())
      continue;
    if (type->isIntegralOrEnumerationType())
      notePassedOn(evaluator, argument, i, into.fromCaller);
    isWhole &= into.fromCaller && into.fromCaller->arguments.size() == i + 1;
  }
  readPointers(evaluator, launch.arguments, pointers, into.arguments);
  if (!launch.arguments.empty())
    isWhole &= readStructures(evaluator, context, launch, into);
  into.sizesKnown = isWhole && !into.fromCaller;
  if (into.fromCaller)
    into.fromCaller->isWhole = isWhole;
}

static std::optional<uint64_t> readSharedMemory(ShapeEvaluator &evaluator,
                                                const WrittenLaunch &launch) {
  if (!launch.config)
    return launch.sharedMemory ? evaluator.number(launch.sharedMemory) : 0;
  const clang::FieldDecl *member = memberOf(launch.config, "dynamicSmemBytes");
  return member ? evaluator.number(launch.config, {member}) : std::nullopt;
}

static bool anyIsKnown(llvm::ArrayRef<std::optional<uint64_t>> values) {
  return llvm::any_of(values, [](auto &value) { return value.has_value(); });
}

static bool areKnown(const Three &sizes) {
  return llvm::all_of(sizes, [](auto &size) { return size.has_value(); });
}

std::optional<SizedGrid> LaunchReader::sizedGrid(const WrittenLaunch &launch,
                                                 const Decisions &decisions) {
  // What an evaluator has computed before uses no size again.
  auto evaluator = [&] {
    ShapeEvaluator fresh(*this, decisions);
    fresh.decideFreely(0);
    fresh.assumeSizes();
    return fresh;
  };
  ShapeEvaluator ofGrid = evaluator();
  const Three grid = gridOf(ofGrid, launch);
  if (!areKnown(grid) || ofGrid.sizesUsed().empty() || ofGrid.dividesBySize())
    return std::nullopt;
  SizedGrid sized{{*grid[0], *grid[1], *grid[2]}, {}};
  for (auto [i, argument] : llvm::enumerate(launch.arguments)) {
    if (!argument->getType()->isIntegralOrEnumerationType())
      continue;
    ShapeEvaluator of = evaluator();
    const std::optional<uint64_t> value = of.number(argument);
    if (value && llvm::any_of(of.sizesUsed(), [&](const clang::Decl *size) {
          return ofGrid.sizesUsed().contains(size);
        })) {
      sized.arguments.resize(i + 1);
      sized.arguments[i] = value;
    }
  }
  return sized.arguments.empty() ? std::nullopt : std::optional(sized);
}

struct LaunchReader::FreeResults {
  struct OfArguments {
    ReadLaunch read; ///< without its shape
    bool runs = true;
  };
  struct OfKernel {
    ResultsByAnswers<OfArguments> arguments, pointers;
  };
  WrittenPointers pointers;
  ResultsByAnswers<Three> grids;
  std::map<const clang::FunctionDecl *, OfKernel> kernels;
};

const clang::FunctionDecl *
LaunchReader::around(const clang::Stmt *statement) const {
  while (const clang::Stmt *parent = parents_.lookup(statement))
    statement = parent;
  const clang::FunctionDecl *function = bodies_.lookup(statement);
  return function ? function->getCanonicalDecl() : nullptr;
}

ReadLaunch LaunchReader::withoutCallers(const WrittenLaunch &launch,
                                        const Decisions &decisions,
                                        const FreeResults &known,
                                        ReadLaunch read) {
  const std::vector<std::optional<uint64_t>> passed = read.arguments;
  read.sized.reset();
  ShapeEvaluator::Functions refusing;
  for (bool isOpen = true; isOpen;) {
    ShapeEvaluator evaluator(*this, decisions);
    evaluator.ignoreCallersOf(refusing);
    evaluator.decideFreely(0);
    readArguments(evaluator, context_, launch, known.pointers, read);
    read.sharedMemory = readSharedMemory(evaluator, launch);
    read.grid = gridOf(evaluator, launch);
    const clang::Stmt *refused = evaluator.shutOut(launch.expression);
    if (!refused)
      break;
    const clang::FunctionDecl *by = around(refused);
    isOpen = by && refusing.insert(by).second;
    if (!isOpen) {
      read.arguments.assign(passed.size(), std::nullopt);
      read.ends.clear();
      read.grid = {};
      if (launch.sharedMemory)
        read.sharedMemory.reset();
      read.sizesKnown = false;
    }
  }
  read.fromCaller.reset();
  // That two pointers are one, no condition makes untrue.
  for (auto [i, argument] : llvm::enumerate(launch.arguments))
    if (argument->getType()->isPointerType() && i < passed.size() &&
        i < read.arguments.size() && passed[i])
      read.arguments[i] = passed[i];
  return read;
}

/// Of a launch that is refused with an end of a range: it has other values.
static void leaveEndsOpen(ReadLaunch &read) {
  for (uint64_t entry : read.ends)
    if (entry < read.arguments.size())
      read.arguments[entry].reset();
  read.ends.clear();
  read.sizesKnown = false;
}

/// Adds the launch with each set of arguments that free decisions give, and with
/// the grid that these give where the iterations of a loop launch others.
void LaunchReader::addArguments(const WrittenLaunch &launch,
                                ShapeEvaluator &kernelOf,
                                const Decisions &decisions, ReadLaunch read,
                                FreeResults &known, Ways &into) {
  constexpr unsigned argumentsTried = ShapeEvaluator::waysTried,
                     pointersTried = 64;
  const clang::Expr *call = kernelOf.namedAt();
  read.at = call ? call : launch.expression;
  auto addTo = [](ReadLaunch way, std::vector<ReadLaunch> &launches) {
    if (!llvm::is_contained(launches, way))
      launches.push_back(std::move(way));
  };
  ShapeEvaluator::Candidates candidates;
  if (!read.kernel)
    kernelOf.functionsOf(launch.kernel, candidates);
  std::vector<const clang::FunctionDecl *> &kernels = candidates.functions;
  llvm::erase_if(kernels, [&](const clang::FunctionDecl *function) {
    return !function->hasAttr<clang::CUDAGlobalAttr>();
  });
  if (candidates.isLoose && kernels.size() > 1) {
    // Which kernel goes with this block is not known, nor with these arguments.
    for (const clang::FunctionDecl *kernel : kernels)
      addTo({kernel, {}, {}, {}, false, {}, read.at}, into.run);
    return;
  }
  if (read.kernel)
    kernels = {read.kernel};
  const ReadLaunch asDecided = read;
  const bool differsByIteration = areKnown(read.block) && !areKnown(read.grid);
  for (const clang::FunctionDecl *kernel : kernels) {
    read.kernel = kernel;
    FreeResults::OfKernel &ofKernel = known.kernels[kernel];
    // A way that decides as an earlier one did would add the same arguments.
    unsigned ways = argumentsTried, period = 1;
    for (unsigned way = 0; way < std::min({ways, pointersTried, period});
         ++way) {
      const bool isTried = way < argumentsTried;
      read.grid = asDecided.grid;
      read.sized = asDecided.sized;
      if (differsByIteration && isTried) {
        ShapeEvaluator ofGrid(*this, decisions);
        ofGrid.decideFreely(way);
        const Three *grid = known.grids.find(ofGrid);
        if (!grid) {
          ofGrid.takeLargest();
          known.grids.add(ofGrid, gridOf(ofGrid, launch));
          grid = known.grids.find(ofGrid);
        }
        if (areKnown(*grid)) {
          read.grid = *grid;
          read.sized.reset();
        }
      }
      ShapeEvaluator evaluator(*this, decisions);
      evaluator.decideFreely(way);
      auto &results = isTried ? ofKernel.arguments : ofKernel.pointers;
      const auto *result = results.find(evaluator);
      if (!result) {
        FreeResults::OfArguments fresh{{kernel, {}, {}, {}, false}};
        // The sizes of a few calls stand for all; that none of them passes a
        // pointer twice says nothing of the others.
        if (isTried) {
          readArguments(evaluator, context_, launch, known.pointers, fresh.read);
        } else {
          fresh.read.arguments.assign(launch.arguments.size(), std::nullopt);
          readPointers(evaluator, launch.arguments, known.pointers,
                       fresh.read.arguments);
        }
        fresh.read.sharedMemory = readSharedMemory(evaluator, launch);
        fresh.runs = evaluator.mayRun(launch.expression);
        if (!fresh.runs && evaluator.refusesEnd()) {
          leaveEndsOpen(fresh.read);
          fresh.runs = true;
        }
        results.add(evaluator, std::move(fresh));
        result = results.find(evaluator);
      }
      read.arguments = result->read.arguments;
      read.ends = result->read.ends;
      read.sizesKnown = result->read.sizesKnown;
      read.fromCaller = result->read.fromCaller;
      read.sharedMemory = result->read.sharedMemory;
      const bool says = isTried || anyIsKnown(read.arguments);
      if (says && result->runs)
        addTo(read, into.run);
      else if (says && into.run.empty())
        addTo(withoutCallers(launch, decisions, known, read), into.excluded);
      ways = std::max(ways, evaluator.mostWays());
      period = ShapeEvaluator::commonPeriod(period, evaluator.period());
    }
  }
}

/// Returns true for a function of the source that a header declares.
static bool isDeclaredElsewhere(const clang::FunctionDecl &function,
                                const clang::SourceManager &sources) {
  const auto isInSource = [&](const clang::FunctionDecl *declared) {
    return sources.isInMainFile(
        sources.getExpansionLoc(declared->getLocation()));
  };
  return isInSource(&function) && !llvm::all_of(function.redecls(), isInSource);
}

void LaunchReader::noteOtherCallers(const WrittenLaunch &launch,
                                    std::vector<ReadLaunch> &launches) {
  const clang::FunctionDecl *around =
      launch.inside ? launch.inside->getCanonicalDecl() : nullptr;
  if (!around || !calls_.contains(around) ||
      !isDeclaredElsewhere(*launch.inside, context_.getSourceManager()))
    return;
  const Decisions none;
  ShapeEvaluator evaluator(*this, none);
  evaluator.decideFreely(0);
  evaluator.ignoreCallersOf(ShapeEvaluator::Functions({around}));
  std::optional<FromCaller> from;
  for (auto [i, argument] : llvm::enumerate(launch.arguments))
    if (argument->getType()->isIntegralOrEnumerationType())
      notePassedOn(evaluator, argument, i, from);
  for (ReadLaunch &read : launches)
    if (!read.fromCaller)
      read.fromCaller = from;
}

std::vector<ReadLaunch> LaunchReader::read(const WrittenLaunch &launch) {
  constexpr size_t most = 64; // limit of alternatives for one launch
  Ways result;
  FreeResults known;
  known.pointers = pointersAmong(context_, launch.arguments);
  if (launch.inside)
    addParents(launch.inside);
  std::vector<Decisions> open(1);
  for (size_t tried = 0; !open.empty() && tried < most; ++tried) {
    Decisions decisions = std::move(open.back());
    open.pop_back();
    ShapeEvaluator evaluator(*this, decisions);
    ReadLaunch read{evaluator.function(launch.kernel), {}, {}, {}, false};
    evaluator.takeLargest();
    read.grid = gridOf(evaluator, launch);
    read.block = blockOf(evaluator, launch);
    if (evaluator.missing().what) {
      for (unsigned way = evaluator.missing().ways; way-- > 0;) {
        Decisions more = decisions;
        more[evaluator.missing().what] = way;
        open.push_back(std::move(more));
      }
      continue;
    }
    if (areKnown(read.block) && !areKnown(read.grid))
      read.sized = sizedGrid(launch, decisions);
    addArguments(launch, evaluator, decisions, std::move(read), known,
                 result);
  }
  if (!open.empty()) {
    // Whatever its shape, it passes arguments.
    const Decisions none;
    ShapeEvaluator evaluator(*this, none);
    evaluator.decideFreely(0);
    ReadLaunch read{evaluator.function(launch.kernel), {}, {}, {}, false};
    addArguments(launch, evaluator, none, std::move(read), known,
                 result);
  }
  // Values that an evaluation does not see may let it run all the same.
  std::vector<ReadLaunch> launches =
      result.run.empty() ? std::move(result.excluded) : std::move(result.run);
  noteOtherCallers(launch, launches);
  return launches;
}

std::optional<uint64_t>
LaunchReader::number(const clang::Expr *expression,
                     const clang::FunctionDecl *inside) {
  if (inside)
    addParents(inside);
  const ShapeEvaluator::Decisions none;
  ShapeEvaluator evaluator(*this, none);
  auto value = evaluator.number(expression);
  return evaluator.missing().what ? std::nullopt : value;
}

} // namespace warplint
