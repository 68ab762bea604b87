// Building blocks of handlers: apply a function of one lane's values to all lanes of a step.
#pragma once

#include "sim/exec/step.h"

namespace sim::exec {

// d = F(a), F(a, b), F(a, b, c), with one storage type for all operands.
template <class T, class F>
void unary(const Registers& r, const Step& s, Mask mask) {
  const T* a = r.lanes_of<T>(s.source[0]);
  for_lanes(r.lanes_of<T>(s.result[0]), mask, [=](int l) { return static_cast<T>(F::of(a[l])); });
}
template <class T, class F>
void binary(const Registers& r, const Step& s, Mask mask) {
  const T* a = r.lanes_of<T>(s.source[0]);
  const T* b = r.lanes_of<T>(s.source[1]);
  for_lanes(r.lanes_of<T>(s.result[0]), mask,
            [=](int l) { return static_cast<T>(F::of(a[l], b[l])); });
}
template <class T, class F>
void ternary(const Registers& r, const Step& s, Mask mask) {
  const T* a = r.lanes_of<T>(s.source[0]);
  const T* b = r.lanes_of<T>(s.source[1]);
  const T* c = r.lanes_of<T>(s.source[2]);
  for_lanes(r.lanes_of<T>(s.result[0]), mask,
            [=](int l) { return static_cast<T>(F::of(a[l], b[l], c[l])); });
}

// d = F(a) where F is expensive: a series, a library function.
template <class T, class F>
void unary_each(const Registers& r, const Step& s, Mask mask) {
  const T* a = r.lanes_of<T>(s.source[0]);
  for_each_lane(r.lanes_of<T>(s.result[0]), mask,
                [=](int l) { return static_cast<T>(F::of(a[l])); });
}

// d of type R from operands of types A, B, C.
template <class R, class A, class F>
void map1(const Registers& r, const Step& s, Mask mask) {
  const A* a = r.lanes_of<A>(s.source[0]);
  for_lanes(r.lanes_of<R>(s.result[0]), mask, [=](int l) { return static_cast<R>(F::of(a[l])); });
}
template <class R, class A, class B, class F>
void map2(const Registers& r, const Step& s, Mask mask) {
  const A* a = r.lanes_of<A>(s.source[0]);
  const B* b = r.lanes_of<B>(s.source[1]);
  for_lanes(r.lanes_of<R>(s.result[0]), mask,
            [=](int l) { return static_cast<R>(F::of(a[l], b[l])); });
}
template <class R, class A, class B, class C, class F>
void map3(const Registers& r, const Step& s, Mask mask) {
  const A* a = r.lanes_of<A>(s.source[0]);
  const B* b = r.lanes_of<B>(s.source[1]);
  const C* c = r.lanes_of<C>(s.source[2]);
  for_lanes(r.lanes_of<R>(s.result[0]), mask,
            [=](int l) { return static_cast<R>(F::of(a[l], b[l], c[l])); });
}

// A mask from a test of every lane.
template <class F>
inline Mask test_lanes(F&& f) {
  Mask m = 0;
  for (int l = 0; l < lanes; ++l) m |= static_cast<Mask>(f(l)) << l;
  return m;
}

}  // namespace sim::exec
