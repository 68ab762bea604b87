// The decoded program: what the executor runs.
//
// The PTX front end (ptx/) reads text; ir/decode.cc turns it into this form once per module, so
// that nothing here needs a name look-up while a kernel runs. Registers are byte offsets into a
// frame of 32-lane arrays, labels are instruction indices, and every branch knows the instruction
// at which its lanes meet again (the immediate post-dominator of its block).
//
// A register of B bytes occupies 32 * B bytes: lane l's value is element l of an array. A
// predicate is one 32-bit mask: bit l is lane l's value.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/ptx/opcodes.h"
#include "sim/ptx/types.h"

namespace sim::ir {

using ptx::Opcode;
using ptx::Space;
using ptx::Type;

// ---- Where in the source ------------------------------------------------------------------------

// One line of CUDA source. `inlined_at` is the index of the call site in Module::locations, -1 at
// the outermost. Line 0 never appears: the decoder replaces nvcc's "no line" by the last real one.
struct Location {
  std::int32_t file = -1;  // index into Module::files; -1 when compiled without -lineinfo
  std::int32_t line = 0;
  std::int32_t column = 0;
  std::int32_t inlined_at = -1;
};

// ---- Operands -----------------------------------------------------------------------------------

// The array an operand lives in. Constants (immediates and addresses of variables) and special
// registers are 32-lane arrays like any register, so that an instruction needs one code path.
enum class Bank : std::uint8_t { none, frame, constant, special };

enum class Special : std::uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  dynamic_smem_size,
  total_smem_size,
  envreg1,
  envreg2,
  // These change while a kernel runs; the executor computes them where they are read.
  clock,
  clock_hi,
  clock64,
  globaltimer,
  globaltimer_lo,
  globaltimer_hi,
  count,
};

struct Operand {
  Bank bank = Bank::none;
  std::uint8_t bytes = 0;  // of one lane: 1, 2, 4, 8, 16; 0 for a predicate
  bool negated = false;    // predicate read as !p
  bool sink = false;       // the destination `_`: the value is dropped
  std::uint32_t offset =
      0;  // bytes into the bank's lane arrays; the Special's number for `special`

  bool present() const { return bank != Bank::none; }
};

// A value of the constant bank. With a symbol, the value is the address of a module variable plus
// `bits`; the runtime fills it in when it loads the module.
struct Constant {
  std::uint64_t bits = 0;
  std::uint8_t bytes = 0;
  std::uint32_t offset = 0;    // where its 32-lane array starts in the constant bank
  std::int32_t variable = -1;  // index into Module::variables, or -1
  std::int32_t function = -1;  // index into Module::functions (address of a function), or -1
  bool local = false;  // `bits` is an offset into the activation's .local memory; the executor adds
                       // where that starts
};

// ---- Instructions -------------------------------------------------------------------------------

