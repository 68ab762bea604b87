#include "sim/runtime/host_lines.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <unistd.h>

namespace sim::runtime {

namespace {

bool is_users(const std::string& file) {
  if (file.empty() || file[0] == '?') return false;
  for (const char* part : {"/usr/", "/include/", "/common/lab/", "/common/sim/", "/common/profile/",
                           "cuda_runtime", "crt/", "doctest"})
    if (file.find(part) != std::string::npos) return false;
  return true;
}

// nvcc compiles host code from a file that it makes of the user's, and line markers lead back. The
// addr2line of binutils 2.40 overlooks the marker before a file's first function where the line
// table is DWARF 5: tmpxft_0000472f_00000000-6_halo.cudafe1.cpp stands for halo.cu.
std::string before_nvcc(const std::string& file) {
  constexpr std::string_view made = "/tmpxft_", ending = ".cudafe1.cpp";
  const std::size_t begin = file.rfind(made);
  if (begin == std::string::npos || !file.ends_with(ending)) return file;
  const std::size_t name = file.find('_', file.find('-', begin));
  if (name == std::string::npos) return file;
  return file.substr(name + 1, file.size() - ending.size() - name - 1) + ".cu";
}

// Every frame that addr2line finds at these addresses of one object, innermost first for each.
std::vector<check::SourceLine> resolve(const std::string& object,
                                       const std::vector<std::uintptr_t>& offsets) {
  std::string command = "addr2line -i -e '";
  for (const char c : object) command += c == '\'' ? std::string("'\\''") : std::string(1, c);
  command += "'";
  char hex[32];
  for (const std::uintptr_t o : offsets) {
    std::snprintf(hex, sizeof hex, " 0x%zx", static_cast<std::size_t>(o));
    command += hex;
  }
  command += " 2>/dev/null";
  std::vector<check::SourceLine> lines;
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return lines;
  char* text = nullptr;
  std::size_t capacity = 0;
  while (getline(&text, &capacity, pipe) > 0) {
    std::string line(text);
    const std::size_t colon = line.rfind(':');
    if (colon == std::string::npos) continue;
    lines.push_back({before_nvcc(line.substr(0, colon)), std::atoi(line.c_str() + colon + 1)});
  }
  std::free(text);
  pclose(pipe);
  return lines;
}

// The C library, the C++ library and the like: never the user's.
bool is_system(const std::string& object) {
  return object.starts_with("/lib") || object.starts_with("/usr/lib") ||
         object.starts_with("linux-vdso");
}

}  // namespace

memory::CallSite fault_site(void* instruction) {
  memory::CallSite site;
  int kept = 0;
  // As a return address, which is after the instruction.
  if (instruction) site.frames[kept++] = static_cast<char*>(instruction) + 1;
  void* frames[48];
  const int n = backtrace(frames, 48);
  Dl_info self{}, info{};
  dladdr(reinterpret_cast<void*>(&fault_site), &self);
  for (int i = 0; i < n && kept < memory::CallSite::depth; ++i)
    if (!dladdr(frames[i], &info) || info.dli_fbase != self.dli_fbase)
      site.frames[kept++] = frames[i];
  return site;
}

memory::CallSite capture_call_site() {
  memory::CallSite site;
  void* frames[memory::CallSite::depth + 4];
  const int n = backtrace(frames, memory::CallSite::depth + 4);
  Dl_info self{}, info{};
  dladdr(reinterpret_cast<void*>(&capture_call_site), &self);
  int kept = 0;
  for (int i = 0; i < n && kept < memory::CallSite::depth; ++i) {
    if (kept == 0 && dladdr(frames[i], &info) && info.dli_fbase == self.dli_fbase) continue;
    site.frames[kept++] = frames[i];
  }
  return site;
}

check::SourceLine source_line(const memory::CallSite& site) {
  // Never destroyed: asked also when the program is at its end.
  static std::mutex& mutex = *new std::mutex;
  static auto& known = *new std::map<std::array<void*, memory::CallSite::depth>, check::SourceLine>;
  const std::lock_guard lock(mutex);
  if (!site.frames[0]) return {};
  if (const auto it = known.find(std::to_array(site.frames)); it != known.end()) return it->second;
  std::string object;
  std::vector<std::uintptr_t> offsets;
  for (void* frame : site.frames) {
    Dl_info info{};
    if (!frame) break;
    if (!dladdr(frame, &info) || !info.dli_fname || is_system(info.dli_fname)) continue;
    // The first object named by a frame is the program; the main program's name is how it was
    // called.
    if (object.empty()) object = info.dli_fname;
    if (object != info.dli_fname) continue;
    const auto address = reinterpret_cast<std::uintptr_t>(frame) - 1;  // inside the call
    const auto base = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
    const bool fixed = static_cast<const Elf64_Ehdr*>(info.dli_fbase)->e_type == ET_EXEC;
    offsets.push_back(fixed ? address : address - base);
  }
  if (offsets.empty()) return {};
  if (access(object.c_str(), R_OK) != 0) object = "/proc/self/exe";
  if (object == "/proc/self/exe") object = "/proc/" + std::to_string(getpid()) + "/exe";
  // A launch passes through two functions that nvcc makes: a stub in a file of its own, called by
  // one that carries the kernel's name and line. The caller of that one is the launch.
  check::SourceLine found;
  bool in_stub = false;
  for (const check::SourceLine& line : resolve(object, offsets)) {
    if (line.file.find(".cudafe1.stub.") != std::string::npos) {
      in_stub = true;
    } else if (is_users(line.file) && !std::exchange(in_stub, false)) {
      found = line;
      break;
    }
  }
  known[std::to_array(site.frames)] = found;
  return found;
}

}  // namespace sim::runtime
