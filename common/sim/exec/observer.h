// What an observer of a running kernel is told.
//
// The executor knows this interface and nothing of who implements it: counters, memcheck and the
// other checkers are observers. An event concerns one warp instruction and carries all that is
// needed to judge it. Events are sent before the bytes move. An observer never changes execution.
//
// Blocks may run on several host threads. Each worker has observers of its own, made by `fork`;
// when the launch ends they are joined in the order of their workers, and a joined result must not
// depend on which worker ran which block.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/exec/shape.h"
#include "sim/exec/texture.h"
#include "sim/ir/program.h"
#include "sim/memory/memory.h"

namespace sim::exec {

struct Registers;  // step.h
struct Step;

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

struct LaunchInfo {
  std::uint64_t serial = 0;  // 1, 2, 3 … in launch order
  const ir::Module* module = nullptr;
  const ir::Function* kernel = nullptr;
  Dim3 grid, block;
  std::uint32_t static_shared = 0, dynamic_shared = 0;  // bytes per block
  std::uint64_t stream = 0;
  int device = 0;
  const memory::DeviceMemory* memory = nullptr;
  // Why no more blocks run at once, for messages: " (limited by shared memory)"; may be empty.
  const char* limited_by = "";

  std::uint32_t warps_per_block() const {
    return static_cast<std::uint32_t>((block.count() + lanes - 1) / lanes);
  }
};

// Which warp, at which instruction. `block` counts blocks x-fastest; `warp` counts within it.
struct Where {
  const ir::Function* function = nullptr;
  std::int32_t pc = 0;  // index into function->code
  std::uint64_t block = 0;
  std::uint32_t warp = 0;
  Mask active = 0;  // lanes that run this instruction, before its guard predicate
  // Calls from the kernel down to `function`, outermost first; empty in the kernel itself.
  const std::vector<const ir::Instruction*>* calls = nullptr;

  const ir::Instruction& instruction() const {
    return function->code[static_cast<std::size_t>(pc)];
  }
};

// A stretch of instructions [first, last] that a warp ran one after the other with one mask.
struct Run {
  const ir::Function* function;
  std::int32_t first, last;
  Mask active;
};

struct Branch {
  Where where;
  Mask taken;  // subset of where.active; brx: lanes that do not go to the first lane's target
};

enum class AccessKind : std::uint8_t { load, store, atomic, reduction };

// Addresses are global addresses for global and constant space, and bytes into the block's shared
// or the thread's local memory otherwise. A generic access is reported in the space it reached;
// one instruction whose lanes reach several spaces gives one event for each.
struct Access {
  Where where;
  ptx::Space space;
  AccessKind kind;
  Mask lanes;            // lanes that make the access (guard applied, refused lanes removed)
  std::uint32_t bytes;   // per lane, all elements of a vector together
  memory::Address base;  // address of the first of `lanes`
  const Shape* shape;    // every lane's address, relative to `base`
  // The allocation that holds all lanes' bytes; nullptr in shared and local space, or when lanes
  // reach different allocations.
  const memory::Allocation* allocation;
  // One half of a cp.async: a load of the source, a store to the destination. Both are sent when
  // the copy is issued; its bytes may move at any time until the lane has waited for it.
  bool asynchronous = false;
  // For those who need to see the bytes: what a store will write (its sources lie in `registers`),
  // and the block's shared memory as it is now.
  const Registers* registers = nullptr;
  const std::byte* shared = nullptr;
  // wmma.load and wmma.store make several accesses. `own`: the lane's bytes of this one begin at
  // byte `operand_byte` of operand number `operand`, and go on in the next ones. `rows`, `columns`:
  // as ldmatrix, without and with .trans, into four operands from `operand` on. `crossed`: in some
  // other way lanes move each other's bytes.
  enum class Spread : std::uint8_t { own, rows, columns, crossed } spread = Spread::own;
  std::uint16_t operand = 0, operand_byte = 0;

