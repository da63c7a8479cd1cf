// Types of the members of classes: layouts and extents of libraries' arrays.
#include "parsed_text.h"
#include "source/member_type.h"

using namespace warplint;

namespace {

class MemberTypes : public testing::Test {
protected:
  void SetUp() override {
    source = parsedText("struct Left {};\n"
                        "struct Traits { using layout = Left; };\n"
                        "struct View : Traits { using value = float;\n"
                        "  using own = struct Right {}; };\n"
                        "struct Array { long sizes[3]; };\n"
                        "struct Tile { Array inner; };\n"
                        "struct Two { int a, b; };\n"
                        "struct Derived : Left { long own[2]; };\n"
                        "struct Incomplete;\n"
                        "enum Kind : short { one };\n"
                        "struct Holder { Tile tile; Two two; Kind kind;\n"
                        "  float real; Derived derived; int plain; };\n");
    ASSERT_TRUE(source);
  }
  const clang::CXXRecordDecl &record(const char *name) {
    return *declared<clang::CXXRecordDecl>(*source, name);
  }
  std::string member(const char *of, const char *name) {
    const clang::CXXRecordDecl *found = memberType(record(of), name);
    return found ? found->getNameAsString() : "none";
  }
  /// Offset and size of each integer in a member of Holder, which begins at 16.
  using Integers = std::vector<std::pair<uint64_t, unsigned>>;
  Integers in(llvm::StringRef name) {
    for (const clang::FieldDecl *field : record("Holder").fields())
      if (field->getName() == name)
        return integersIn(field->getType(), 16, source->context());
    ADD_FAILURE() << name.str();
    return {};
  }
  std::unique_ptr<ParsedSource> source;
};

// Views inherit their layout from a class of traits.
TEST_F(MemberTypes, AreFoundInBasesAsWell) {
  EXPECT_EQ(member("View", "layout"), "Left");
  EXPECT_EQ(member("View", "own"), "Right");
}

TEST_F(MemberTypes, WhatIsNoClassIsNone) {
  EXPECT_EQ(member("View", "value"), "none");
  EXPECT_EQ(member("View", "missing"), "none");
  EXPECT_EQ(member("Incomplete", "layout"), "none");
}

// A library's array of extents is a class around an array.
TEST_F(MemberTypes, IntegersAreFoundThroughClassesOfOneMember) {
  EXPECT_EQ(in("tile"), (Integers{{16, 8}, {24, 8}, {32, 8}}));
  EXPECT_EQ(in("plain"), (Integers{{16, 4}}));
  EXPECT_EQ(in("kind"), (Integers{{16, 2}}));
}

// To set a member at a wrong offset would change another value.
TEST_F(MemberTypes, OtherClassesHaveNone) {
  EXPECT_EQ(in("two"), Integers());
  EXPECT_EQ(in("real"), Integers());
  EXPECT_EQ(in("derived"), Integers()) << "it has a base";
}

} // namespace
