// A finding as text: what happened and where, the source around it, and what to look at next.
#include <algorithm>

#include "sim/report/text.h"

namespace sim::report {

namespace {

constexpr int context = 2;  // lines before and after the one that matters

std::string excerpt(const check::SourceLine& where, SourceFiles& files, const Style& style) {
  std::string out;
  for (int n = std::max(1, where.line - context); n <= where.line + context; ++n) {
    const std::string* text = files.line(where.file, n);
    if (!text) continue;
    const std::string margin = padded_left(std::to_string(n), 6) + " | ";
    const std::string code = clipped(*text, page_width - 4 - columns_of(margin));
    out += n == where.line ? "  " + style.red(">") + " " + margin + style.bold(code) + "\n"
                           : "    " + style.dim(margin) + code + "\n";
  }
  return out;
}

std::string place(const check::SourceLine& line, const Style& style) {
  return style.path(line.file) + ":" + std::to_string(line.line);
}

}  // namespace

std::string finding_text(const check::Finding& f, SourceFiles& files, const Style& style) {
  const std::string kind(check::name_of(f.kind));
  std::string out = f.severity == check::Severity::error     ? style.red("error: " + kind)
                    : f.severity == check::Severity::warning ? style.red("warning: " + kind)
                                                             : style.blue("advice: " + kind);
  if (!f.kernel.empty()) out += " in kernel " + style.bold(clipped(f.kernel, page_width - 50));
  if (f.where.line > 0) out += "\n  at " + place(f.where, style);
  out += "\n" + wrapped(f.message, "  ");
  if (f.where.line > 0) out += excerpt(f.where, files, style);
  for (const check::SourceLine& caller : f.inlined_into)
    out += "    called at " + place(caller, style) + "\n";
  for (const check::Side& s : f.sides)
    out += wrapped(s.what + (s.where.line > 0 ? " at " + place(s.where, style) : std::string()),
                   "    ");
  if (f.occurrences > 1)
    out += wrapped(
        number(static_cast<double>(f.occurrences)) +
            (f.access.empty() ? " times in all."
                              : " accesses at this line were wrong in the same way; this is "
                                "the first."),
        "  ");
  if (f.launches > 1)
    out += wrapped("It happened in " + number(static_cast<double>(f.launches)) +
                       " launches; this is the first.",
                   "  ");
  if (f.allocation && f.allocation->made.line > 0) {
    out += "    array allocated at " + place(f.allocation->made, style) + "\n";
    if (f.allocation->freed.line > 0)
      out += "    and freed at " + place(f.allocation->freed, style) + "\n";
  }
  if (!f.advice.empty()) out += wrapped(f.advice, "  ");
  return out;
}

}  // namespace sim::report
