"""The book's extension: what stops the build, and what a woven listing looks like.

Each test builds one small page with Sphinx, warnings collected.
"""

import io
import json
import re
import sys
import tempfile
import unittest
from contextlib import redirect_stderr
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/_ext"))

from sphinx.application import Sphinx  # noqa: E402
from sphinx.util.docutils import docutils_namespace  # noqa: E402

SOLUTION = """\
#include "saxpy.h"

// [kernel]
__global__ void saxpy_kernel(int n, float* y) {
  // [index]
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  // [index]
  if (i < n) y[i] = 2 * y[i];
}
// [kernel]

// [once]
"""

STARTER = SOLUTION.replace("  if (i < n) y[i] = 2 * y[i];\n", '  LAB_TODO("scale y");\n')

LOAD = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
RUN = {
    "kernels": [{"name": "lab::saxpy_kernel(int, float*)", "grid": [3, 1, 1], "block": [48, 1, 1], "registers": 10, "local_bytes": 0,
                 "counters": {LOAD: 1234, "smsp__inst_executed.sum": 60,
                              "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum": 1234 * 16},
                 "lines": [{"file": "chapters/01-test/solution.cu", "line": 8, LOAD: 1234}]}],
    "findings": [{"kind": "out-of-bounds", "severity": "error", "message": "Thread 33 wrote past <y>.",
                  "advice": "Compare the index with n.", "file": "chapters/01-test/solution.cu", "line": 8,
                  "kernel": "saxpy_kernel", "block": [0, 0, 0], "thread": [33, 0, 0]}],
    "timeline": [], "exit_code": 0, "stdout": "hello from the host\n",
}

EVERYTHING = "{measured}`story/saxpy_kernel/load sectors`\n"


