// Names of accesses: a finding speaks of `a(i, j)` as the source writes it.
#include "ir/access_names.h"
#include "ir_kernel.h"
#include "llvm/IR/InstIterator.h"

namespace warplint {

namespace {

/// `words(i)` and `b(words(i))` in line 3 of user.cu: Kokkos 3 gets the index
/// by reference, so its own header, line 7, loads it; line 8 loads a size.
const std::string byReference = debugInfo + R"(
define ptx_kernel void @k(ptr %words, ptr %view) !dbg !5 {
  %at = getelementptr i32, ptr %words, i64 4, !dbg !20
  %index = load i32, ptr %at, !dbg !21, !tbaa !30
  %size = load i32, ptr %view, !dbg !22, !tbaa !33
  %half = load i16, ptr %view, !dbg !22, !tbaa !33
  ret void
}
!10 = distinct !DILocation(line: 3, column: 5, scope: !5)
!20 = !DILocation(line: 3, column: 7, scope: !5)
!21 = !DILocation(line: 7, column: 1, scope: !4, inlinedAt: !10)
!22 = !DILocation(line: 8, column: 1, scope: !4, inlinedAt: !10)
!30 = !{!31, !31, i64 0}
!31 = !{!"int", !32, i64 0}
!32 = !{!"omnipotent char"}
!33 = !{!34, !31, i64 0}
!34 = !{!"Map", !31, i64 0}
)";

/// The same of a View and an index that a lambda has captured: mdspan loads its
/// sizes as plain integers, too.
const std::string captured = debugInfo + R"(
%class.anon = type { %"class.Kokkos::View", i32 }
%"class.Kokkos::View" = type { ptr, i64 }
define ptx_kernel void @k(ptr byval(%class.anon) %body) !dbg !5 {
  %at = getelementptr i8, ptr %body, i64 8
  %size = load i64, ptr %at, !dbg !21, !tbaa !30
  %last = getelementptr i8, ptr %body, i64 16
  %index = load i32, ptr %last, !dbg !21, !tbaa !30
  ret void
}
!10 = distinct !DILocation(line: 3, column: 5, scope: !5)
!21 = !DILocation(line: 7, column: 1, scope: !4, inlinedAt: !10)
!30 = !{!31, !31, i64 0}
!31 = !{!"int", !32, i64 0}
!32 = !{!"omnipotent char"}
)";

const Place call = {"/src/user.cu", 3, 5}, index = {"/src/user.cu", 3, 7};

} // namespace

class AccessNamesOf : public IrKernel {
protected:
  const llvm::Instruction &load(llvm::StringRef name,
                                const std::string &text = byReference) {
    if (!module_)
      module_ = parseIr(text, context_);
    for (llvm::Instruction &instruction :
         llvm::instructions(*module_->getFunction("k")))
      if (instruction.getName() == name)
        return instruction;
    ADD_FAILURE() << "no value " << name.str();
    return *module_->getFunction("k")->front().getTerminator();
  }
  void SetUp() override {
    names_.systemFiles.insert("/lib/lib.h");
    names_.loads.add(call, {.text = "b(words(i))", .object = "b", .bytes = 0});
  }
};

TEST_F(AccessNamesOf, AnAccessHasTheNameThatTheAstGivesItsPlace) {
  names_.stores.add({"/lib/lib.h", 7, 5}, {.text = "p[i]", .object = "p"});
  EXPECT_EQ(kernel(inlined).accesses.at(0).text, "p[i]");
}

// An accessor's own `data_[i]` says less, but is exact.
TEST_F(AccessNamesOf, TheInnermostNameCounts) {
  names_.stores.add({"/src/user.cu", 3, 9}, {.text = "a(i)", .object = "a"});
  EXPECT_EQ(kernel(inlined).accesses.at(0).text, "a(i)");
  names_.stores.add({"/lib/lib.h", 7, 5},
                    {.text = "data_[i]", .object = "data_"});
  EXPECT_EQ(kernel(inlined).accesses.at(0).text, "data_[i]");
}

TEST_F(AccessNamesOf, LoadsAndStoresOfOnePlaceAreTwoNames) {
  names_.loads.add({"/lib/lib.h", 7, 5}, {.text = "p[i]", .object = "p"});
  EXPECT_EQ(kernel(inlined).accesses.at(0).text, "");
}

// Otherwise a finding on `words` names `b`, and its fix changes another array.
TEST_F(AccessNamesOf, AnIndexPassedByReferenceIsNotTheArray) {
  ASSERT_TRUE(indexComputedAt(load("index"), names_));
  EXPECT_EQ(indexComputedAt(load("index"), names_)->getColumn(), 7u);
  EXPECT_EQ(indexComputedAt(load("size"), names_), nullptr);
  names_.loads.add(index, {.text = "words(i)", .object = "words"});
  EXPECT_EQ(nameOfLoad(load("index"), names_), "words(i)");
}

TEST_F(AccessNamesOf, ASizeOfALibrarysArrayIsCalledSo) {
  EXPECT_EQ(nameOfLoad(load("size"), names_), "(a size of b)");
}

// "lane 1 writes 'a(i, w(0))' 8 * w(0) bytes after lane 0" was said of SPARTA's
// Views with Kokkos 5, where the stride is the View's own.
TEST_F(AccessNamesOf, ASizeOfACapturedViewIsNoIndex) {
  names_.indexes[call].texts = {"w(0)"};
  EXPECT_EQ(nameOfLoad(load("size", captured), names_), "(a size of b)");
  EXPECT_EQ(nameOfLoad(load("index", captured), names_), "w(0)");
}

// "Which lanes take part depends on '(a size of mask)'": the copy constructor of
// a __half loads the element of KataGo's mask.
TEST_F(AccessNamesOf, AHalfThatALibraryCopiesIsNoSize) {
  EXPECT_EQ(nameOfLoad(load("half"), names_), "b(words(i))");
}

TEST_F(AccessNamesOf, ASizeReadByACallIsNamedByTheCall) {
  Names names;
  names.systemFiles = names_.systemFiles;
  names.loads.add(call, {.text = "v.size()", .object = "v", .isCall = true});
  EXPECT_EQ(nameOfLoad(load("size"), names), "v.size()");
  Names other;
  other.systemFiles = names_.systemFiles;
  other.loads.add(call,
                  {.text = "ns::sum(v, n)", .object = "", .isCall = true});
  EXPECT_EQ(nameOfLoad(load("size"), other), "(a size of sum(...))");
}

TEST_F(AccessNamesOf, AnAccessWithoutANameHasNone) {
  EXPECT_EQ(nameOfLoad(load("size"), Names()), "");
}

} // namespace warplint