// Every modifier that PTX can attach, by its name in the ISA. Unused ones keep their defaults.
struct Modifiers {
  ptx::Rounding rounding = ptx::Rounding::none;
  ptx::Compare compare = ptx::Compare::none;
  ptx::Boolean boolean = ptx::Boolean::none;   // setp.and/or/xor; vote and red modes have their own
  ptx::MulPart part = ptx::MulPart::none;      // mul/mad: lo, hi, wide
  ptx::AtomicOp atomic = ptx::AtomicOp::none;  // atom, red, redux
  ptx::ShuffleMode shuffle = ptx::ShuffleMode::none;
  ptx::VoteMode vote = ptx::VoteMode::none;         // vote: all any uni ballot; match: all any
  ptx::Semantics semantics = ptx::Semantics::none;  // volatile relaxed acquire release …
  ptx::Scope scope = ptx::Scope::none;
  ptx::ShiftMode shift = ptx::ShiftMode::none;  // shf.wrap/clamp
  ptx::PermuteMode permute = ptx::PermuteMode::none;
  ptx::TestProperty test = ptx::TestProperty::none;
  ptx::Geometry geometry = ptx::Geometry::none;  // tex, suld …
  ptx::Mip mip = ptx::Mip::none;
  ptx::Channel channel = ptx::Channel::none;  // tld4
  ptx::Boundary boundary = ptx::Boundary::none;
  ptx::ImageQuery query = ptx::ImageQuery::none;
  bool ftz = false;
  bool saturate = false;      // .sat
  bool approximate = false;   // .approx
  bool full_range = false;    // .full
  bool uniform = false;       // bra.uni, call.uni
  bool sync = false;          // shfl/vote/match .sync
  bool carry_out = false;     // .cc
  bool nan = false;           // min/max .NaN
  bool absolute = false;      // .abs / .xorsign and the like, on min/max
  bool to_space = false;      // cvta.to
  bool warp = false;          // bar.warp
  bool shift_amount = false;  // bfind.shiftamt
  bool left = false;          // shf.l (false: shf.r)
  bool relu = false;          // fma.relu, cvt.relu
  bool bypass = false;        // cp.async.cg: not through the L1 cache
  bool read_only = false;     // ld.nc: through the cache for data that nobody changes
  bool parity = false;        // mbarrier.test_wait.parity
  bool expect_tx = false;     // mbarrier.arrive.expect_tx
  bool no_complete = false;   // mbarrier.arrive.noComplete
  bool no_increase = false;   // cp.async.mbarrier.arrive.noinc
  bool xor_sign = false;      // min/max.xorsign
  bool finite = false;        // cvt.satfinite: the largest number instead of infinity
  bool plus_one = false;      // vmad.po
  std::uint8_t scale = 0;     // vmad.shr7, .shr15
  bool formatted = false;     // sust.p, sured.p
};

// A memory operand: address = base (a register, or absent) + displacement. The displacement of a
// .shared or .param symbol is already its offset in that space; a .global, .const or .local symbol
// appears as a constant operand in `base` (Constant::variable, Constant::local).
struct Address {
  Operand base;
  std::int64_t displacement = 0;
};

// What a matrix instruction says about its matrices: A (m x k), B (k x n), C and D (m x n).
struct Matrix {
  std::uint16_t m = 0, n = 0, k = 0;
  Type d = Type::none, a = Type::none, b = Type::none, c = Type::none;
  char fragment = 0;       // wmma.load, wmma.store: 'a' 'b' 'c' 'd'
  bool a_columns = false;  // A (or what is loaded) column by column in memory
  bool b_columns = false;  // B
  bool bits_and = false;   // b1: popc(a & b), not popc(a ^ b)
  bool saturate = false;   // satfinite
  bool transpose = false;  // ldmatrix.trans
  std::uint8_t count = 1;  // ldmatrix.x1 .x2 .x4
};

// Which bytes or halves of a register a video instruction means: %r1.b2, %r1.h10.
struct Selector {
  std::uint8_t unit = 0;               // bytes of a part; 0: the whole register
  std::uint8_t count = 0;              // parts
  std::array<std::uint8_t, 4> part{};  // from the low end
  bool negated = false;                // vmad: -a
};

struct Instruction {
  Opcode opcode{};
  Type type = Type::none;         // the instruction's (destination) type
  Type source_type = Type::none;  // second type of cvt, set, tex …
  Space space = Space::generic;   // of ld, st, atom, red, cvta …
  std::uint8_t vector = 1;        // elements of ld/st .v2 .v4 .v8
  bool return_value_used = true;  // atom with sink destination → false
  Modifiers modifiers;

  Operand guard;                     // @p / @!p, absent when unconditional
  std::span<const Operand> results;  // d; d|p; the elements of a vector
  std::span<const Operand> sources;  // in the ISA's order, without the address
  Address address;  // ld, st, atom, red, prefetch …; the handle of a texture or surface is its base
  Address destination;               // cp.async: in shared memory
  Type third_type = Type::none;      // video instructions: of b
  std::array<Selector, 4> selector;  // video instructions: of d, a, b, c
  Matrix matrix;

  std::int32_t target = -1;         // bra: instruction index
  std::int32_t reconvergence = -1;  // divergent branch: where the lanes meet; -1: at exit/return
  std::int32_t callee = -1;         // call: index into Module::functions; -1 for an indirect call
  std::int32_t table = -1;          // brx: index into Function::jump_tables; call: see call_sites
  std::int32_t location = -1;       // index into Module::locations
  std::int32_t ptx_line = 0;        // line in the PTX text, for messages about the PTX itself
};

