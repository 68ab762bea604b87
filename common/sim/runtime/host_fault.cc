#include "sim/runtime/host_fault.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <execinfo.h>
#include <ucontext.h>

#include "sim/runtime/context.h"
#include "sim/runtime/host_lines.h"

namespace sim::runtime {

namespace {

struct sigaction before[2];

void give_on(int signal, siginfo_t* info, void* context) {
  struct sigaction& old = before[signal == SIGBUS];
  if (old.sa_flags & SA_SIGINFO && old.sa_sigaction) return old.sa_sigaction(signal, info, context);
  if (old.sa_handler && old.sa_handler != SIG_IGN && old.sa_handler != SIG_DFL) return old.sa_handler(signal);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// The process is about to die of this, so that the handler may do what a handler otherwise must not.
void on_fault(int signal, siginfo_t* info, void* raw) {
  static volatile std::sig_atomic_t inside = 0;
  Context& c = Context::get();
  const auto address = reinterpret_cast<memory::Address>(info->si_addr);
  if (!inside && c.has_memory() && c.memory().in_window(address)) {
    inside = 1;
    const memory::Allocation* a = c.memory().nearest(address);
    bool write = false;
#ifdef __x86_64__
    write = (static_cast<ucontext_t*>(raw)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#endif
    char text[32];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
    std::string message = std::string("the host ") + (write ? "wrote to " : "read ") + text + ", which is device memory";
    if (a && a->contains(address, 1)) message += ": byte " + std::to_string(address - a->begin) + " of an allocation of " + std::to_string(a->bytes) + " bytes";
    message += ".";
    c.report_host_fault(std::move(message), write ? "write" : "read", address, a);
    c.write_reports(128 + signal);
  }
  give_on(signal, info, raw);
}

}  // namespace

void explain_host_faults() {
  // A stack of its own, because the fault may be an overflow of the ordinary one.
  static char stack[1 << 17];
  stack_t alternative{};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  struct sigaction action{};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &before[0]);
  sigaction(SIGBUS, &action, &before[1]);
}

}  // namespace sim::runtime