class Page(unittest.TestCase):
    files = {}  # beside the page's own

    def build(self, text, run=RUN, **others):
        """(HTML, warnings) of a chapter's page with this text."""
        with tempfile.TemporaryDirectory() as folder:
            self.folder = Path(folder)
            chapter = self.folder / "chapters/01-test"
            chapter.mkdir(parents=True)
            (chapter / "index.md").write_text("# Page\n\n" + text)
            (chapter / "solution.cu").write_text(SOLUTION)
            (chapter / "starter.cu").write_text(STARTER)
            for name, content in self.files.items():
                (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
                (self.folder / name).write_text(content)
            counted = self.folder / "counted"
            counted.mkdir()
            for name, data in {"story": run, **others}.items():
                (counted / f"01-test.{name}.json").write_text(json.dumps(data))
            warnings, errors = io.StringIO(), io.StringIO()
            with docutils_namespace(), redirect_stderr(errors):
                app = Sphinx(folder, None, folder + "/html", folder + "/doctrees", "html", status=None,
                             warning=warnings, confoverrides={
                                 "extensions": ["myst_parser", "labs"], "root_doc": "chapters/01-test/index",
                                 "labs_counted": str(counted), "labs_depfile": folder + "/book.d",
                                 "labs_stamp": folder + "/book.stamp"})
                app.build()
            depfile = self.folder / "book.d"
            self.depfile = depfile.read_text() if depfile.exists() else ""
            html = (self.folder / "html/chapters/01-test/index.html").read_text()
            return html, warnings.getvalue()

    def clean(self, text):
        html, warnings = self.build(text)
        self.assertEqual(warnings, "")
        return html


class Snippets(Page):
    def test_a_region_has_the_files_own_line_numbers_and_the_repository_path(self):
        html = self.clean("```{snippet} solution.cu index\n```\n" + EVERYTHING)
        self.assertIn('<code class="path">chapters/01-test/solution.cu</code>', html)
        self.assertIn('<td class="number">6</td>', html)
        self.assertNotIn('<td class="number">8</td>', html)

    def test_nested_markers_are_dropped_and_numbers_skip_them(self):
        html = self.clean("```{snippet} solution.cu kernel\n```\n" + EVERYTHING)
        self.assertNotIn("[index]", html)
        for number in (4, 6, 8, 9):
            self.assertIn(f'<td class="number">{number}</td>', html)
        for number in (5, 7):
            self.assertNotIn(f'<td class="number">{number}</td>', html)

    def test_an_unknown_region_stops_and_names_those_there_are(self):
        _, warnings = self.build("```{snippet} solution.cu kernal\n```\n" + EVERYTHING)
        self.assertIn("the region [kernal] is marked 0 times", warnings)
        self.assertIn("Regions here: index, kernel", warnings)

    def test_a_region_marked_once_stops(self):
        _, warnings = self.build("```{snippet} solution.cu once\n```\n" + EVERYTHING)
        self.assertIn("the region [once] is marked 1 times", warnings)

    def test_a_missing_file_stops(self):
        _, warnings = self.build("```{snippet} solved.cu kernel\n```\n" + EVERYTHING)
        self.assertIn("solved.cu", warnings)

    def test_the_depfile_names_the_source(self):
        self.clean("```{snippet} solution.cu kernel\n```\n" + EVERYTHING)
        self.assertIn("chapters/01-test/solution.cu", self.depfile)
        self.assertIn("01-test.story.json", self.depfile)

    def test_the_depfile_names_the_folder_where_new_chapters_appear(self):
        self.clean(EVERYTHING)
        self.assertIn(str((self.folder / "chapters").resolve()), self.depfile.split())


class Changes(Page):
    def test_a_change_shows_both_sides_and_repository_paths_only(self):
        html = self.clean("```{change} starter.cu solution.cu kernel\n```\n" + EVERYTHING)
        self.assertIn("chapters/01-test/starter.cu", html)
        self.assertIn('class="removed"', html)
        self.assertIn('class="added"', html)
        self.assertNotIn(str(self.folder), html)

    def test_a_change_that_changes_nothing_stops(self):
        _, warnings = self.build("```{change} starter.cu solution.cu index\n```\n" + EVERYTHING)
        self.assertIn("do not differ", warnings)


class Numbers(Page):
    def test_intensity_is_operations_by_bytes(self):
        self.assertIn(">1<", self.clean("{measured}`story/saxpy_kernel/intensity`\n"))

    def test_a_number_is_printed_with_thin_spaces(self):
        self.assertIn("1\u202f234", self.clean(EVERYTHING))

    def test_the_shape_of_a_launch_is_a_number_too(self):
        self.assertIn(">6<", self.clean("{measured}`story/saxpy_kernel/warps`\n"))

    def test_an_unknown_counter_stops(self):
        _, warnings = self.build(EVERYTHING + "{measured}`story/saxpy_kernel/load sectrs`\n")
        self.assertIn("nothing was counted under the name load sectrs", warnings)

    def test_an_unknown_story_stops(self):
        _, warnings = self.build(EVERYTHING + "{measured}`storey/saxpy_kernel/load sectors`\n")
        self.assertIn("this chapter's stories: story", warnings)

    def test_an_unknown_kernel_stops(self):
        _, warnings = self.build(EVERYTHING + "{measured}`story/saxpi/load sectors`\n")
        self.assertIn("kernels launched: saxpy_kernel", warnings)

    def test_a_run_that_no_page_shows_stops(self):
        _, warnings = self.build("No numbers.\n")
        self.assertIn("01-test/story is shown on no page", warnings)

    def test_a_table_has_a_column_a_launch(self):
        html = self.clean("```{measured-table}\n:columns: story/saxpy_kernel = mine\n"
                          ":rows: load sectors, instructions\n```\n")
        self.assertIn('<th scope="col">mine</th>', html)
        self.assertIn("<td>60</td>", html)


class Annotations(Page):
    def test_counts_stand_beside_their_line(self):
        html = self.clean("```{annotated} solution.cu kernel\n:run: story/saxpy_kernel\n:counters: load sectors\n```\n")
        self.assertRegex(html, r'<td class="count">1\u202f234</td><td class="number">8</td>')

    def test_a_run_of_another_file_stops(self):
        _, warnings = self.build(
            "```{annotated} starter.cu kernel\n:run: story/saxpy_kernel\n:counters: load sectors\n```\n")
        self.assertIn("counted nothing on these lines", warnings)


class Reach(Page):
    def run_with(self, address, **allocation):
        finding = {**RUN["findings"][0], "address": address, "bytes": 4, "access": "write",
                   "allocation": {"address": 1000, "bytes": 40, "made": {"file": "chapters/a.cu", "line": 7}, **allocation}}
        return {**RUN, "findings": [finding]}

    PICTURE = "```{reach} story out-of-bounds\nThread 33 writes behind the array.\n```\n"

    def test_an_access_behind_the_array_is_drawn_behind_its_last_element(self):
        html, warnings = self.build(self.PICTURE, self.run_with(1000 + 4 * 11))
        self.assertEqual("", warnings)
        bad = re.search(r'<rect class="hot" x="(\d+)"', html).group(1)
        last = re.findall(r'<rect class="soft" x="(\d+)"', html)[-1]
        self.assertEqual(2 * 48, int(bad) - int(last))  # element 11, where 9 is the last
        self.assertIn("40 bytes, made at a.cu:7", html)

    def test_an_access_before_the_array_is_drawn_before_its_first_element(self):
        html, warnings = self.build(self.PICTURE, self.run_with(1000 - 4))
        self.assertEqual("", warnings)
        bad = re.search(r'<rect class="hot" x="(\d+)"', html).group(1)
        first = re.search(r'<rect class="soft" x="(\d+)"', html).group(1)
        self.assertEqual(48, int(first) - int(bad))

    def test_an_access_far_away_stops(self):
        _, warnings = self.build(self.PICTURE, self.run_with(9000))
        self.assertIn("too far from the array", warnings)


def operation(kind, stream, begin, end, name="cudaMemcpyAsync"):
    return {"kind": kind, "name": name, "stream": stream, "begin_ns": begin, "end_ns": end, "bytes": 4}


class Timelines(Page):
    RUN = {**RUN, "timeline": [operation("copy to device", 1, 1000, 3000), operation("kernel", 1, 3000, 7000, "work(int)"),
                               operation("copy to device", 2, 4000, 6000), operation("marker", 2, 6000, 6000)]}
    PICTURE = "```{timeline} story\nOne copy is hidden behind the kernel.\n```\n"

    def test_each_stream_has_a_row_and_each_bar_its_time(self):
        html, warnings = self.build(self.PICTURE, self.RUN)
        self.assertEqual("", warnings)
        self.assertEqual(["stream 1", "stream 2"], re.findall(r">(stream \d)</text>", html))
        bars = re.findall(r'<rect class="(\w+)" x="([\d.]+)"', html)
        self.assertEqual(["soft", "on", "soft"], [style for style, _ in bars])
        first, kernel, second = (float(x) for _, x in bars)
        self.assertAlmostEqual(2 * (second - kernel), kernel - first, delta=0.2)  # 1 and 2 microseconds

    def test_another_runs_scale_makes_bars_shorter(self):
        longer = {**RUN, "timeline": [operation("kernel", 0, 0, 60000)]}
        alone = self.build(self.PICTURE, self.RUN)[0]
        beside = self.build(self.PICTURE.replace("\n", "\n:same-scale: longer\n", 1), self.RUN, longer=longer)[0]
        width = r'<rect class="on" [^>]*width="([\d.]+)"'
        self.assertGreater(float(re.search(width, alone).group(1)), 5 * float(re.search(width, beside).group(1)))

    def test_a_run_that_did_nothing_stops(self):
        _, warnings = self.build(self.PICTURE)
        self.assertIn("nothing on the timeline takes any time", warnings)

    def test_overlap_is_the_time_in_which_both_run_by_the_smaller(self):
        html, _ = self.build("{measured}`story/timeline/overlap`\n", self.RUN)
        self.assertIn(">0.5<", html)  # 2 of the copies' 4 microseconds

    def test_an_unknown_fact_of_a_timeline_stops(self):
        _, warnings = self.build("{measured}`story/timeline/speed`\n", self.RUN)
        self.assertIn("a timeline has no speed", warnings)


class Reports(Page):
    def test_a_finding_is_woven_in_its_own_words_escaped(self):
        html = self.clean("```{finding} story out-of-bounds\n```\n")
        self.assertIn("Thread 33 wrote past &lt;y&gt;.", html)
        self.assertIn("thread 33", html)

    def test_an_absent_finding_stops(self):
        _, warnings = self.build("```{finding} story shared-race\n```\n")
        self.assertIn("no finding shared-race[0]; found: out-of-bounds", warnings)

    def test_output_is_the_programs_own(self):
        self.assertIn("hello from the host", self.clean("```{output} story\n```\n"))


class Pictures(Page):
    def test_idle_lanes_are_drawn_from_the_launch(self):
        html = self.clean("```{lanes} story/saxpy_kernel\nTwo warps.\n```\n")
        self.assertEqual(html.count('class="on"'), 48)
        self.assertEqual(html.count('class="off"'), 16)

    def test_a_picture_without_words_stops(self):
        _, warnings = self.build("```{lanes} story/saxpy_kernel\n```\n")
        self.assertIn("needs a caption", warnings)


class Accesses(Page):
    """Single accesses of a warp, drawn from a trace."""

    def draw(self, directive, space, size, address, options=""):
        """The page with a picture of one load, in which lane l reads `size` bytes from address(l) on."""
        access = {"file": "chapters/01-test/solution.cu", "line": 8, "space": space, "kind": "load", "bytes": size,
                  "lanes": [address(lane) for lane in range(32)]}
        run = RUN | {"kernels": [RUN["kernels"][0] | {"accesses": [access]}]}
        return self.build(f"```{{{directive}}} story/saxpy_kernel\n:at: solution.cu kernel\n:kind: load\n{options}"
                          "Where the lanes go.\n```\n", run)

    def test_a_column_of_32_words_meets_one_bank_32_times(self):
        html, warnings = self.draw("lane-banks", "shared", 4, lambda lane: 128 * lane)
        self.assertEqual(warnings, "")
        self.assertEqual(html.count('class="hot"'), 1)
        self.assertIn("32 wavefronts", html)

    def test_a_padded_column_meets_each_bank_once(self):
        html, _ = self.draw("lane-banks", "shared", 4, lambda lane: 132 * lane)
        self.assertNotIn('class="hot"', html)
        self.assertIn("1 wavefront<", html)

    def test_lanes_that_want_the_same_word_share_it(self):
        html, _ = self.draw("lane-banks", "shared", 4, lambda lane: 64)
        self.assertNotIn('class="hot"', html)
        self.assertEqual(html.count('class="wire"'), 32)

    def test_neighbouring_floats_lie_in_four_sectors(self):
        html, warnings = self.draw("lane-sectors", "global", 4, lambda lane: 4 * lane)
        self.assertEqual(warnings, "")
        self.assertIn("4 sectors: 128 bytes moved, 128 of them wanted", html)

    def test_a_sector_of_which_one_float_is_wanted_moves_whole(self):
        html, _ = self.draw("lane-sectors", "global", 4, lambda lane: 512 * lane if lane < 8 else -1)
        self.assertIn("8 sectors: 256 bytes moved, 32 of them wanted", html)
        self.assertEqual(html.count('class="wire"'), 8)

    def test_an_access_that_was_not_traced_stops(self):
        _, warnings = self.draw("lane-banks", "shared", 4, lambda lane: 0, ":step: 1\n")
        self.assertIn("1 accesses of the kind shared load were traced", warnings)

    def test_a_picture_of_banks_is_one_of_words(self):
        _, warnings = self.draw("lane-banks", "shared", 8, lambda lane: 8 * lane)
        self.assertIn("this one has 8 bytes a lane", warnings)

    def test_the_lanes_of_each_step_are_drawn_in_a_row(self):
        def store(every):
            return {"file": "chapters/01-test/solution.cu", "line": 8, "space": "shared", "kind": "store", "bytes": 4,
                    "lanes": [4 * lane if lane % every == 0 else -1 for lane in range(32)]}
        run = RUN | {"kernels": [RUN["kernels"][0] | {"accesses": [store(2), store(4)]}]}
        html, warnings = self.build("```{lane-steps} story/saxpy_kernel\n:at: solution.cu kernel\n:kind: store\n"
                                    "Half, then a quarter.\n```\n", run)
        self.assertEqual(warnings, "")
        self.assertEqual(html.count('class="on"'), 16 + 8)
        self.assertIn("step 2", html)

    def test_steps_that_were_not_traced_stop(self):
        _, warnings = self.draw("lane-steps", "global", 4, lambda lane: 0)
        self.assertIn("0 accesses of the kind shared load were traced", warnings)


class Roofs(unittest.TestCase):
    DEVICES = """{"big", "A device (simulated)", 9, 0, 100, 64 * GiB, 60 * MiB, 1000000, 2000000, 4000, 2048},"""

    def test_roofs_are_computed_from_the_table_of_devices(self):
        from labs.roofline import roofs
        name, bandwidth, peak = roofs(self.DEVICES, "big")
        self.assertEqual(("A device (simulated)", 2 * 2e9 * 4000 / 8, 2 * 1e9 * 100 * 128), (name, bandwidth, peak))

    def test_every_device_of_the_simulated_gpu_has_roofs(self):
        from labs.roofline import DEVICE, roofs
        text = (ROOT / "common/sim/runtime/devices.cc").read_text()
        keys = [row["key"] for row in DEVICE.finditer(text)]
        self.assertIn("h200", keys)
        for key in keys:
            self.assertGreater(roofs(text, key)[2], 1e11, key)

    def test_an_unknown_device_stops_and_names_those_there_are(self):
        from labs.roofline import roofs
        from labs.runs import UnknownNumber
        with self.assertRaisesRegex(UnknownNumber, "no device small; there are: big"):
            roofs(self.DEVICES, "small")


class Agreement(unittest.TestCase):
    def rows(self, **count):
        from labs.agreement import table_rows
        return table_rows([{"kernel": "copy", "counters": {"sectors.sum": {"real": 4, "ours": 4, "why": None}}},
                           {"kernel": "odd", "counters": {"sectors.sum": {"real": 9, "ours": 9, "why": None, **count}}},
                           {"kernel": "none", "counters": {"sectors.sum": {"real": 0, "ours": 0, "why": None}}}])

    def test_equal_counts(self):
        self.assertIn("<td>2</td><td>2</td><td></td>", self.rows()[0])

    def test_a_difference_says_why(self):
        self.assertIn("<td>2</td><td>1</td><td>1: it is merged</td>", self.rows(ours=8, why="it is merged")[0])

    def test_a_difference_that_nobody_explains_stops(self):
        from labs.runs import UnknownNumber
        with self.assertRaisesRegex(UnknownNumber, "sectors.sum differs in odd"):
            self.rows(ours=8)


class Recordings(Page):
    """How much was recorded is counted where it lies."""

    files = {"answers.txt": "# a comment\nfirst\n\nsecond\n", "samples.bin": "x" * 48}

    def shown(self, recording):
        html, warnings = self.build(f"There are {{recorded}}`{recording}` of them.\n\n" + EVERYTHING)
        self.assertEqual(warnings, "")
        return re.search(r"There are (?:<[^>]+>)*(\d+)", html)[1]

    def test_lines_that_are_no_comments(self):
        self.assertEqual(self.shown("/answers.txt"), "2")

    def test_records_of_so_many_bytes(self):
        self.assertEqual(self.shown("/samples.bin 16"), "3")


class Instructions(unittest.TestCase):
    def test_every_instruction_stands_in_one_cell(self):
        from labs.manual import OPCODE, Opcodes
        text = (ROOT / "common/sim/ptx/opcodes.def").read_text()
        cells = "".join("".join(row[1:]) for row in Opcodes.rows(None, text))
        self.assertEqual(cells.count("<code>"), len(OPCODE.findall(text)))

    def test_a_row_that_it_cannot_read_stops(self):
        from labs.manual import Opcodes
        from labs.runs import UnknownNumber
        with self.assertRaises(UnknownNumber):
            list(Opcodes.rows(None, 'OPCODE(add, "add", "d,a,b", arithmetic, perhaps, yes)\n'))


class TurnedTables(Page):
    def test_a_turned_table_has_a_row_for_each_launch(self):
        html = self.clean("```{measured-table}\n:columns: story/saxpy_kernel = saxpy\n"
                          ":rows: load sectors, instructions\n:turned:\n```\n")
        self.assertIn('<th scope="row">saxpy</th><td>1\u202f234</td><td>60</td>', html)


class Times(Page):
    """Times come from a file of measurements, and say from where."""

    MEASURED = {"device": "NVIDIA H200", "driver": "580", "toolkit": "13.0", "date": "2026-11-30", "repetitions": 20,
                "statistic": "median", "of": "a small matrix",
                "rate": {"of": "bytes", "unit": "GB/s", "scale": 1e9}, "rows": {
                    "copy": {"milliseconds": 2, "lowest": 1.9, "highest": 2.1, "bytes": 4e9},
                    "naive": {"milliseconds": 8, "lowest": 7.9, "highest": 8.1, "bytes": 4e9}}}

    def table(self, rows, against="copy"):
        self.files = {"docs/measurements/matrix.json": json.dumps(self.MEASURED)}
        return self.build(f"```{{timed-table}} matrix\n:rows: {rows}\n:against: {against}\n```\n" + EVERYTHING)

    def test_a_row_has_its_time_its_rate_and_its_share(self):
        html, warnings = self.table("copy = a copy, naive = no tile")
        self.assertEqual(warnings, "")
        self.assertIn('<th scope="col">GB/s</th><th scope="col">of a copy</th>', html)
        self.assertIn('<th scope="row">no tile</th><td>8 ms</td><td>500</td><td>25 %</td>', html)

    def test_the_table_says_where_the_times_come_from(self):
        html, _ = self.table("copy = a copy")
        self.assertIn("a small matrix. NVIDIA H200, driver 580, CUDA 13.0, 2026-11-30; median of 20", html)
        self.assertIn("at most 10 %", html)

    def test_a_time_that_nobody_measured_stops(self):
        _, warnings = self.table("tiled = a tile")
        self.assertIn("nothing was measured under the name tiled; there are: copy, naive", warnings)


class Exercises(unittest.TestCase):
    """Two builds of one tree: pages of exercises come, and the overview takes them up."""

    def build(self, folder):
        warnings, errors = io.StringIO(), io.StringIO()
        with docutils_namespace(), redirect_stderr(errors):
            app = Sphinx(folder, None, folder + "/html", folder + "/doctrees", "html", status=None, warning=warnings,
                         confoverrides={"extensions": ["myst_parser", "labs"], "root_doc": "exercises/index"})
            app.build()
        return Path(folder, "html/exercises/index.html").read_text(), warnings.getvalue()

    def test_a_new_exercise_appears_by_itself(self):
        with tempfile.TemporaryDirectory() as folder:
            exercises = Path(folder, "exercises")
            exercises.mkdir()
            (exercises / "index.md").write_text("# Exercises\n\n```{exercises}\n```\n")
            self.assertEqual(self.build(folder)[1], "")
            (exercises / "first").mkdir()
            (exercises / "first/index.md").write_text("# The first one\n")
            html, warnings = self.build(folder)
            self.assertEqual(warnings, "")
            self.assertIn("The first one", html)


if __name__ == "__main__":
    unittest.main()
