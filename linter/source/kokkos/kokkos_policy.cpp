#include "source/kokkos/kokkos_policy.h"
#include "source/kokkos/recommended_tile.h"
#include "source/member_type.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"

namespace warplint {

namespace {

using Size = std::optional<uint64_t>;
using Block = std::array<Size, 3>;

llvm::StringRef recordName(clang::QualType type) {
  const clang::CXXRecordDecl *record =
      type.getNonReferenceType()->getAsCXXRecordDecl();
  return record && record->getIdentifier() ? record->getName() : "";
}

/// Returns the construction of `policy`, `Policy(...)`, `policy.set_x(...)`,
/// `require(policy, ...)` and variables that hold one; null if there is none,
/// or if the variable is assigned again.
const clang::CXXConstructExpr *construction(const clang::Expr *policy,
                                            const LaunchReader &values) {
  for (unsigned depth = 0; policy && depth < 16; ++depth) {
    policy = policy->IgnoreUnlessSpelledInSource();
    if (auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(policy)) {
      bool copies = construct->getNumArgs() == 1 &&
                    recordName(construct->getArg(0)->getType()) ==
                        recordName(construct->getType());
      if (!copies)
        return construct;
      policy = construct->getArg(0);
    } else if (auto *call = llvm::dyn_cast<clang::CXXMemberCallExpr>(policy)) {
      policy = call->getImplicitObjectArgument();
    } else if (auto *cast =
                   llvm::dyn_cast<clang::CXXFunctionalCastExpr>(policy)) {
      policy = cast->getSubExpr();
    } else if (auto *call = llvm::dyn_cast<clang::CallExpr>(policy)) {
      policy = call->getNumArgs() ? call->getArg(0) : nullptr;
    } else if (auto *name = llvm::dyn_cast<clang::DeclRefExpr>(policy)) {
      auto *variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      policy = variable && !values.isAssigned(variable) ? variable->getInit()
                                                        : nullptr;
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

/// Reads the numbers of `{16, 8}`, an array or a Kokkos::Array.
std::vector<const clang::Expr *> listed(const clang::Expr *expression) {
  std::vector<const clang::Expr *> result;
  for (unsigned depth = 0; expression && depth < 8; ++depth) {
    expression = expression->IgnoreUnlessSpelledInSource();
    if (auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(expression)) {
      expression = construct->getNumArgs() ? construct->getArg(0) : nullptr;
      continue;
    }
    if (auto *name = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
      auto *variable = llvm::dyn_cast<clang::VarDecl>(name->getDecl());
      expression = variable ? variable->getInit() : nullptr;
      continue;
    }
    auto *list = llvm::dyn_cast<clang::InitListExpr>(expression);
    if (!list)
      return result;
    if (list->getNumInits() == 1 &&
        llvm::isa<clang::InitListExpr>(
            list->getInit(0)->IgnoreUnlessSpelledInSource())) {
      expression = list->getInit(0);
      continue;
    }
    for (const clang::Expr *element : list->inits())
      result.push_back(element);
    return result;
  }
  return result;
}

class PolicyReader {
public:
  PolicyReader(const clang::CXXRecordDecl *policy, const clang::Expr *written,
               const clang::FunctionDecl *inside, LaunchReader &values,
               clang::ASTContext &context)
      : policy_(policy), written_(construction(written, values)),
        isCount_(written && written->getType()->isIntegralOrEnumerationType()),
        inside_(inside), values_(values), context_(context) {}

  /// Blocks are (1, n, 1) for any range.
  KokkosPolicy range() {
    KokkosPolicy result;
    result.block = {1, std::nullopt, 1};
    if (isCount_)
      result.begin = {0};
    // [space,] begin, end [, chunk]
    std::vector<const clang::Expr *> bounds;
    if (written_)
      for (const clang::Expr *argument : written_->arguments())
        if (argument->getType()->isIntegralOrEnumerationType())
          bounds.push_back(argument);
    if (bounds.size() > 1)
      result.begin = {number(bounds[0])};
    return result;
  }

  KokkosPolicy tiled(KokkosPattern pattern) {
    const Size rank = member("rank");
    if (!rank || *rank < 2 || *rank > 6)
      return {};
    KokkosPolicy result;
    readLists(*rank, result);
    chooseTile(result.tile);
    result.isTurned = isTurned();
    std::vector<Size> tile = result.tile;
    if (result.isTurned)
      std::reverse(tile.begin(), tile.end());
    tile.resize(6, 1);
    // Blocks have three dimensions: with four or more indexes, two share one.
    if (pattern != KokkosPattern::For)
      result.block = {1, powerOfTwo(product(tile, 0, 6)), 1};
    else if (*rank <= 3)
      result.block = {tile[0], tile[1], tile[2]};
    else if (*rank == 4)
      result.block = {product(tile, 0, 2), tile[2], tile[3]};
    else
      result.block = {product(tile, 0, 2), product(tile, 2, 4),
                      product(tile, 4, 6)};
    return result;
  }

  /// Vector lanes are along x, the team along y.
  KokkosPolicy team() {
    KokkosPolicy result;
    Block &block = result.block;
    block = {1, std::nullopt, 1};
    if (!written_) {
      block[0] = std::nullopt;
      return result;
    }
    // [space,] league, team [, vector]; AUTO leaves the size open.
    std::vector<const clang::Expr *> sizes;
    for (const clang::Expr *argument : written_->arguments()) {
      llvm::StringRef type = recordName(argument->getType());
      if (argument->getType()->isIntegralOrEnumerationType() ||
          type == "AUTO_t")
        sizes.push_back(argument);
    }
    if (sizes.size() > 1)
      block[1] = number(sizes[1]);
    if (sizes.size() > 2)
      block[0] = number(sizes[2]);
    return result;
  }

private:
  Size number(const clang::Expr *expression) {
    return expression->getType()->isIntegralOrEnumerationType()
               ? values_.number(expression, inside_)
               : std::nullopt;
  }

  /// Reads a constant member of the policy's class.
  Size member(llvm::StringRef name) {
    return policy_ ? constant(*policy_, name) : std::nullopt;
  }

  Size constant(const clang::CXXRecordDecl &record, llvm::StringRef name) {
    for (const clang::NamedDecl *decl :
         record.lookup(&context_.Idents.get(name)))
      if (auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
          // An unused member of a template has no value yet.
          variable && variable->getInit() &&
          !variable->getInit()->isValueDependent())
        if (const clang::APValue *value = variable->evaluateValue();
            value && value->isInt())
          return value->getInt().getExtValue();
    return std::nullopt;
  }

  /// Computes the tile as MDRangePolicy::init_helper does.
  void chooseTile(std::vector<Size> &tile) {
    const size_t rank = tile.size();
    const Size inner = member("inner_direction"), last = member("Right");
    if (!inner || !last)
      for (Size &size : tile)
        if (size == 0u)
          size = std::nullopt;
    const bool right = inner == last;
    if (std::vector<uint64_t> recommended =
            inner && last ? recommendedTile(rank, right, context_)
                          : std::vector<uint64_t>();
        !recommended.empty())
      return takeRecommended(recommended, right, tile);
    const Size largest = property("default_largest_tile_size"),
               other = property("default_tile_size"),
               most = property("max_total_tile_size");
    Size threads = 1;
    for (size_t step = 0; step < rank; ++step) {
      Size &size = tile[right ? rank - 1 - step : step];
      if (size == 0u && step == 0)
        size = largest && *largest ? largest : std::nullopt;
      else if (size == 0u)
        size = !threads || !other || !most ? std::nullopt
               : *threads * *other < *most ? other
                                           : Size(1);
      threads = threads && size ? Size(*threads * *size) : std::nullopt;
    }
  }

  /// Fills a tile up as MDRangePolicy::update_tiling_properties does, from 5.1
  /// on: halves a recommended size until the threads fit.
  void takeRecommended(std::vector<uint64_t> recommended, bool right,
                       std::vector<Size> &tile) {
    const size_t rank = tile.size();
    Size most = property("max_total_tile_size");
    if (const Size bound = launchBound())
      most = most ? std::min(*most, *bound) : bound;
    Size threads = 1;
    for (size_t step = 0; step < rank; ++step) {
      const size_t i = right ? rank - 1 - step : step;
      if (tile[i] == 0u) {
        uint64_t size = recommended[i];
        while (threads && most && size > 1 && *threads * size > *most)
          size /= 2;
        // Without the threads so far, the size may be any power of two.
        tile[i] = threads || !most ? Size(size) : std::nullopt;
      }
      threads = threads && tile[i] ? Size(*threads * *tile[i]) : std::nullopt;
    }
  }

  /// The most threads of a block that the policy's LaunchBounds allow.
  Size launchBound() {
    const clang::CXXRecordDecl *bounds =
        policy_ ? memberType(*policy_, "launch_bounds") : nullptr;
    const Size most = bounds ? constant(*bounds, "maxTperB") : std::nullopt;
    return most == 0u ? std::nullopt : most;
  }

  /// From 5.1 on the index that runs fastest is along x; before, the first is.
  bool isTurned() {
    const Size inner = member("inner_direction"), last = member("Right");
    return inner && inner == last &&
           inKokkosImpl("compute_device_launch_params", context_);
  }

  /// [space,] lower, upper [, tile]; the library chooses a size of 0.
  void readLists(size_t rank, KokkosPolicy &into) {
    into.begin.resize(rank);
    into.end.resize(rank);
    into.tile.assign(rank, written_ ? Size(0) : std::nullopt);
    if (!written_)
      return;
    std::vector<Size> *const lists[] = {&into.begin, &into.end, &into.tile};
    size_t list = 0;
    for (const clang::Expr *argument : written_->arguments()) {
      if (llvm::isa<clang::CXXDefaultArgExpr>(argument) ||
          list == std::size(lists))
        break;
      std::vector<const clang::Expr *> elements = listed(argument);
      if (elements.empty() && list == 0)
        continue;
      std::vector<Size> &sizes = *lists[list++];
      if (elements.empty())
        sizes.assign(rank, std::nullopt);
      for (size_t i = 0; i < elements.size() && i < rank; ++i)
        sizes[i] = number(elements[i]);
    }
    into.isTileGiven = list == std::size(lists);
  }

  /// A value that Kokkos::Impl::get_tile_size_properties sets for CUDA.
  Size property(llvm::StringRef name) {
    const clang::FunctionDecl *function = tileProperties();
    auto *body =
        function
            ? llvm::dyn_cast_or_null<clang::CompoundStmt>(function->getBody())
            : nullptr;
    if (!body)
      return std::nullopt;
    for (const clang::Stmt *statement : body->body()) {
      auto *assignment = llvm::dyn_cast<clang::BinaryOperator>(statement);
      if (!assignment || !assignment->isAssignmentOp())
        continue;
      auto *field = llvm::dyn_cast<clang::MemberExpr>(assignment->getLHS());
      clang::Expr::EvalResult value;
      if (field && field->getMemberDecl()->getName() == name &&
          assignment->getRHS()->EvaluateAsInt(value, context_))
        return value.Val.getInt().getExtValue();
    }
    return std::nullopt;
  }

  const clang::FunctionDecl *tileProperties() {
    auto *any = llvm::dyn_cast_or_null<clang::FunctionTemplateDecl>(
        inKokkosImpl("get_tile_size_properties", context_));
    if (!any)
      return nullptr;
    for (const clang::FunctionDecl *instance : any->specializations())
      if (recordName(instance->getParamDecl(0)->getType()) == "Cuda")
        return instance->getDefinition();
    return nullptr;
  }

  static Size product(llvm::ArrayRef<Size> sizes, unsigned from, unsigned to) {
    uint64_t result = 1;
    for (Size size : sizes.slice(from, to - from)) {
      if (!size)
        return std::nullopt;
      result *= *size;
    }
    return result;
  }

  /// A reduction rounds up to a power of two.
  static Size powerOfTwo(Size threads) {
    return threads ? Size(llvm::PowerOf2Ceil(*threads)) : threads;
  }

  const clang::CXXRecordDecl *policy_;
  const clang::CXXConstructExpr *written_;
  bool isCount_; ///< an integer in place of a range
  const clang::FunctionDecl *inside_;
  LaunchReader &values_;
  clang::ASTContext &context_;
};

} // namespace

KokkosPolicy readPolicy(KokkosPattern pattern,
                        const clang::CXXRecordDecl *policy,
                        const clang::Expr *written,
                        const clang::FunctionDecl *inside, LaunchReader &values,
                        clang::ASTContext &context) {
  llvm::StringRef name =
      policy && policy->getIdentifier() ? policy->getName() : "";
  PolicyReader reader(policy, written, inside, values, context);
  if (name == "MDRangePolicy")
    return reader.tiled(pattern);
  if (name == "TeamPolicy" || name == "TeamPolicyInternal")
    return reader.team();
  return reader.range();
}

} // namespace warplint
