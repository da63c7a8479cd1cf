// Stands in for Clang's header of this name, on which the toolkit builds its
// texture and surface functions. Clang's writes every operation for each type
// and dimension, and takes a third of the time of a small source. Only the
// hardware knows how a texture is laid out, so one instruction of each kind
// says as much here.
#if defined(CUDA_VERSION) && CUDA_VERSION < 12000
// Has texture references, which Clang's header turns into objects.
#include_next <__clang_cuda_texture_intrinsics.h>
#elif !defined(__CLANG_CUDA_TEXTURE_INTRINSICS_H__)
#define __CLANG_CUDA_TEXTURE_INTRINSICS_H__
#pragma GCC system_header // what a kernel calls here stands at the call

// "__itex2D", "__isurf2Dread", "__isurf2Dwrite_v2"
#define __nv_tex_surf_handler(__operation, __value, ...)                       \
  ::__warplint_texture::access(                                                \
      ::__warplint_texture::Kind<::__warplint_texture::kindOf(__operation)>(), \
      __value, __VA_ARGS__)

#define WARPLINT_TEXTURE static __device__ __attribute__((always_inline)) inline
namespace __warplint_texture {

enum { texture, surface, write };
constexpr bool writes(const char *__name) {
  return *__name && (*__name == 'w' || writes(__name + 1));
}
constexpr int kindOf(const char *__operation) {
  return writes(__operation)     ? write
         : __operation[3] == 's' ? surface
                                 : texture;
}
template <int __kind> struct Kind {};

// The numbers that a fetch gives, before they become elements of 8 or 16 bits.
template <class __Number> struct Fetched { using type = int; };
template <> struct Fetched<float> { using type = float; };
template <> struct Fetched<long long> { using type = long long; };
template <> struct Fetched<unsigned long long> { using type = long long; };

// What all components of an element are: that of its first one.
template <class __Element> struct Component {
  using type = decltype(__Element::x);
};
#define WARPLINT_NUMBER(number)                                                \
  template <> struct Component<number> { using type = number; };
WARPLINT_NUMBER(char)
WARPLINT_NUMBER(signed char)
WARPLINT_NUMBER(unsigned char)
WARPLINT_NUMBER(short)
WARPLINT_NUMBER(unsigned short)
WARPLINT_NUMBER(int)
WARPLINT_NUMBER(unsigned)
WARPLINT_NUMBER(long)
WARPLINT_NUMBER(unsigned long)
WARPLINT_NUMBER(long long)
WARPLINT_NUMBER(unsigned long long)
WARPLINT_NUMBER(float)
#undef WARPLINT_NUMBER

template <class __Number> struct Four { __Number x, y, z, w; };

template <class __Element,
          int __count =
              sizeof(__Element) / sizeof(typename Component<__Element>::type)>
struct Components;
template <class __Element> struct Components<__Element, 1> {
  using Number = typename Component<__Element>::type;
  template <class __Numbers>
  WARPLINT_TEXTURE void set(__Element &__to, __Numbers __from) {
    __to = {static_cast<Number>(__from.x)};
  }
  WARPLINT_TEXTURE Four<Number> of(const __Element &__from) {
    return {reinterpret_cast<const Number &>(__from), 0, 0, 0};
  }
};
template <class __Element> struct Components<__Element, 2> {
  using Number = typename Component<__Element>::type;
  template <class __Numbers>
  WARPLINT_TEXTURE void set(__Element &__to, __Numbers __from) {
    __to = {static_cast<Number>(__from.x), static_cast<Number>(__from.y)};
  }
  WARPLINT_TEXTURE Four<Number> of(const __Element &__from) {
    return {__from.x, __from.y, 0, 0};
  }
};
template <class __Element> struct Components<__Element, 4> {
  using Number = typename Component<__Element>::type;
  template <class __Numbers>
  WARPLINT_TEXTURE void set(__Element &__to, __Numbers __from) {
    __to = {static_cast<Number>(__from.x), static_cast<Number>(__from.y),
            static_cast<Number>(__from.z), static_cast<Number>(__from.w)};
  }
  WARPLINT_TEXTURE Four<Number> of(const __Element &__from) {
    return {__from.x, __from.y, __from.z, __from.w};
  }
};

// An argument is a number, a gradient, or where it is put if the texels are
// resident.
template <class __Number>
WARPLINT_TEXTURE Four<__Number> inputsOf(__Number __one) {
  return {__one, 0, 0, 0};
}
template <class __Gradient>
WARPLINT_TEXTURE auto inputsOf(__Gradient *__one)
    -> decltype(Components<__Gradient>::of(*__one)) {
  return Components<__Gradient>::of(*__one);
}
WARPLINT_TEXTURE Four<int> inputsOf(cudaSurfaceBoundaryMode __one) {
  return {__one, 0, 0, 0};
}
WARPLINT_TEXTURE Four<int> inputsOf(unsigned char *) { return {0, 0, 0, 0}; }
template <class __Number>
WARPLINT_TEXTURE void putResident(__Number, unsigned char) {}
WARPLINT_TEXTURE void putResident(unsigned char *__to, unsigned char __is) {
  *__to = __is;
}

#define WARPLINT_WHERE                                                         \
  unsigned long long __object, __A __a, __B __b = 0, __C __c = 0, __D __d = 0, \
                                            __E __e = 0, __F __f = 0
#define WARPLINT_ARGUMENTS                                                     \
  class __A, class __B = int, class __C = int, class __D = int,                \
                   class __E = int, class __F = int
#define WARPLINT_INPUT(argument)                                               \
  "r"(inputsOf(argument).x), "r"(inputsOf(argument).y),                        \
      "r"(inputsOf(argument).z)
#define WARPLINT_INPUTS                                                        \
  "l"(__object), WARPLINT_INPUT(__a), WARPLINT_INPUT(__b),                     \
      WARPLINT_INPUT(__c), WARPLINT_INPUT(__d), WARPLINT_INPUT(__e),           \
      WARPLINT_INPUT(__f)
#define WARPLINT_FETCH(kind, instruction)                                      \
  template <class __Element, WARPLINT_ARGUMENTS>                               \
  WARPLINT_TEXTURE void access(Kind<kind>, __Element *__to, WARPLINT_WHERE) {  \
    using Number =                                                             \
        typename Fetched<typename Component<__Element>::type>::type;           \
    Four<Number> __from;                                                       \
    unsigned char __isResident;                                                \
    asm(instruction                                                            \
        : "=r"(__from.x), "=r"(__from.y), "=r"(__from.z), "=r"(__from.w),      \
          "=h"(__isResident)                                                   \
        : WARPLINT_INPUTS);                                                    \
    Components<__Element>::set(*__to, __from);                                 \
    putResident(__c, __isResident);                                            \
    putResident(__d, __isResident);                                            \
    putResident(__e, __isResident);                                            \
    putResident(__f, __isResident);                                            \
  }
WARPLINT_FETCH(texture, "tex")
WARPLINT_FETCH(surface, "suld")

template <class __Element, WARPLINT_ARGUMENTS>
WARPLINT_TEXTURE void access(Kind<write>, const __Element *__from,
                             WARPLINT_WHERE) {
  const auto __numbers = Components<__Element>::of(*__from);
  asm volatile("sust"
               :
               : WARPLINT_INPUTS, "r"(__numbers.x), "r"(__numbers.y),
                 "r"(__numbers.z), "r"(__numbers.w));
}
#undef WARPLINT_FETCH
#undef WARPLINT_INPUTS
#undef WARPLINT_INPUT
#undef WARPLINT_ARGUMENTS
#undef WARPLINT_WHERE

} // namespace __warplint_texture
#undef WARPLINT_TEXTURE
#endif