// Arguments and results of one `call`: byte ranges of the caller's and callee's parameter areas.
struct CallSite {
  struct Range {
    std::uint32_t caller_offset = 0, callee_offset = 0, bytes = 0;
  };
  std::vector<Range> arguments;  // copied caller → callee
  std::vector<Range> results;    // copied callee → caller
};

// ---- Functions and modules ----------------------------------------------------------------------

struct Parameter {
  std::string name;
  std::uint32_t offset = 0, bytes = 0, alignment = 0;  // in the parameter area
};

// A natural loop, for messages ("the loop at line 12") and for lanes that poll memory.
struct Loop {
  std::int32_t header = 0;           // instruction index of its first instruction
  std::int32_t first = 0, last = 0;  // the smallest index range that contains it, inclusive
  bool polls = false;  // reads memory that others may change (atomic, volatile, acquire, relaxed)
};

struct SharedVariable {
  std::string name;
  std::uint32_t offset = 0, bytes = 0;
};

struct Function {
  std::string name;  // as in PTX (mangled)
  bool is_entry = false;
  bool is_external = false;  // vprintf, malloc, free, __assertfail …: the executor supplies it
  std::vector<Parameter> parameters;
  std::vector<Parameter> results;  // device functions: where the return value lies in the area
  // Bytes of one lane's parameter area in this function's frame: own formals, own results, and the
  // call-sequence .param variables of the calls it makes. Kernels: the launch parameters alone,
  // shared by all lanes at offsets [0, parameter_bytes); call-sequence variables follow, per lane.
  std::uint32_t parameter_bytes = 0;
  std::uint32_t area_bytes = 0;

  std::uint32_t frame_bytes = 0;     // register file of one activation (32-lane arrays)
  std::uint32_t constant_bytes = 0;  // constant bank (32-lane arrays)
  std::uint32_t local_bytes = 0;     // .local per thread
  std::uint32_t shared_bytes = 0;    // static .shared (own and module-scope ones it can reach)
  std::uint32_t shared_alignment = 16;
  std::vector<SharedVariable> shared_variables;

  std::array<std::uint32_t, 3> max_threads{0, 0, 0};       // .maxntid
  std::array<std::uint32_t, 3> required_threads{0, 0, 0};  // .reqntid
  std::uint32_t min_blocks_per_sm = 0;                     // .minnctapersm

  std::vector<Operand> operands;  // storage behind every Instruction's spans
  std::vector<Constant> constants;
  std::vector<Instruction> code;
  std::vector<std::int32_t> block_starts;  // basic blocks' first instructions, ascending
  std::vector<Loop> loops;                 // innermost last
  std::vector<std::vector<std::int32_t>> jump_tables;
  std::vector<CallSite> call_sites;
  std::int32_t first_location = -1;  // the function's own .loc

  // Features this function uses that are not simulated, each with the location of its first use;
  // not empty → a launch of any kernel that can reach the function is refused with this text.
  struct Refusal {
    std::string what;
    std::int32_t location = -1;
  };
  std::vector<Refusal> refusals;
};

struct Variable {
  std::string name;
  Space space = Space::global;  // global or constant
  std::uint64_t bytes = 0;
  std::uint32_t alignment = 1;
  bool is_managed = false;
  bool is_external = false;
  std::vector<std::byte> initial;  // empty: zero
  struct Relocation {              // an initialiser that holds an address
    std::uint64_t offset = 0;
    std::int32_t variable = -1;
    std::int32_t function = -1;
    std::int64_t addend = 0;
  };
  std::vector<Relocation> relocations;
};

struct Module {
  std::uint32_t target = 0;  // 80 for sm_80
  std::vector<std::string> files;
  std::vector<Location> locations;
  std::vector<Variable> variables;
  std::vector<Function> functions;

  int find_function(std::string_view name) const;  // -1 when absent
  int find_variable(std::string_view name) const;
};

}  // namespace sim::ir
