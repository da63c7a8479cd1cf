// The text of a View's type with the other layout.
#include "fixed_text.h"

using namespace warplint;

namespace {

/// The text after the layout of the type whose first argument is the first
/// `argument` becomes `layout`.
std::string relaid(const std::string &text, const std::string &argument,
                   const std::string &layout = "Kokkos::LayoutLeft") {
  return fixed(text, {.change = Change::OtherLayout,
                      .at = placeOf(text, argument),
                      .name = layout,
                      .kind = FixClass::Assumes});
}

} // namespace

TEST(ChangeLayout, TheLastWordOfTheLayoutIsReplaced) {
  EXPECT_EQ(relaid("View<float **, Kokkos::LayoutRight> a;", "float"),
            "View<float **, Kokkos::LayoutLeft> a;");
  EXPECT_EQ(relaid("vector<View<T<2, 3>*, LayoutRight, Space<1>>> a;", "T<"),
            "vector<View<T<2, 3>*, LayoutLeft, Space<1>>> a;");
}

TEST(ChangeLayout, WhereNoneIsWrittenItFollowsTheDataType) {
  const std::string right = "Kokkos::LayoutRight";
  EXPECT_EQ(relaid("Kokkos::View<float**> a;", "float", right),
            "Kokkos::View<float**, Kokkos::LayoutRight> a;");
  EXPECT_EQ(
      relaid("using V = Kokkos::View<float *[3] , Space>;", "float", right),
      "using V = Kokkos::View<float *[3], Kokkos::LayoutRight , Space>;");
  EXPECT_EQ(relaid("F<Kokkos::View<float**>> f;", "float", right),
            "F<Kokkos::View<float**, Kokkos::LayoutRight>> f;");
}

TEST(ChangeLayout, AllPlacesAreChangedOrNone) {
  const std::string text = "View<float **, LayoutRight> a;\n"
                           "void f(View<double **, LayoutRight> b);\n";
  Fix fix{.change = Change::OtherLayout,
          .at = placeOf(text, "float"),
          .also = {placeOf(text, "double")},
          .name = "LayoutLeft"};
  EXPECT_EQ(fixed(text, fix), "View<float **, LayoutLeft> a;\n"
                              "void f(View<double **, LayoutLeft> b);\n");
  fix.also.front().column += 1;
  EXPECT_EQ(fixed(text, fix), "none") << "the text is another one by now";
}
