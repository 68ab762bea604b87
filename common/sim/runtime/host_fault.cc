#include "sim/runtime/host_fault.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include <dlfcn.h>
#include <execinfo.h>
#include <ucontext.h>
#include <unistd.h>

#include "sim/check/memcheck.h"
#include "sim/report/text.h"
#include "sim/runtime/context.h"
#include "sim/runtime/host_lines.h"

namespace sim::runtime {

namespace {

constexpr int handled[] = {SIGSEGV, SIGBUS, SIGABRT, SIGTRAP};
struct sigaction before[std::size(handled)];

// As it would have gone without us: the handler that was there, or the signal's own way.
void give_on(int signal, siginfo_t* info, void* context) {
  struct sigaction old {};
  for (std::size_t i = 0; i < std::size(handled); ++i)
    if (handled[i] == signal) old = before[i];
  if ((old.sa_flags & SA_SIGINFO) && old.sa_sigaction)
    return old.sa_sigaction(signal, info, context);
  if (old.sa_handler != SIG_IGN && old.sa_handler != SIG_DFL) return old.sa_handler(signal);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

std::string hex(memory::Address address) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

// "byte 12 of an allocation of 64 bytes", as far as it is known.
std::string place(const memory::Allocation* a, memory::Address address) {
  if (!a) return {};
  const std::string name = a->name.empty() ? "an allocation" : a->name;
  const std::string size = " of " + std::to_string(a->bytes) + " bytes";
  if (address >= a->begin && address < a->end())
    return ": byte " + std::to_string(address - a->begin) + " of " + name + size;
  if (address >= a->end())
    return ": " + std::to_string(address - a->end()) + " bytes past the end of " + name + size;
  return {};
}

// Checks tell findings themselves, but the process that they run in dies here: nobody else will.
void tell_if_muted(const Context& c, const check::Finding& finding) {
  const char* text = std::getenv("WARP_WEFT_TEXT");
  const bool muted = c.reports_itself || (text && std::strcmp(text, "0") == 0);
  if (muted) report::print(stderr, {}, std::span(&finding, 1));
}

// Where the processor was, and whether it was about to write, if that is known.
void look(void* raw, bool& write, void*& at) {
  [[maybe_unused]] const auto* machine = &static_cast<ucontext_t*>(raw)->uc_mcontext;
#ifdef __x86_64__
  write = (machine->gregs[REG_ERR] & 2) != 0;
  at = reinterpret_cast<void*>(machine->gregs[REG_RIP]);
#else
  (void)write;
  (void)at;
#endif
}

// Whether the C library's free() is at work, which delete calls, too.
bool in_free() {
  void* frames[16];
  const int n = backtrace(frames, 16);
  for (int i = 0; i < n; ++i) {
    Dl_info place{};
    if (!dladdr(frames[i], &place) || !place.dli_sname) continue;
    const std::string_view name = place.dli_sname;
    if (name == "free" || name == "cfree" || name == "__libc_free" || name == "realloc")
      return true;
  }
  return false;
}

// What free() was given: an allocation of ours whose address is still on the stack, or that begins
// just behind where free() looked for the header of a block of its own.
const memory::Allocation* given_to_free(Context& c, int signal, siginfo_t* info, void* raw) {
  constexpr memory::Address header = 16;
  const auto ours = [&](memory::Address address) -> const memory::Allocation* {
    const memory::Allocation* a = c.memory().nearest(address, 0);
    return a && a->live && a->begin == address && a->kind != memory::Kind::registered ? a : nullptr;
  };
  if (signal != SIGABRT) {
    const auto address = reinterpret_cast<memory::Address>(info->si_addr);
    return ours(address + header - address % header);
  }
#ifdef __x86_64__
  constexpr int words = 256;
  const auto* stack = reinterpret_cast<const memory::Address*>(
      static_cast<ucontext_t*>(raw)->uc_mcontext.gregs[REG_RSP]);
  for (int i = 0; i < words; ++i)
    for (const memory::Address address : {stack[i], stack[i] + header})
      if (const memory::Allocation* a = ours(address)) return a;
#else
  (void)raw;
#endif
  return nullptr;
}

bool explain_free(Context& c, int signal, siginfo_t* info, void* raw) {
  if (!in_free()) return false;
  const memory::Allocation* a = given_to_free(c, signal, info, raw);
  if (!a) return false;
  const bool pinned = a->kind == memory::Kind::pinned;
  const std::string made = check::describe(*a, {}).kind;
  check::Finding& f =
      c.report_at(fault_site(nullptr), check::Kind::api_misuse,
                  "free() or delete was given memory from " + made + ".",
                  "The C library knows nothing of it and ends the program. Memory from " + made +
                      " is given back with " + (pinned ? "cudaFreeHost" : "cudaFree") + ".",
                  a);
  tell_if_muted(c, f);
  return true;
}

void explain(Context& c, siginfo_t* info, void* raw) {
  const auto address = reinterpret_cast<memory::Address>(info->si_addr);
  const memory::Allocation* a = c.memory().nearest(address);
  const bool on_device = c.memory().in_window(address);
  const bool freed = !on_device && a && !a->live && address >= a->begin && address < a->end();
  if (!on_device && !freed) return;

  bool write = false;
  void* at = nullptr;
  look(raw, write, at);
  const char* access = write ? "write" : "read";
  check::Finding& f = c.report_at(
      fault_site(at), freed ? check::Kind::use_after_free : check::Kind::api_misuse,
      std::string("the host ") + (write ? "wrote to " : "read ") + hex(address) +
          (freed ? ", which was given back" : ", which is device memory") + place(a, address) + ".",
      freed ? "cudaFreeHost, cudaFree and cudaDeviceReset take pinned and managed memory away from "
              "the host too."
            : "A device pointer can only be dereferenced in a kernel. Copy the bytes with "
              "cudaMemcpy, or allocate "
              "with cudaMallocManaged what both sides use.",
      a);
  f.access = access;
  f.address = address;
  tell_if_muted(c, f);
}

// While this thread runs one instruction that may touch memory in use (x86's trap flag: SIGTRAP
// comes after it).
thread_local bool steps = false;
// What it touches.
thread_local memory::Address stepped_at = 0;
thread_local void* stepped_by = nullptr;
thread_local bool stepped_writes = false;

void step([[maybe_unused]] void* raw, bool on) {
  steps = on;
#ifdef __x86_64__
  constexpr greg_t trap_flag = 0x100;
  greg_t& flags = static_cast<ucontext_t*>(raw)->uc_mcontext.gregs[REG_EFL];
  flags = on ? flags | trap_flag : flags & ~trap_flag;
#endif
}

// The host touched memory that the device is still using: noted, and the program goes on.
bool host_came_too_early(siginfo_t* info, void* raw) {
  bool write = true;
  void* at = nullptr;
  look(raw, write, at);
  const HostPages::Opened opened =
      Context::get().host_touched(reinterpret_cast<memory::Address>(info->si_addr), write, at);
  if (opened == HostPages::Opened::page_for_one_instruction) {
    stepped_at = reinterpret_cast<memory::Address>(info->si_addr);
    stepped_by = at;
    stepped_writes = write;
    step(raw, true);
  }
  return opened != HostPages::Opened::nothing;
}

// After the instruction. What it read may have been written since it was let through: a message
// that has just come is one, too.
void end_step(void* raw) {
  step(raw, false);
  Context& c = Context::get();
  if (!stepped_writes) c.host_touched(stepped_at, false, stepped_by);
  c.close_stepped_pages();
}

// The process is about to die, so that the handler may do what a handler otherwise must not. Should
// a lock that it needs be held by what was interrupted, the alarm ends the process all the same.
void on_signal(int signal, siginfo_t* info, void* raw) {
  if (signal == SIGSEGV && host_came_too_early(info, raw)) return;
  if (signal == SIGTRAP && steps) return end_step(raw);
  static volatile std::sig_atomic_t inside = 0;
  if (!inside) {
    inside = 1;
    std::signal(SIGALRM, SIG_DFL);
    alarm(10);
    Context& c = Context::get();
    if (c.has_memory() && !explain_free(c, signal, info, raw) && signal != SIGABRT)
      explain(c, info, raw);
    c.write_reports(128 + signal, true);
    alarm(0);
  }
  give_on(signal, info, raw);
}

}  // namespace

void explain_host_faults() {
  // A stack of its own, because the fault may be an overflow of the ordinary one.
  static char stack[1 << 18];
  stack_t alternative{};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < std::size(handled); ++i) sigaction(handled[i], &action, &before[i]);
}

}  // namespace sim::runtime
