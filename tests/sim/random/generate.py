"""Random CUDA kernels that have one right answer.

    generate.py FIRST COUNT > kernels.cu

A kernel is made from its number alone. It mixes arithmetic of all types, divergence, loops, switches,
calls, local and shared memory, barriers, shuffles, votes and atomics, and every thread writes what
it computed. By construction nothing in it depends on an order or on chance:

- integers that may overflow are unsigned, divisors are odd, shift counts are in range;
- floating point uses operations that are rounded once (no approximations, no contraction);
- a thread reads another's words only on the other side of a barrier, and atomics commute, with
  their results unused;
- a barrier stands only where the whole block comes by, a warp-wide exchange only where its mask is
  true, and a shuffle reads only from a lane of the mask.

So the simulated GPU and a real one must agree in every bit. drive.cuh runs the kernels.
"""

import sys

UNSIGNED, WIDE, FLOAT, DOUBLE = "u", "w", "f", "d"
TYPES = {UNSIGNED: "unsigned", WIDE: "unsigned long long", FLOAT: "float", DOUBLE: "double"}
VARIABLES = {UNSIGNED: 5, WIDE: 2, FLOAT: 3, DOUBLE: 2}

# What may stand in an expression: a template over typed operands, by the type of its result.
# {u} {w} {f} {d} are operands, {k} is a small literal.
OPERATIONS = {
    UNSIGNED: [
        "({u} + {u})", "({u} - {u})", "({u} * {u})", "({u} & {u})", "({u} | {u})", "({u} ^ {u})",
        "(~{u})", "(0u - {u})", "({u} << ({u} & 31))", "({u} >> ({u} & 31))",
        "(unsigned)((int){u} >> ({u} & 31))", "({u} / ({u} | 1u))", "({u} % ({u} | 1u))",
        "(unsigned)((int)({u} >> 1) / (int)(({u} >> 2) | 1))",
        "(unsigned)((int)({u} >> 3) % -(int)(({u} >> 5) | 1))",
        "min({u}, {u})", "max({u}, {u})", "(unsigned)min((int){u}, (int){u})",
        "(unsigned)max((int){u}, (int){u})", "({u} < {u} ? {u} : {u})", "((int){u} >= (int){u} ? {u} : {u})",
        "(unsigned)({w} == {w})", "(unsigned)({f} < {f})", "(unsigned)({d} >= {d})",
        "(unsigned)__popc({u})", "(unsigned)__clz((int){u})", "__brev({u})", "(unsigned)__ffs((int){u})",
        "__byte_perm({u}, {u}, {u})", "__funnelshift_l({u}, {u}, {u})", "__funnelshift_rc({u}, {u}, {u})",
        "__umulhi({u}, {u})", "(unsigned)__mulhi((int){u}, (int){u})", "__umul24({u}, {u})",
        "(unsigned)__mul24((int){u}, (int){u})", "__usad({u}, {u}, {u})", "__uhadd({u}, {u})",
        "(unsigned)__dp4a((int){u}, (int){u}, (int){u})", "__dp4a({u}, {u}, {u})", "__dp2a_lo({u}, {u}, {u})",
        "(unsigned)__popcll({w})", "(unsigned)__clzll((long long){w})", "(unsigned){w}", "(unsigned)({w} >> 32)",
        "(unsigned)(unsigned short){u}", "(unsigned)(signed char){u}", "(unsigned)(short){u}",
        "__vadd2({u}, {u})", "__vsub4({u}, {u})", "__vabsdiffu4({u}, {u})", "__vmaxs2({u}, {u})",
        "__vminu4({u}, {u})", "__vcmpgtu4({u}, {u})", "__vavgu2({u}, {u})", "__vaddss2({u}, {u})", "__vsadu4({u}, {u})",
        "half_add({u}, {u})", "half_mul({u}, {u})", "half_fma({u}, {u}, {u})", "bfloat_fma({u}, {u}, {u})",
        "bfloat_mul({u}, {u})", "half_max({u}, {u})", "half_less({u}, {u})", "half_of({f})", "bfloat_of({f})",
        "__float_as_uint({f})", "__float2uint_rz({f})", "(unsigned)__float2int_rn({f})",
        "__double2uint_ru({d})", "(unsigned)__double2int_rd({d})", "(unsigned)__double2hiint({d})",
        "(unsigned)isnan({f})", "(unsigned)(signbit({d}) != 0)", "mix({u}, {u})",
        "operations[{u} & 3]({u}, {u})", "scratch[{u} & 7]", "half_sub({u}, {u})", "half_add_sat({u}, {u})",
        "half_min({u}, {u})", "half_abs({u})", "half_equal({u}, {u})", "bfloat_add({u}, {u})", "bfloat_max({u}, {u})",
        "whole_half({u})", "(unsigned)__ffsll((long long){w})", "__sad((int){u}, (int){u}, {u})", "__dp2a_hi({u}, {u}, {u})",
        "(unsigned)__rhadd((int){u}, (int){u})", "__vabs2({u})", "__vsubus4({u}, {u})", "__vsetltu4({u}, {u})",
        "__vcmples2({u}, {u})", "(unsigned)bytes[{u} & 15]", "(unsigned)({w} < {w})", "jumped({u}, {u})",
    ],
    WIDE: [
        "({w} + {w})", "({w} - {w})", "({w} * {w})", "({w} & {w})", "({w} | {w})", "({w} ^ {w})", "(~{w})",
        "({w} << ({u} & 63))", "({w} >> ({u} & 63))", "(unsigned long long)((long long){w} >> ({u} & 63))",
        "({w} / ({w} | 1ull))", "({w} % ({w} | 1ull))", "min({w}, {w})",
        "(unsigned long long)max((long long){w}, (long long){w})", "({u} < {u} ? {w} : {w})",
        "__umul64hi({w}, {w})", "(unsigned long long)__mul64hi((long long){w}, (long long){w})", "__brevll({w})",
        "((unsigned long long){u} << 32 | {u})", "((unsigned long long){u} * {u})",
        "(unsigned long long)((long long)(int){u} * (int){u})", "(unsigned long long)(long long)(int){u}",
        "(unsigned long long)__double_as_longlong({d})", "__double2ull_rz({d})", "__float2ull_rn({f})",
        "(unsigned long long)__float2ll_rd({f})", "wide_high({w}, {w})", "half_sum({w}, {w})", "pile[{u} & 3]",
        "({w} << {k} | {w} >> (64 - {k}))", "(unsigned long long)((long long)({w} >> 1) / (long long)({w} >> 2 | 1))",
        "(unsigned long long)((long long)({w} >> 1) % -(long long)({w} >> 3 | 1))", "max({w}, {w})",
        "({w} > {w} ? {w} : {w})",
    ],
    FLOAT: [
        "__fadd_rn({f}, {f})", "__fsub_rn({f}, {f})", "__fmul_rn({f}, {f})", "__fmaf_rn({f}, {f}, {f})",
        "__fadd_rz({f}, {f})", "__fmul_ru({f}, {f})", "__fmaf_rd({f}, {f}, {f})", "__fdiv_rn({f}, {f})",
        "__fsqrt_rn({f})", "__frcp_rn({f})", "__fdiv_rz({f}, {f})", "__fsqrt_ru({f})", "fminf({f}, {f})",
        "fmaxf({f}, {f})", "fabsf({f})", "(-{f})", "floorf({f})", "ceilf({f})", "truncf({f})", "rintf({f})",
        "copysignf({f}, {f})", "({f} > {f} ? {f} : {f})", "__uint_as_float({u})", "__uint2float_rn({u})",
        "__int2float_rz((int){u})", "__ull2float_rn({w})", "__ll2float_ru((long long){w})", "__double2float_rn({d})",
        "__double2float_rz({d})", "__saturatef({f})", "low_half({u})", "high_half({u})", "low_bfloat({u})", "fmodf({f}, 1.75f)",
    ],
    DOUBLE: [
        "one_nan(__dadd_rn({d}, {d}))", "one_nan(__dsub_rn({d}, {d}))", "one_nan(__dmul_rn({d}, {d}))",
        "one_nan(__fma_rn({d}, {d}, {d}))", "one_nan(__dadd_ru({d}, {d}))", "one_nan(__dmul_rz({d}, {d}))",
        "one_nan(__fma_rd({d}, {d}, {d}))", "one_nan(__ddiv_rn({d}, {d}))", "__dsqrt_rn({d})", "one_nan(fmin({d}, {d}))",
        "one_nan(fmax({d}, {d}))", "fabs({d})", "(-{d})", "floor({d})", "rint({d})",
        "({u} < {u} ? {d} : {d})", "(double){f}", "__uint2double_rn({u})", "__ull2double_rd({w})",
        "__ll2double_rn((long long){w})", "__longlong_as_double((long long){w})", "__hiloint2double((int){u}, (int){u})",
    ],
}
# Across a warp. {m} is the mask, {s} a lane of it.
EXCHANGES = [
    "{u} = __shfl_sync({m}, {U}, {s});", "{w} = __shfl_sync({m}, {W}, {s});", "{f} = __shfl_sync({m}, {F}, {s});",
    "{u} = __ballot_sync({m}, {U} & 1);", "{u} += __any_sync({m}, {U} & 6);", "{u} ^= __all_sync({m}, {U} | 1);",
    "{u} = __match_any_sync({m}, {U} & 3);", "{u} = __reduce_add_sync({m}, {U});",
    "{u} = (unsigned)__reduce_max_sync({m}, (int){U});", "{u} ^= __reduce_xor_sync({m}, {U});",
    "{u} = __reduce_min_sync({m}, {U});", "{u} += __reduce_or_sync({m}, {U} & 0x81);", "{u} ^= __reduce_and_sync({m}, {U});",
    "{u} = __match_any_sync({m}, {W} & 1);", "{u} = (unsigned)__reduce_min_sync({m}, (int){U});",
    "{d} = __shfl_sync({m}, {D}, {s});",
    "{{ int same; {u} += __match_all_sync({m}, {U} & 1, &same) + same; }}",
]
# Shuffles that need all lanes of the warp.
FULL_EXCHANGES = [
    "{u} = __shfl_xor_sync(~0u, {U}, {k});", "{f} = __shfl_xor_sync(~0u, {F}, 16);",
    "{u} = __shfl_up_sync(~0u, {U}, {k});", "{w} = __shfl_down_sync(~0u, {W}, {k});",
    "{d} = __shfl_sync(~0u, {D}, {k}, 8);", "{u} = __shfl_down_sync(~0u, {U}, 3, 16);",
]
ATOMICS = ["atomicAdd(&{cell}, {value});", "atomicSub(&{cell}, {value});", "atomicXor(&{cell}, {value});",
           "atomicMax(&{cell}, {value});", "atomicOr(&{cell}, {value} & 0x10101u);", "atomicInc(&{cell}, 6);"]
