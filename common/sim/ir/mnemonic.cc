#include "sim/ir/mnemonic.h"

#include "sim/ir/matrix_mnemonic.h"

namespace sim::ir {

namespace {

using ptx::OpcodeClass;

// Sets `target` when the suffix names one of its values.
template <class E>
bool take(E& target, std::string_view suffix) {
  const auto value = ptx::parse_suffix<E>(suffix);
  if (value) target = *value;
  return value.has_value();
}
bool flag(bool& target, std::string_view suffix, std::string_view name) {
  if (suffix != name) return false;
  return target = true;
}

// Where a copy is kept on its way: no effect on results or on what is counted.
bool is_cache_hint(std::string_view s) {
  for (const std::string_view op : {"ca", "cg", "cs", "cv", "lu", "wb", "wt", "L1", "L2"})
    if (s == op) return true;
  return s.starts_with("L1::") || s.starts_with("L2::") || s.starts_with("level::");
}

bool take_type(Instruction& i, std::string_view s) {
  const auto type = ptx::parse_type(s);
  if (!type) return false;
  if (i.type == Type::none)
    i.type = *type;
  else if (i.source_type == Type::none)
    i.source_type = *type;
  else
    return false;
  return true;
}

bool take_vector(Instruction& i, std::string_view s) {
  if (s != "v2" && s != "v4" && s != "v8") return false;
  i.vector = static_cast<std::uint8_t>(s[1] - '0');
  return true;
}

bool take_arithmetic(Modifiers& m, std::string_view s) {
  return take(m.rounding, s) || flag(m.ftz, s, "ftz") || flag(m.saturate, s, "sat") ||
         flag(m.approximate, s, "approx") || flag(m.full_range, s, "full");
}

// One suffix of an instruction, by what its opcode allows.
bool take_suffix(Instruction& i, std::string_view s) {
  Modifiers& m = i.modifiers;
  if (take_type(i, s)) return true;
  switch (i.opcode) {
    case Opcode::set:
    case Opcode::setp: return take(m.compare, s) || take(m.boolean, s) || flag(m.ftz, s, "ftz");
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::mul24:
    case Opcode::mad24:
    case Opcode::madc:
    case Opcode::dp2a:
      return take(m.part, s) || flag(m.carry_out, s, "cc") || take_arithmetic(m, s);
    case Opcode::add:
    case Opcode::sub:
    case Opcode::addc:
    case Opcode::subc: return flag(m.carry_out, s, "cc") || take_arithmetic(m, s);
    case Opcode::min:
    case Opcode::max:
      return flag(m.nan, s, "NaN") || flag(m.relu, s, "relu") || flag(m.xor_sign, s, "xorsign") ||
             flag(m.absolute, s, "abs") || take_arithmetic(m, s);
    case Opcode::fma: return flag(m.relu, s, "relu") || take_arithmetic(m, s);
    case Opcode::cvt:
      return flag(m.relu, s, "relu") || flag(m.finite, s, "satfinite") || take_arithmetic(m, s);
    case Opcode::cvt_pack: return flag(m.saturate, s, "sat") || s == "b32";
    case Opcode::lop3: return take(m.boolean, s);
    case Opcode::shf: return take(m.shift, s) || flag(m.left, s, "l") || s == "r";
    case Opcode::bmsk:
    case Opcode::szext: return take(m.shift, s);
    case Opcode::bfind: return flag(m.shift_amount, s, "shiftamt");
    case Opcode::slct: return flag(m.ftz, s, "ftz");
    case Opcode::prmt: return take(m.permute, s);
    case Opcode::testp: return take(m.test, s);
    case Opcode::cvta: return flag(m.to_space, s, "to") || take(i.space, s);
    case Opcode::isspacep: return take(i.space, s);
    case Opcode::mov: return take_vector(i, s);

    case Opcode::ld:
    case Opcode::ldu:
    case Opcode::st:
      return take(i.space, s) || take(m.semantics, s) || take(m.scope, s) || take_vector(i, s) ||
             (i.opcode == Opcode::ld && flag(m.read_only, s, "nc")) || is_cache_hint(s);
    case Opcode::prefetch:
    case Opcode::prefetchu:
    case Opcode::discard:
    case Opcode::applypriority: return take(i.space, s) || is_cache_hint(s);
    case Opcode::atom:
    case Opcode::red:
      return take(m.atomic, s) || take(i.space, s) || take(m.semantics, s) || take(m.scope, s) ||
             take_vector(i, s) || s == "noftz" || is_cache_hint(s);
    case Opcode::membar:
    case Opcode::fence:
      // Of proxies there is one here: every copy is seen by whom the other fences show it to.
      return take(m.semantics, s) || take(m.scope, s) || s == "proxy" || s == "alias" ||
             s == "async" || s == "mbarrier_init" || take(i.space, s);
    case Opcode::createpolicy:
    case Opcode::createpolicy_range:
    case Opcode::createpolicy_cvt: return take(i.space, s) || is_cache_hint(s);
    case Opcode::griddepcontrol: return s == "wait" || s == "launch_dependents";

    case Opcode::cp_async: return flag(m.bypass, s, "cg") || take(i.space, s) || is_cache_hint(s);
    case Opcode::cp_async_mbarrier_arrive:
      return flag(m.no_increase, s, "noinc") || take(i.space, s);
    case Opcode::mbarrier_init:
    case Opcode::mbarrier_inval:
    case Opcode::mbarrier_expect_tx:
    case Opcode::mbarrier_complete_tx:
    case Opcode::mbarrier_arrive:
    case Opcode::mbarrier_arrive_drop:
    case Opcode::mbarrier_test_wait:
    case Opcode::mbarrier_try_wait:
      return take(i.space, s) || take(m.semantics, s) || take(m.scope, s) ||
             flag(m.parity, s, "parity") || flag(m.expect_tx, s, "expect_tx") ||
             flag(m.no_complete, s, "noComplete");

    case Opcode::bra:
    case Opcode::brx:
    case Opcode::call: return flag(m.uniform, s, "uni");
    case Opcode::ret: return s == "uni";
    case Opcode::pmevent: return s == "mask";
    case Opcode::bar:
    case Opcode::bar_arrive: return flag(m.sync, s, "sync") || s == "aligned";
    case Opcode::bar_red: return take(m.boolean, s) || s == "popc" || s == "aligned";
    case Opcode::bar_warp_sync: return flag(m.sync, s, "sync");

    case Opcode::shfl: return flag(m.sync, s, "sync") || take(m.shuffle, s);
    case Opcode::vote:
    case Opcode::match: return flag(m.sync, s, "sync") || take(m.vote, s);
    case Opcode::redux: return flag(m.sync, s, "sync") || take(m.atomic, s);
    case Opcode::elect: return flag(m.sync, s, "sync");

    case Opcode::tex: return take(m.mip, s) || take(m.geometry, s) || take_vector(i, s);
    case Opcode::tld4: return take(m.channel, s) || take(m.geometry, s) || take_vector(i, s);
    case Opcode::txq:
    case Opcode::suq: return take(m.query, s);
    case Opcode::suld:
    case Opcode::sust:
      return s == "b" || flag(m.formatted, s, "p") || take(m.geometry, s) || take(m.boundary, s) ||
             take_vector(i, s) || is_cache_hint(s);
    case Opcode::sured:
      return s == "b" || flag(m.formatted, s, "p") || take(m.atomic, s) || take(m.geometry, s) ||
             take(m.boundary, s);
    default: break;
  }
  switch (info(i.opcode).klass) {
    case OpcodeClass::arithmetic:
    case OpcodeClass::floating: return take_arithmetic(m, s);
    default: return false;
  }
}

}  // namespace

Mnemonic parse_mnemonic(std::string_view text) {
  Mnemonic result;
  const auto match = ptx::match_opcode(text);
  if (!match) {
    result.instruction.opcode = Opcode::trap;
    result.unknown = std::string(text);
    return result;
  }
  Instruction& i = result.instruction;
  i.opcode = match->opcode;
  bool known = info(i.opcode).implemented;
  const OpcodeClass klass = info(i.opcode).klass;
  if (known && (klass == OpcodeClass::matrix || klass == OpcodeClass::video)) {
    const std::string_view suffixes = text.substr(match->length);
    known = klass == OpcodeClass::matrix ? parse_matrix_suffixes(i, suffixes)
                                         : parse_video_suffixes(i, suffixes);
    if (!known) result.unknown = std::string(text);
    return result;
  }
  for (std::size_t at = match->length; known && at < text.size();) {
    std::size_t end = std::min(text.find('.', at + 1), text.size());
    const std::string_view suffix = text.substr(at + 1, end - at - 1);
    if (suffix == "L2::cache_hint") result.has_cache_hint = true;
    known = take_suffix(i, suffix);
    at = end;
  }
  if (!known) result.unknown = std::string(text);
  return result;
}

unsigned result_bytes(const Instruction& i, std::size_t k, std::size_t n) {
  const unsigned type = ptx::bytes_of(i.type);
  switch (i.opcode) {
    case Opcode::setp:
    case Opcode::isspacep:
    case Opcode::testp:
    case Opcode::mbarrier_test_wait:
    case Opcode::mbarrier_try_wait: return 0;
    case Opcode::mul:
    case Opcode::mad: return i.modifiers.part == ptx::MulPart::wide ? 2 * type : type;
    case Opcode::popc:
    case Opcode::clz:
    case Opcode::bfind:
    case Opcode::fns:
    case Opcode::mbarrier_pending_count: return 4;
    case Opcode::shfl:
    case Opcode::lop3:
    case Opcode::elect:
    case Opcode::match: return k == 0 ? 4 : 0;
    case Opcode::mov: return i.vector > 1 ? type : static_cast<unsigned>(type / n);
    case Opcode::cvt_pack: return 4;
    default: break;
  }
  switch (info(i.opcode).klass) {
    case OpcodeClass::matrix: return i.type == Type::f64 ? 8 : 4;
    case OpcodeClass::video: return 4;
    default: return type;
  }
}

unsigned source_bytes(const Instruction& i, std::size_t k, std::size_t n) {
  const unsigned type = ptx::bytes_of(i.type);
  const unsigned second = ptx::bytes_of(i.source_type);
  switch (i.opcode) {
    case Opcode::mad: return i.modifiers.part == ptx::MulPart::wide && k == 2 ? 2 * type : type;
    case Opcode::dp4a:
    case Opcode::dp2a:
    case Opcode::bar:
    case Opcode::bar_arrive:
    case Opcode::bar_warp_sync:
    case Opcode::prmt:
    case Opcode::nanosleep:
    case Opcode::pmevent:
    case Opcode::brx:
    case Opcode::elect:
    case Opcode::discard:
    case Opcode::applypriority:
    case Opcode::fns:
    case Opcode::bmsk:
    case Opcode::szext:
    case Opcode::shf:
    case Opcode::cp_async:
    case Opcode::cp_async_wait_group:
    case Opcode::mbarrier_init:
    case Opcode::mbarrier_expect_tx:
    case Opcode::mbarrier_complete_tx:
    case Opcode::mbarrier_arrive:
    case Opcode::mbarrier_arrive_drop: return 4;
    case Opcode::mbarrier_test_wait:
    case Opcode::mbarrier_try_wait: return k == 1 || i.modifiers.parity ? 4 : 8;
    case Opcode::shl:
    case Opcode::shr: return k == 1 ? 4 : type;
    case Opcode::bfe: return k >= 1 ? 4 : type;
    case Opcode::bfi: return k >= 2 ? 4 : type;
    case Opcode::shfl:
    case Opcode::match:
    case Opcode::redux: return k >= 1 ? 4 : type;
    case Opcode::vote: return k == 0 ? 0 : 4;
    case Opcode::lop3: return k == 4 ? 0 : 4;
    case Opcode::setp: return k == 2 ? 0 : type;
    case Opcode::set: return k == 2 ? 0 : second;
    case Opcode::selp: return k == 2 ? 0 : type;
    case Opcode::slct: return k == 2 ? second : type;
    case Opcode::cvt: return second;
    case Opcode::bar_red: return k + 1 == n ? 0 : 4;
    case Opcode::isspacep: return 8;
    case Opcode::mov: return static_cast<unsigned>(type / n);
    case Opcode::cvt_pack:
    case Opcode::createpolicy:
    case Opcode::createpolicy_range: return 4;
    case Opcode::wmma_load: return 4;  // the stride
    case Opcode::wmma_store:
      return type == 8 && k < fragment_registers(i, 'd') ? 8 : 4;  // and the stride
    default: break;
  }
  switch (info(i.opcode).klass) {
    case OpcodeClass::matrix: return i.matrix.a == Type::f64 ? 8 : 4;
    case OpcodeClass::video: return 4;
    default: return type;
  }
}

bool may_be_wider(Opcode opcode) {
  return opcode == Opcode::ld || opcode == Opcode::ldu || opcode == Opcode::st ||
         opcode == Opcode::cvt || opcode == Opcode::suld || opcode == Opcode::sust;
}

}  // namespace sim::ir
