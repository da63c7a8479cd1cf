#include "source/kokkos/packed_views.h"
#include "ir/known_members.h"
#include "source/kokkos/read_kokkos.h"
#include "source/member_type.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/RecordLayout.h"
#include "llvm/ADT/STLExtras.h"

namespace warplint {

namespace {

/// Limit of Views captured in one array.
constexpr uint64_t manyElements = 64;

bool isNamed(const clang::CXXRecordDecl *record, llvm::StringRef name) {
  return record && record->getIdentifier() && record->getName() == name;
}

/// Returns the extents of `ViewDimension<0, 3, 3>`; 0: known only at run time.
std::vector<uint64_t> extentsOf(const clang::TemplateArgument &argument) {
  std::vector<uint64_t> extents;
  const clang::CXXRecordDecl *record =
      argument.getKind() == clang::TemplateArgument::Type
          ? argument.getAsType()->getAsCXXRecordDecl()
          : nullptr;
  auto *dimension =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(record);
  if (!isNamed(dimension, "ViewDimension"))
    return extents;
  for (const clang::TemplateArgument &some :
       dimension->getTemplateArgs().asArray())
    for (const clang::TemplateArgument &extent :
         some.getKind() == clang::TemplateArgument::Pack ? some.getPackAsArray()
                                                         : llvm::ArrayRef(some))
      if (extent.getKind() == clang::TemplateArgument::Integral)
        extents.push_back(extent.getAsIntegral().getZExtValue());
  return extents;
}

/// Returns the stride of a `ViewOffset<ViewDimension<0, 3>, LayoutRight>`.
std::optional<uint64_t> strideOf(const clang::CXXRecordDecl &record) {
  auto *offset =
      llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record);
  if (!isNamed(offset, "ViewOffset") || offset->getTemplateArgs().size() < 2 ||
      offset->getTemplateArgs()[1].getKind() != clang::TemplateArgument::Type ||
      !isNamed(offset->getTemplateArgs()[1].getAsType()->getAsCXXRecordDecl(),
               "LayoutRight"))
    return std::nullopt;
  const std::vector<uint64_t> extents = extentsOf(offset->getTemplateArgs()[0]);
  uint64_t stride = 1;
  if (extents.size() < 2)
    return std::nullopt;
  for (uint64_t extent : llvm::drop_begin(extents)) {
    if (!extent)
      return std::nullopt;
    stride *= extent;
  }
  return stride;
}

/// Returns the stride of a `layout_right_padded<...>::mapping<extents<I, ...,
/// 3>>`: the extent of the contiguous index, if known.
std::optional<uint64_t> pitchOf(const clang::CXXRecordDecl &mapping) {
  const auto *layout =
      llvm::dyn_cast<clang::CXXRecordDecl>(mapping.getDeclContext());
  const bool right = isNamed(layout, "layout_right_padded");
  if (!right && !isNamed(layout, "layout_left_padded"))
    return std::nullopt;
  auto *extents =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
          memberType(mapping, "extents_type"));
  std::vector<llvm::APSInt> sizes;
  if (extents)
    for (const clang::TemplateArgument &some :
         extents->getTemplateArgs().asArray())
      if (some.getKind() == clang::TemplateArgument::Pack)
        for (const clang::TemplateArgument &size : some.getPackAsArray())
          sizes.push_back(size.getAsIntegral());
  if (sizes.size() < 2)
    return std::nullopt;
  const llvm::APSInt &size = right ? sizes.back() : sizes.front();
  // std::dynamic_extent has all bits set.
  return size.isAllOnes() ? std::nullopt : std::optional(size.getZExtValue());
}

class StrideFinder {
public:
  explicit StrideFinder(clang::ASTContext &context) : context_(context) {}

  void find(clang::QualType type, uint64_t at, KnownMembers &members) {
    if (const clang::ConstantArrayType *array =
            context_.getAsConstantArrayType(type)) {
      const uint64_t size =
          context_.getTypeSizeInChars(array->getElementType()).getQuantity();
      const uint64_t count = array->getSize().getZExtValue();
      if (count <= manyElements)
        for (uint64_t i = 0; i < count; ++i)
          find(array->getElementType(), at + i * size, members);
      return;
    }
    const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
    if (!record || !record->isCompleteDefinition() || record->isUnion() ||
        record->isInvalidDecl() || record->isDependentType())
      return;
    const clang::ASTRecordLayout &layout = context_.getASTRecordLayout(record);
    for (const clang::CXXBaseSpecifier &base : record->bases())
      if (const clang::CXXRecordDecl *inner =
              base.getType()->getAsCXXRecordDecl();
          inner && !base.isVirtual())
        find(base.getType(),
             at + layout.getBaseClassOffset(inner).getQuantity(), members);
    // A user's own mdspan may be padded.
    const bool inView = inView_;
    inView_ |= isNamed(record, "BasicView");
    const std::optional<uint64_t> stride =
        inView_ ? pitchOf(*record) : strideOf(*record);
    for (const clang::FieldDecl *field : record->fields()) {
      const uint64_t offset =
          at + layout.getFieldOffset(field->getFieldIndex()) / 8;
      if (stride && (field->getName() == "m_stride" ||
                     field->getName() == "padded_stride"))
        members[offset] = {*stride, sizeOf(field->getType()),
                           /*isCertain=*/false};
      else
        find(field->getType(), offset, members);
    }
    inView_ = inView;
  }

private:
  unsigned sizeOf(clang::QualType type) const {
    return context_.getTypeSizeInChars(type).getQuantity();
  }

  bool inView_ = false;
  clang::ASTContext &context_;
};

/// Kokkos' own headers name it only in templates and declarations.
bool speaksOfPadding(clang::ASTContext &context) {
  const clang::DeclContext *scope = context.getTranslationUnitDecl();
  for (const clang::NamedDecl *decl :
       scope->lookup(&context.Idents.get("Kokkos")))
    if (auto *kokkos = llvm::dyn_cast<clang::NamespaceDecl>(decl))
      for (const clang::NamedDecl *padding :
           kokkos->lookup(&context.Idents.get("AllowPadding")))
        return padding->isReferenced();
  return false;
}

} // namespace

void fixPackedStrides(llvm::Function &kernel, const clang::FunctionDecl &decl) {
  clang::ASTContext &context = decl.getASTContext();
  if (speaksOfPadding(context) || decl.getNumParams() != kernel.arg_size())
    return;
  auto fix = [&](const llvm::Value &base, clang::QualType type) {
    KnownMembers members;
    StrideFinder(context).find(type, 0, members);
    if (!members.empty())
      replaceMembers(kernel, base, members);
  };
  if (const clang::CXXRecordDecl *driver = kokkosDriver(decl)) {
    if (const llvm::Value *base = kokkosDriverIn(kernel))
      fix(*base, context.getCanonicalTagType(driver));
    return;
  }
  for (llvm::Argument &argument : kernel.args())
    if (argument.hasByValAttr())
      fix(argument, decl.getParamDecl(argument.getArgNo())->getType());
}

} // namespace warplint
