#include "sim/runtime/host_fault.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>

#include <ucontext.h>
#include <unistd.h>

#include "sim/report/text.h"
#include "sim/runtime/context.h"
#include "sim/runtime/host_lines.h"

namespace sim::runtime {

namespace {

constexpr int handled[] = {SIGSEGV, SIGBUS, SIGABRT};
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

  // Checks tell findings themselves, but the process that they run in dies here: nobody else will.
  const char* text = std::getenv("WARP_WEFT_TEXT");
  const bool muted = c.reports_itself || (text && std::strcmp(text, "0") == 0);
  if (muted) report::print(stderr, {}, std::span(&f, 1));
}

// The host touched memory that the device is still using: noted, and the program goes on.
bool host_came_too_early(siginfo_t* info, void* raw) {
  bool write = true;
  void* at = nullptr;
  look(raw, write, at);
  return Context::get().host_touched(reinterpret_cast<memory::Address>(info->si_addr), write,
                                     fault_site(at));
}

// The process is about to die, so that the handler may do what a handler otherwise must not. Should
// a lock that it needs be held by what was interrupted, the alarm ends the process all the same.
void on_signal(int signal, siginfo_t* info, void* raw) {
  if (signal == SIGSEGV && host_came_too_early(info, raw)) return;
  static volatile std::sig_atomic_t inside = 0;
  if (!inside) {
    inside = 1;
    std::signal(SIGALRM, SIG_DFL);
    alarm(10);
    Context& c = Context::get();
    if (signal != SIGABRT && c.has_memory()) explain(c, info, raw);
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
