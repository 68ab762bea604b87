"""Whole programs on the simulated GPU: what they print, how they end, and what the report says.

usage: test_programs.py MISHAPS API_ERRORS STREAM_API GRAPH_API GRAPH_MEMORY_API NEWER_API
"""

import signal
import sys
import unittest

import programs

MISHAPS, API_ERRORS, STREAM_API, GRAPH_API, GRAPH_MEMORY_API, NEWER_API = sys.argv[1:7]


def run(program, *arguments, **settings):
    code, output, text, report = programs.run(program, *arguments, **settings)
    if report:  # the programs never free their array, which is not what these tests are about
        report["findings"] = [finding for finding in report["findings"] if finding["kind"] != "leak"]
    return code, output, text, report


class HostAccess(unittest.TestCase):
    def only_finding(self, what):
        code, _, text, report = run(MISHAPS, what)
        self.assertEqual(code, -signal.SIGSEGV)
        self.assertEqual(report["exit_code"], 128 + signal.SIGSEGV)
        self.assertEqual(len(report["findings"]), 1)
        finding = report["findings"][0]
        self.assertTrue(finding["file"].endswith("mishaps.cu"), finding)
        self.assertIn(finding["message"].split(",")[0], " ".join(text.split()))
        return finding

    def test_a_read_of_device_memory_is_explained(self):
        finding = self.only_finding("read")
        self.assertEqual(finding["kind"], "api-misuse")
        self.assertIn("the host read 0x", finding["message"])
        self.assertIn("byte 12 of an allocation of 64 bytes", finding["message"])
        self.assertEqual(finding["line"], 19)

    def test_a_write_too(self):
        self.assertIn("the host wrote to", self.only_finding("write")["message"])

    def test_past_the_end(self):
        self.assertIn("16 bytes past the end", self.only_finding("read-past-the-end")["message"])

    def test_inside_the_c_library_the_line_is_the_callers(self):
        self.assertEqual(self.only_finding("puts")["line"], 22)

    def test_pinned_memory_after_it_was_freed(self):
        self.assertEqual(self.only_finding("read-freed-pinned")["kind"], "use-after-free")

    def test_it_is_told_also_where_checks_tell_the_findings(self):
        text = run(MISHAPS, "read", WARP_WEFT_TEXT="0")[2]
        self.assertIn("the host read 0x", " ".join(text.split()))
        self.assertIn("mishaps.cu:19", text)

    def test_the_same_program_gives_the_same_finding(self):
        self.assertEqual(self.only_finding("read"), self.only_finding("read"))


class Endings(unittest.TestCase):
    def test_a_crash_of_the_programs_own_keeps_its_signal_and_the_report(self):
        for what, number in (("crash", signal.SIGSEGV), ("abort", signal.SIGABRT)):
            code, _, text, report = run(MISHAPS, what)
            self.assertEqual(code, -number)
            self.assertEqual([f["kind"] for f in report["findings"]], ["launch-error"])
            self.assertIn("launch-error", text)

    def test_the_exit_code_stands_in_the_report(self):
        code, _, _, report = run(MISHAPS, "exit-3")
        self.assertEqual((code, report["exit_code"]), (3, 3))

    def test_a_launch_waits_for_its_kernel_where_that_is_asked_for(self):
        for blocking, told in (("0", "cudaSuccess"), ("1", "cudaErrorIllegalAddress")):
            with self.subTest(CUDA_LAUNCH_BLOCKING=blocking):
                _, output, _, _ = run(MISHAPS, "store-nowhere", CUDA_LAUNCH_BLOCKING=blocking)
                self.assertEqual(output.strip(), told)

    def test_without_findings_nothing_is_said(self):
        code, output, text, report = run(MISHAPS)
        self.assertEqual((code, output, text), (0, "", ""))
        self.assertEqual(report["findings"], [])

    def test_a_report_that_cannot_be_written_is_told(self):
        _, _, text, _ = run(MISHAPS, WARP_WEFT_JSON="/nowhere/report.json")
        self.assertIn("/nowhere/report.json", text)


class Printf(unittest.TestCase):
    def test_text_appears_when_the_host_waits(self):
        code, output, _, report = run(MISHAPS, "print-and-wait")
        self.assertEqual((code, output, report["findings"]), (0, "line 0\nline 1\n", []))

    def test_text_that_nobody_waited_for_is_lost_with_a_warning(self):
        _, output, _, report = run(MISHAPS, "print-and-leave")
        self.assertEqual(output, "")
        self.assertEqual([f["severity"] for f in report["findings"]], ["warning"])
        self.assertIn("cudaDeviceSynchronize", report["findings"][0]["advice"])

    def test_of_too_much_text_the_last_lines_stay(self):
        _, output, text, _ = run(MISHAPS, "print-too-much")
        self.assertTrue(output.endswith("line 9998\nline 9999\n"))
        self.assertTrue(output.startswith("line "))
        self.assertLessEqual(len(output), 2000)
        self.assertIn("cudaLimitPrintfFifoSize", text)


class Settings(unittest.TestCase):
    def test_the_device_is_chosen_by_name(self):
        self.assertIn("H200", run(MISHAPS, "device", WARP_WEFT_DEVICE="h200")[1])
        self.assertIn("8.0", run(MISHAPS, "device")[1])

    def test_an_unknown_device_is_refused_with_those_there_are(self):
        code, _, text, _ = run(MISHAPS, WARP_WEFT_DEVICE="voodoo")
        self.assertEqual(code, 2)
        for part in ("voodoo", "small", "a100", "h200", "rtx3090", "t4"):
            self.assertIn(part, text)

    def test_a_budget_that_is_no_number_is_refused(self):
        code, _, text, _ = run(MISHAPS, WARP_WEFT_INSTRUCTION_BUDGET="many")
        self.assertEqual(code, 2)
        self.assertIn('"many"', text)


class Missing(unittest.TestCase):
    def test_a_missing_function_says_its_name_once(self):
        code, output, text, _ = run(MISHAPS, "missing")
        self.assertEqual((code, output), (0, "cudaErrorNotSupported\n"))
        self.assertEqual(text.count("cudaIpcGetEventHandle is not simulated"), 1)


class RealGpu(unittest.TestCase):
    maxDiff = None

    def test_the_api_answers_as_an_h200_did(self):
        # The one known difference: the driver gives up on a process whose context was broken.
        as_recorded = programs.recorded(API_ERRORS).replace("cudaErrorDevicesUnavailable\n", "cudaSuccess\n")
        self.assertMultiLineEqual(programs.answers(API_ERRORS, "h200", parts=5), as_recorded)

    def test_streams_events_captures_and_graphs_answer_as_an_h200_did(self):
        self.assertMultiLineEqual(programs.answers(STREAM_API, "h200", parts=43), programs.recorded(STREAM_API))

    def test_nodes_memory_in_graphs_attributes_and_batches_answer_as_an_h200_did(self):
        for program in (GRAPH_API, GRAPH_MEMORY_API, NEWER_API):
            with self.subTest(program):
                self.assertMultiLineEqual(programs.answers(program, "h200"), programs.recorded(program))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
