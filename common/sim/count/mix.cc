#include "sim/count/mix.h"

namespace sim::count {

namespace {

using ptx::Opcode;
using ptx::OpcodeClass;
using ptx::Type;

bool is_half(Type t) {
  return t == Type::f16 || t == Type::f16x2 || t == Type::bf16 || t == Type::bf16x2;
}

// Arithmetic and comparison, by the type they work on.
Counter by_type(Type t) {
  if (is_half(t)) return Counter::mix_fp16;
  if (t == Type::f64) return Counter::mix_fp64;
  if (ptx::is_float(t)) return Counter::mix_fp32;
  return Counter::mix_integer;
}

}  // namespace

Counter mix_of(const ir::Instruction& i) {
  switch (i.opcode) {
    case Opcode::cvt:
    case Opcode::cvt_pack: return Counter::mix_conversion;
    case Opcode::prmt: return Counter::mix_bit;
    case Opcode::selp:
    case Opcode::slct:
    case Opcode::membar:
    case Opcode::fence: return Counter::mix_misc;
    case Opcode::bar_warp_sync: return Counter::mix_inter_thread_communication;
    case Opcode::nanosleep:
    case Opcode::pmevent: return Counter::mix_misc;
    case Opcode::set: return by_type(i.source_type);
    default: break;
  }
  switch (ptx::info(i.opcode).klass) {
    case OpcodeClass::arithmetic:
    case OpcodeClass::floating:
    case OpcodeClass::compare: return by_type(i.type);
    case OpcodeClass::bits: return Counter::mix_bit;
    case OpcodeClass::memory:
      return i.space == ptx::Space::parameter ? Counter::mix_misc : Counter::mix_memory;
    case OpcodeClass::async:
    case OpcodeClass::texture: return Counter::mix_memory;
    case OpcodeClass::control: return Counter::mix_control;
    case OpcodeClass::warp: return Counter::mix_inter_thread_communication;
    case OpcodeClass::video: return Counter::mix_integer;
    case OpcodeClass::matrix:
    case OpcodeClass::move:
    case OpcodeClass::barrier: return Counter::mix_misc;
  }
  return Counter::mix_misc;
}

bool arithmetic_of(const ir::Instruction& i, Counter& counter) {
  if (!ptx::is_float(i.type)) return false;
  const bool half = is_half(i.type), wide = i.type == Type::f64;
  switch (i.opcode) {
    case Opcode::add:
    case Opcode::sub:
      counter = half ? Counter::hadd : wide ? Counter::dadd : Counter::fadd;
      return true;
    case Opcode::mul:
      counter = half ? Counter::hmul : wide ? Counter::dmul : Counter::fmul;
      return true;
    case Opcode::fma:
    case Opcode::mad:
      counter = half ? Counter::hfma : wide ? Counter::dfma : Counter::ffma;
      return true;
    default: return false;
  }
}

std::uint64_t tensor_instructions(const ir::Instruction& i, Counter& counter) {
  const ir::Matrix& m = i.matrix;
  counter = Counter::tensor_inst_hmma;
  std::uint64_t count = 1;
  switch (m.a) {
    case Type::f64: counter = Counter::tensor_inst_dmma; break;
    case Type::f16:
      // The oldest shape is not done by tensor cores any more.
      if (i.opcode == Opcode::mma && m.m == 8 && m.k == 4) return 0;
      break;
    case Type::bf16: break;
    case Type::tf32: count = i.opcode == Opcode::wmma_mma ? 2 : 1; break;
    // Numbers that no tensor core of this generation multiplies: ptxas takes them apart.
    case Type::e4m3:
    case Type::e5m2: count = 2; break;
    case Type::s4:
    case Type::u4:
      counter = Counter::tensor_inst_imma;
      count = 2;
      break;
    case Type::b1:
      counter = Counter::tensor_inst_imma;
      count = m.bits_and ? 1 : 2;
      break;
    default: counter = Counter::tensor_inst_imma; break;
  }
  // A wmma is made of products of 16 x 8 (or one of 8 x 8).
  if (i.opcode == Opcode::wmma_mma && m.m * m.n > 64) count *= m.m * m.n / 128u;
  return count;
}

}  // namespace sim::count