WIDE_ATOMICS = ["atomicAdd(&{cell}, {value});", "atomicMax(&{cell}, {value});", "atomicAnd(&{cell}, {value});"]


class Dice:
    """Random choices that depend on the number alone, not on the version of Python (SplitMix64)."""

    def __init__(self, number):
        self.state = number

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        return z ^ z >> 31

    def below(self, n):
        return self.bits() % n

    def between(self, low, high):
        return low + self.below(high - low + 1)

    def chance(self, percent):
        return self.below(100) < percent

    def choice(self, things):
        return things[self.below(len(things))]

    def weighted(self, choices):
        """One of (weight, thing)."""
        at = self.below(sum(weight for weight, _ in choices))
        for weight, thing in choices:
            if at < weight:
                return thing
            at -= weight

    def some(self, things, n):
        """n of them, in random order."""
        left = list(things)
        return [left.pop(self.below(len(left))) for _ in range(n)]


class Kernel:
    """One kernel, from one number."""

    def __init__(self, number):
        self.number = number
        self.dice = Dice(number)
        self.threads = self.dice.choice([32, 64, 96, 128])
        self.lines = []
        self.loops = 0
        self.budget = self.dice.between(14, 30)  # statements

    # ---- Expressions ----

    def literal(self, kind):
        r = self.dice
        if kind == UNSIGNED:
            return r.choice(["0u", "1u", "~0u", "0x80000000u", "0x7fffffffu", f"{r.below(2**32)}u", f"{r.between(0, 40)}u"])
        if kind == WIDE:
            return r.choice(["0ull", "~0ull", "1ull << 63", f"{r.bits()}ull", f"{r.between(0, 99)}ull"]).join("()")
        if kind == FLOAT:
            return r.choice(["0.0f", "-0.0f", "1.0f", "-1.5f", "3.4e38f", "1e-40f", "0.1f", f"{r.between(-99000, 99000) / 1000:.3f}f"]).join("()")
        return r.choice(["0.0", "-1.0", "1e300", "4.9e-324", "0.3", f"{r.between(-9000, 9000) / 1000:.3f}"]).join("()")

    def expression(self, kind, depth):
        r = self.dice
        if depth == 0:
            return self.literal(kind) if r.chance(20) else self.variable(kind)
        return self.fill(r.choice(OPERATIONS[kind]), depth - 1 if r.chance(80) else 0)

    def fill(self, template, depth):
        """The template with its operands: lower case for an operand of an expression."""
        out, i = "", 0
        while i < len(template):
            if template[i] == "{" and template[i + 2] == "}":
                letter = template[i + 1]
                out += str(self.dice.between(1, 7)) if letter == "k" else self.expression(letter, depth)
                i += 3
            else:
                out += template[i]
                i += 1
        return out

    def variable(self, kind):
        return f"{kind}{self.dice.below(VARIABLES[kind])}"

    def condition(self):
        kind = self.dice.choice([UNSIGNED, UNSIGNED, UNSIGNED, WIDE, FLOAT, DOUBLE])
        a = self.expression(kind, 1)
        if kind == UNSIGNED and self.dice.chance(50):
            return self.dice.choice([f"(lane & {1 << self.dice.below(5)})", f"lane < {self.dice.between(1, 31)}",
                                       f"({a} & {self.dice.choice([1, 3, 16])})"])
        return f"{a} {self.dice.choice(['<', '>=', '==', '!='])} {self.expression(kind, 1)}"

    # ---- Statements ----

    def emit(self, depth, text):
        self.lines.append("  " * (depth + 1) + text)

    def assign(self, depth):
        kind = self.dice.choice([UNSIGNED, UNSIGNED, UNSIGNED, WIDE, FLOAT, FLOAT, DOUBLE])
        self.emit(depth, f"{self.variable(kind)} = {self.expression(kind, self.dice.between(1, 3))};")

    def block(self, depth, where):
        for _ in range(self.dice.between(1, 3)):
            self.statement(depth, where)

    def statement(self, depth, where):
        """`where`: "block" if the whole block comes by, "warp" if whole warps do, else "lanes"."""
        if self.budget <= 0 or depth > 4:
            return self.assign(depth)
        self.budget -= 1
        choices = [(6, self.assign), (1, self.scratch), (1, self.arrays), (1, self.atomic), (1, self.deep_call)]
        if depth < 4:
            choices += [(3, self.branch), (2, self.loop), (1, self.search), (1, self.switch)]
        if where == "block":
            choices += [(2, self.exchange_through_shared), (1, self.block_vote)]
            choices += [(1, self.some_warps), (1, self.one_warp_for_the_others)] if self.threads > 32 else []
        if depth == 0:
            choices += [(1, self.recursion)]
        if where in ("block", "warp"):
            choices += [(2, self.full_exchange), (2, self.masked)]
        if depth < 3:
            choices += [(1, self.uniform_branch)]
        maker = self.dice.weighted(choices)
        if maker in (self.branch, self.loop, self.search, self.switch, self.uniform_branch):
            maker(depth, where)
        else:
            maker(depth)

    def branch(self, depth, _):
        self.emit(depth, f"if ({self.condition()}) {{")
        self.block(depth + 1, "lanes")
        if self.dice.chance(60):
            self.emit(depth, "} else {")
            self.block(depth + 1, "lanes")
        self.emit(depth, "}")

    def uniform_branch(self, depth, where):
        condition, inside = self.dice.choice([("blockIdx.x == 1", where), ("(threadIdx.x / 32) & 1", "warp" if where != "lanes" else "lanes"),
                                                ("parameter & 2", where)])
        self.emit(depth, f"if ({condition}) {{")
        self.block(depth + 1, inside)
        self.emit(depth, "}")

    def loop(self, depth, where):
        name = f"i{self.loops}"
        self.loops += 1
        uniform = self.dice.chance(40)
        trips = str(self.dice.between(1, 4)) if uniform else f"({self.expression(UNSIGNED, 1)} & 3)"
        self.emit(depth, f"for (unsigned {name} = 0, n = {trips}; {name} < n; ++{name}) {{")
        self.emit(depth + 1, f"u0 += {name};")
        self.block(depth + 1, where if uniform else "lanes")
        if not uniform and self.dice.chance(50):
            self.emit(depth + 1, f"if ({self.condition()}) {self.dice.choice(['break', 'continue'])};")
            self.assign(depth + 1)
        self.emit(depth, "}")

    def search(self, depth, _):
        name = f"i{self.loops}"
        self.loops += 1
        self.emit(depth, f"unsigned {name} = {self.expression(UNSIGNED, 1)} & 15;")
        self.emit(depth, f"while ({name} > 2) {{ {name} = {name} & 1 ? {name} - 3 : {name} / 2; ")
        self.block(depth + 1, "lanes")
        self.emit(depth, "}")

    def switch(self, depth, _):
        self.emit(depth, f"switch ({self.expression(UNSIGNED, 1)} & 7) {{")
        for case in self.dice.some(range(8), self.dice.between(4, 7)):
            self.emit(depth, f"case {case}:")
            self.assign(depth + 1)
            if self.dice.chance(80):
                self.emit(depth + 1, "break;")
        self.emit(depth, "default:")
        self.assign(depth + 1)
        self.emit(depth, "}")

    def arrays(self, depth):
        if self.dice.chance(50):
            self.emit(depth, f"pile[{self.expression(UNSIGNED, 1)} & 3] = {self.expression(WIDE, 1)};")
        else:
            self.emit(depth, f"bytes[{self.expression(UNSIGNED, 1)} & 15] = (unsigned char){self.expression(UNSIGNED, 1)};")

    def deep_call(self, depth):
        self.emit(depth, f"{self.variable(WIDE)} += nested(scratch, {self.expression(WIDE, 1)}, {self.expression(UNSIGNED, 0)} & 3);")

    def scratch(self, depth):
        self.emit(depth, f"scratch[{self.expression(UNSIGNED, 1)} & 7] = {self.expression(UNSIGNED, 1)};")

    def atomic(self, depth):
        cells = self.dice.choice(["cells.counts", "global->counts"])
        # A cell knows one operation only: then their order is unseen.
        wide = self.dice.chance(40)
        n = self.dice.below(len(WIDE_ATOMICS if wide else ATOMICS))
        if wide:
            cell, text, value = f"{cells}.wide[{n}]", WIDE_ATOMICS[n], self.expression(WIDE, 1)
        else:
            cell, text, value = f"{cells}.narrow[{n}]", ATOMICS[n], self.expression(UNSIGNED, 1)
        self.emit(depth, text.format(cell=cell, value=value))

    def exchange(self, forms, depth, mask="", source=""):
        text = self.dice.choice(forms)
        for kind in TYPES:
            text = text.replace("{" + kind + "}", self.variable(kind))
            text = text.replace("{" + kind.upper() + "}", self.expression(kind, 1))
        text = text.replace("{m}", mask).replace("{s}", source).replace("{k}", str(self.dice.choice([1, 2, 4, 8, 16])))
        self.emit(depth, text.replace("{{", "{").replace("}}", "}"))

    def full_exchange(self, depth):
        self.exchange(FULL_EXCHANGES, depth)

    def masked(self, depth):
        """A branch whose lanes know each other: they exchange, and may diverge in between."""
        mask, go = f"mask{self.loops}", f"go{self.loops}"
        self.loops += 1
        self.emit(depth, f"const bool {go} = {self.condition()};")
        self.emit(depth, f"const unsigned {mask} = __ballot_sync(~0u, {go});")
        self.emit(depth, f"if ({go}) {{")
        for _ in range(self.dice.between(1, 3)):
            if self.dice.chance(50):
                self.statement(depth + 1, "lanes")
            self.exchange(EXCHANGES, depth + 1, mask, f"__fns({mask}, 0, 1 + (lane & 3) % __popc({mask}))")
        self.emit(depth, "}")

    def exchange_through_shared(self, depth):
        kind = self.dice.choice([UNSIGNED, WIDE, FLOAT])
        array = {UNSIGNED: "cells.words", WIDE: "cells.longs", FLOAT: "cells.floats"}[kind]
        self.emit(depth, f"{array}[threadIdx.x] = {self.expression(kind, 2)};")
        self.emit(depth, "__syncthreads();")
        index = self.dice.choice([f"(threadIdx.x + {self.dice.between(1, 40)}) % blockDim.x", "blockDim.x - 1 - threadIdx.x",
                                    "(u1 % blockDim.x)", "threadIdx.x / 2"])
        self.emit(depth, f"{self.variable(kind)} = {array}[{index}];")
        self.emit(depth, "__syncthreads();")

    def some_warps(self, depth):
        """The first warps exchange words among themselves, at a barrier of their own."""
        warps = self.dice.between(1, self.threads // 32)
        name = (self.dice.between(1, 15) & 4) + warps  # a barrier has one number of warps
        self.emit(depth, f"if (threadIdx.x < {32 * warps}) {{")
        self.emit(depth + 1, f"cells.words[threadIdx.x] = {self.expression(UNSIGNED, 2)};")
        self.emit(depth + 1, f"named_barrier({name}, {warps});")
        self.emit(depth + 1, f"{self.variable(UNSIGNED)} = cells.words[(threadIdx.x + {self.dice.between(1, 40)}) % {32 * warps}];")
        self.emit(depth + 1, f"named_barrier({name}, {warps});")
        self.emit(depth, "}")

    def one_warp_for_the_others(self, depth):
        """One warp writes and goes on; the others wait for it."""
        warps = self.threads // 32
        writer, name = self.dice.below(warps), 9 + self.dice.between(1, 15) % 7
        self.emit(depth, f"if (threadIdx.x / 32 == {writer}) {{")
        self.emit(depth + 1, f"cells.longs[lane] = {self.expression(WIDE, 2)};")
        self.emit(depth + 1, f"pass_barrier({name}, {warps});")
        self.emit(depth, "} else {")
        self.emit(depth + 1, f"named_barrier({name}, {warps});")
        self.emit(depth + 1, f"{self.variable(WIDE)} = cells.longs[lane ^ {self.dice.between(1, 31)}];")
        self.emit(depth, "}")
        self.emit(depth, "__syncthreads();")

    def recursion(self, depth):
        """All threads take the same way: where they do not, ptxas 13.0 now and then makes code that dies."""
        start = f"parameter * {self.dice.between(1, 99)}"
        self.emit(depth, f"{self.variable(UNSIGNED)} += recurse({start}, {self.dice.between(1, 9)});")

    def block_vote(self, depth):
        form = self.dice.choice(["{} += __syncthreads_count({});", "{} ^= __syncthreads_or({});", "{} += __syncthreads_and({});"])
        self.emit(depth, form.format(self.variable(UNSIGNED), self.condition()))

    # ---- The whole ----

    def text(self):
        while self.budget > 0:
            self.statement(0, "block")
        return "\n".join([f"__global__ void kernel_{self.number}(Arguments) {{", "  OPEN", *self.lines, "  CLOSE", "}"])


def source(numbers):
    kernels = [Kernel(n) for n in numbers]
    table = ",\n".join(f"    {{{k.number}, kernel_{k.number}, {k.threads}}}" for k in kernels)
    return "\n\n".join(['// Made by generate.py.\n#include "drive.cuh"', *[k.text() for k in kernels],
                        f"const Entry entries[] = {{\n{table},\n}};\n\nint main() {{ return drive(entries, std::size(entries)); }}\n"])


if __name__ == "__main__":
    first, count = int(sys.argv[1]), int(sys.argv[2])
    sys.stdout.write(source(range(first, first + count)))