  memory::Address address(int lane) const {
    return base + static_cast<std::uint64_t>(shape->offset[static_cast<std::size_t>(lane)]);
  }
};

enum class FaultKind : std::uint8_t {
  out_of_bounds,  // no allocation, or past the end of shared or local memory
  use_after_free,
  misaligned,
  host_pointer,  // a host address that the device cannot reach
  peer_memory,   // memory of another device that is no peer
  null_pointer,
  read_only,     // a store to constant memory
  invalid_free,  // device-side free of something malloc did not return
};

// An access that was refused: its lanes read zero or write nothing, and the kernel goes on so that
// one run can report more than one mistake. The launch's status is the CUDA error all the same.
struct Fault {
  Where where;
  FaultKind kind;
  ptx::Space space;
  AccessKind access;
  Mask lanes;
  std::uint32_t bytes;
  std::array<memory::Address, exec::lanes> address;  // valid where `lanes` has a bit
};

struct Barrier {
  Where where;
  std::uint32_t id = 0;
  Mask lanes = 0;
  std::uint32_t expected = 0;  // threads that the instruction counts; 0: all of the block
  bool waits = true;           // false: bar.arrive
};

struct WarpSync {
  Where where;
  Mask members;   // the lanes named by the mask operand (of the first lane)
  Mask lanes;     // the lanes that take part
  Mask left = 0;  // named lanes that left the kernel while others waited for them here
};

// One instruction, before it runs: for who must know what is computed. Sent only while the observer
// `follows`, because it costs.
struct Stepped {
  Where where;
  const Step& step;
  const Registers& registers;
  Mask lanes;  // guard applied
};

// What a lane does with the copies (cp.async) that it has issued. `commit` makes a group of those
// that belong to none yet; `wait` lets all groups but the last `pending` ones complete. wait_all
// is sent as a commit and a wait for all. cp.async.mbarrier.arrive is an Access to its mbarrier,
// and completes the lane's copies for whoever waits there.
struct AsyncGroup {
  Where where;
  enum class Kind : std::uint8_t { commit, wait } kind;
  Mask lanes;
  std::uint32_t pending = 0;
};

// The texels that a texture or surface instruction reads or writes: any number for a lane, in the
// order of lanes. They are addresses of global memory; of a tiled image (memory/image.h) they are
// those of a CUDA array, which no other kind of access reaches.
struct TexelAccess {
  struct Texel {
    memory::Address address;
    std::uint8_t lane;
  };
  Where where;
  AccessKind kind;
  bool is_surface, tiled;
  Mask lanes;           // lanes that take part, also those that reach no texel
  std::uint32_t bytes;  // of each access: a texel
  const memory::Allocation* allocation;
  std::span<const Texel> texels;
  const Registers* registers = nullptr;  // the sources of a write lie there
};

// A texture or surface that is not used as it must be. Its lanes read zero or write nothing.
struct TexelFault {
  enum class Kind : std::uint8_t {
    no_object,     // the handle is none
    destroyed,     // of an object that was destroyed before the launch
    other_device,  // of an object that was made for another device
    freed,         // the memory that it shows is free
    wrong_shape,   // tex2D of a texture in three dimensions, a surface as a texture
    wrong_type,    // floats from a texture of integers, or integers from one of floats
    outside,       // of a surface whose boundary mode is `trap`
    misaligned,    // a surface's x, in bytes, is no multiple of the access
    past_end,      // of linear memory, which gives 0 there; nothing ends
  };
  Where where;
  Kind kind;
  AccessKind access;
  Mask lanes;
  const Texture* texture;  // nullptr: no object
  // Of the first lane: the texel that it names, x in bytes for a surface.
  std::array<std::int64_t, 3> at{};
  std::uint32_t bytes = 0;
};

// Why a launch was stopped.
struct Waiting {  // one group of lanes that cannot go on
  Where where;
  const char* why;     // "a block barrier", "lanes of its warp", "memory that never changes"
  bool spins = false;  // reads that memory again and again
  // At a barrier: how many arrivals it counts, and how many of them, or announced bytes, have not
  // come.
  std::uint32_t counted = 0, missing = 0;
  std::uint64_t missing_bytes = 0;
  // An mbarrier's init, where it is known.
  const ir::Function* made_in = nullptr;
  std::int32_t made_at = 0;
};
struct Stop {
  enum class Kind : std::uint8_t {
    trap,
    assertion,
    deadlock,
    runaway,
    stack_overflow,
    wild_call,  // through a pointer that holds no function's address
    unsupported
  } kind;
  Where where;
  std::string text;              // assertion: the message; runaway: budget; unsupported: what
  std::vector<Waiting> waiting;  // deadlock
  // Deadlock while blocks of the grid could not start: how many run together, and how many there
  // are.
  std::uint64_t resident = 0, blocks = 0;
};

class Observer {
 public:
  virtual ~Observer() = default;

  // Which events this observer wants; the executor sends no others.
  enum Interest : std::uint32_t {
    runs = 1,
    guards = 2,
    branches = 4,
    accesses = 8,
    faults = 16,
    barriers = 32,
    warp_syncs = 64,
    fences = 128,
    blocks = 256,
    stops = 512,
    asyncs = 1024,
    exits = 2048,
    steps = 4096,
    texels = 8192,
    texel_faults = 16384,
  };
  virtual std::uint32_t interests() const = 0;

  virtual std::unique_ptr<Observer> fork() const = 0;  // an empty one for another worker
  virtual void join(Observer& other) = 0;              // takes over what a fork has seen

  virtual void launch_begins(const LaunchInfo&) {}
  virtual void launch_ends(const LaunchInfo&) {}
  virtual void block_begins(std::uint64_t /*block*/) {}
  virtual void block_ends(std::uint64_t /*block*/) {}

  virtual void ran(const Run&) {}
  // A guarded instruction (not a branch): `executed` lanes passed the guard.
  virtual void guarded(const Where&, Mask /*executed*/) {}
  virtual void branched(const Branch&) {}
  virtual void accessed(const Access&) {}
  virtual void faulted(const Fault&) {}
  virtual void touched(const TexelAccess&) {}
  virtual void misused(const TexelFault&) {}
  virtual void arrived(const Barrier&) {}
  virtual void released(std::uint64_t /*block*/, std::uint32_t /*barrier id*/) {}
  virtual void synced(const WarpSync&) {}
  virtual void fenced(const Where&, ptx::Scope) {}
  virtual void stopped(const Stop&) {}
  virtual void grouped(const AsyncGroup&) {}
  virtual void exited(const Where&) {}  // its active lanes leave the kernel
  virtual void stepped(const Stepped&) {}

  bool follows = false;  // an observer with interest in steps wants them now
};

}  // namespace sim::exec
