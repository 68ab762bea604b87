// One fat binary of the program: its kernels, its variables, and its PTX once that is needed.
//
// Each device has its own of all that: the PTX that suits it, variables in its memory, attributes
// of kernels. Managed variables alone are the same for all.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/exec/grid.h"
#include "sim/memory/memory.h"
#include "sim/runtime/cubin.h"
#include "sim/runtime/devices.h"
#include "sim/runtime/fatbin.h"

namespace sim::runtime {

class LoadedModule;

// A kernel on one device, as the program names it: the address of its host stub, or its
// cudaKernel_t.
struct Kernel {
  LoadedModule* module = nullptr;
  std::string name;              // mangled
  std::string readable;          // demangled, without parameters
  const void* symbol = nullptr;  // the host stub, of a kernel of the program
  int function = -1;             // index into the module's functions
  KernelCode code;               // from the machine code

  // What cudaFuncSetAttribute asked for, until the device is reset.
  std::optional<std::uint32_t> max_dynamic_shared;
  int carveout = -1;  // per cent of a multiprocessor's shared memory; -1: no preference

  const ir::Function& ir() const;
  // Dynamic shared memory that a launch may ask for, in bytes.
  std::uint32_t dynamic_shared_limit() const;
};

using ManagedVariables = std::map<std::string, const memory::Allocation*>;  // by mangled name

class LoadedModule {
 public:
  // `managed`: those that have been placed, on whichever device.
  LoadedModule(int device, ManagedVariables& managed, const void* wrapper)
      : device_(device), managed_(managed), wrapper_(wrapper) {}
  // A library: PTX text, or a fat binary.
  LoadedModule(int device, ManagedVariables& managed, std::string image)
      : device_(device), managed_(managed), image_(std::move(image)) {}

  struct Variable {
    const void* host = nullptr;  // the shadow that the host names it by
    std::string name;
    bool managed = false;
    const memory::Allocation* allocation = nullptr;
  };
  std::vector<std::unique_ptr<Kernel>> kernels;
  std::vector<Variable> variables;

  // Reads the PTX that suits the device and places the variables, once. Empty, or why it cannot be
  // done.
  const std::string& load(const Device& kind, memory::DeviceMemory& memory);
  // The variables as the program begins, the kernels without attributes.
  void reset();
  // Of a library: a kernel for each of its entries, once it is loaded.
  void name_kernels();
  // Gives the variables' memory back.
  void unload(memory::DeviceMemory& memory);

  int device() const { return device_; }
  exec::Program* program() { return program_.get(); }
  const ir::Module& ir() const { return *ir_; }
  memory::Address address_of(int variable) const {
    return placed_[static_cast<std::size_t>(variable)]->begin;
  }

 private:
  std::string read(const Device& kind);
  std::string place_variables(memory::DeviceMemory& memory);
  const memory::Allocation* place_managed(const ir::Variable& v, memory::DeviceMemory& memory);
  void initialise_variables();

  int device_;
  ManagedVariables& managed_;
  const void* wrapper_ = nullptr;
  std::string image_;
  bool loaded_ = false;
  std::string problem_;
  std::unique_ptr<ir::Module> ir_;
  std::map<std::string, KernelCode> code_;  // by mangled name
  std::unique_ptr<exec::Program> program_;
  std::vector<const memory::Allocation*> placed_;  // of each of ir_->variables
};

// The same code on each device.
struct Code {
  ManagedVariables managed;
  std::vector<std::unique_ptr<LoadedModule>> on;  // by device
};

// "scale" for "_Z5scalePfi": without parameters and return type, with template arguments.
std::string demangle(const std::string& name);

}  // namespace sim::runtime
