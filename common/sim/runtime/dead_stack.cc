#include "sim/runtime/dead_stack.h"

#include <cstdint>

#include <dlfcn.h>
#include <pthread.h>
#include <unwind.h>

namespace sim::runtime {

namespace {

// The frames of this library are on top; the first of the program's says where its stack pointer
// was when it made the call.
struct Walk {
  void* library = nullptr;
  std::uintptr_t end = 0;
};

_Unwind_Reason_Code visit(_Unwind_Context* frame, void* data) {
  auto& walk = *static_cast<Walk*>(data);
  Dl_info info{};
  const bool known = dladdr(reinterpret_cast<void*>(_Unwind_GetIP(frame)), &info) != 0;
  if (known && info.dli_fbase == walk.library) return _URC_NO_REASON;
  walk.end = _Unwind_GetCFA(frame);
  return _URC_END_OF_STACK;
}

bool on_this_stack(std::uintptr_t address) {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
  void* begin = nullptr;
  std::size_t bytes = 0;
  const bool known = pthread_attr_getstack(&attributes, &begin, &bytes) == 0;
  pthread_attr_destroy(&attributes);
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  return known && address >= first && address < first + bytes;
}

}  // namespace

bool is_dead_stack(const void* p) {
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  if (!on_this_stack(address)) return false;
  Dl_info self{};
  dladdr(reinterpret_cast<void*>(&is_dead_stack), &self);
  Walk walk{self.dli_fbase, 0};
  _Unwind_Backtrace(visit, &walk);
  return walk.end != 0 && address < walk.end;
}

}  // namespace sim::runtime
