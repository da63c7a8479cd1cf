// Kernels by hand, for tests of what is made of them.
#pragma once
#include "cost/lanes.h"
#include <string>

namespace warplint {

/// A kernel in the making. Values are nodes of its graph; indexes are 64 bits
/// wide, so that nothing wraps unless a test wants it to.
struct ModelBuilder {
  Kernel kernel;
  ExpressionGraph &graph = kernel.graph;

  ModelBuilder() {
    kernel.name = kernel.mangled = "k";
    kernel.shapes = {{{256, 1, 1}, ShapeSource::Assumed, {}}};
  }
  ModelBuilder(const ModelBuilder &) = delete;

  ValueId number(uint64_t value, unsigned bits = 64) {
    return graph.constant(value, bits);
  }
  ValueId thread(unsigned dimension = 0) {
    return graph.special(Op::ThreadIndex, dimension, 64);
  }
  ValueId argument(const std::string &name, unsigned bits = 64) {
    return graph.unknown(Op::Parameter, name, bits, false);
  }
  ValueId varying(const std::string &why = "a shuffle") {
    return graph.unknown(Op::Varying, why, 64, false);
  }
  ValueId flag(const std::string &name) { // known to nobody, for all the same
    return graph.unknown(Op::Uniform, name, 1, false);
  }
  ValueId add(ValueId a, ValueId b) { return graph.make(Op::Add, 64, {a, b}); }
  ValueId times(ValueId a, uint64_t b) {
    return graph.make(Op::Multiply, 64, {a, number(b)});
  }
  ValueId make(Op op, ValueId a, ValueId b) {
    return graph.make(op, 64, {a, b});
  }
  ValueId is(Op comparison, ValueId a, ValueId b) {
    return graph.make(comparison, 1, {a, b});
  }

  ValueId object(const std::string &name, Space space = Space::Global,
                 uint64_t bytes = 0) {
    kernel.objects.push_back({name, space, bytes});
    return graph.base(kernel.objects.size() - 1);
  }
  /// The address of element `index` of `size` bytes.
  ValueId element(ValueId base, ValueId index, uint64_t size) {
    return graph.make(Op::Add, 64, {base, times(index, size)}, 0, true);
  }

  /// A loop of one counter that begins with `first` and goes on while
  /// `counter < bound`, by `step`.
  struct Counted {
    LoopId loop;
    ValueId counter;
  };
  Counted countedLoop(ValueId first, ValueId bound, ValueId step) {
    LoopId id = kernel.loops.size();
    ValueId counter = graph.carried(id, 64, false);
    ValueId next = add(counter, step);
    graph.setCarried(counter, first, next);
    Loop loop;
    loop.place = {"/k.cu", 10 + id, 3};
    loop.enters = is(Op::LessSigned, first, bound);
    loop.continues = is(Op::LessSigned, next, bound);
    loop.bound = bound;
    loop.hasBound = true;
    kernel.loops.push_back(loop);
    return {id, counter};
  }
  Counted countedLoop(uint64_t first, uint64_t bound) {
    Counted result = countedLoop(number(first), number(bound), number(1));
    kernel.loops.back().tripCount = bound - first;
    return result;
  }
  ValueId final(ValueId value, LoopId loop) {
    const Node node = graph.node(value);
    return graph.make(Op::Final, node.bits, {value}, loop, node.pointer);
  }
  ValueId ever(ValueId condition, LoopId loop) {
    return graph.make(Op::Ever, 1, {condition}, loop);
  }

  Access &access(ValueId address, unsigned bytes,
                 Operation operation = Operation::Load,
                 Space space = Space::Global) {
    Access access;
    access.space = space;
    access.operation = operation;
    access.bytes = bytes;
    access.address = address;
    access.guard = graph.always();
    access.place = {"/k.cu", unsigned(20 + kernel.accesses.size()), 5};
    access.object = "a";
    access.text = "a[i]";
    kernel.accesses.push_back(access);
    return kernel.accesses.back();
  }

  /// The cost of the last access.
  Cost cost(Shape shape = {32, 1, 1}) const {
    return costs(kernel, shape).back();
  }
};

} // namespace warplint
