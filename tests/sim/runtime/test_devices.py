"""Programs of several devices: what they print, what the report says, and what the API answers.

usage: test_devices.py SEVERAL_DEVICES API_DEVICES
"""

import json
import sys
import tempfile
import unittest
from pathlib import Path

import programs

PROGRAM, API_DEVICES = sys.argv[1:3]


def run(program, *arguments, **settings):
    return programs.run(program, *arguments, **{"WARP_WEFT_DEVICE": "small,small", **settings})


class Settings(unittest.TestCase):
    def test_the_devices_come_in_the_order_of_the_list(self):
        lines = run(PROGRAM, "list", WARP_WEFT_DEVICE="h200,t4,h200")[1].splitlines()
        self.assertEqual([line.split(" (")[0] for line in lines], ["NVIDIA H200", "Tesla T4", "NVIDIA H200"])

    def test_boards_of_one_kind_are_linked_and_others_are_not(self):
        lines = run(PROGRAM, "list", WARP_WEFT_DEVICE="h200,t4,h200")[1].splitlines()
        self.assertEqual([line[-1] for line in lines], ["0", "0", "1"])

    def test_one_that_is_unknown_is_named_among_the_others(self):
        code, _, text, _ = run(PROGRAM, "list", WARP_WEFT_DEVICE="small,voodoo")
        self.assertEqual(code, 2)
        self.assertIn('"voodoo" is none of the devices', text)

    def test_a_list_does_not_end_with_a_comma(self):
        code, _, text, _ = run(PROGRAM, "list", WARP_WEFT_DEVICE="small,")
        self.assertEqual(code, 2)
        self.assertIn('"" is none of the devices', text)

    def test_too_many_are_refused(self):
        code, _, text, _ = run(PROGRAM, "list", WARP_WEFT_DEVICE=",".join(["small"] * 9))
        self.assertEqual(code, 2)
        self.assertIn("8 devices at most", text)


class Reports(unittest.TestCase):
    def test_kernels_and_timeline_say_on_which_device(self):
        report = run(PROGRAM, "one-after-the-other")[3]
        self.assertEqual([k["device"] for k in report["kernels"]], [0, 1])
        self.assertEqual([e["device"] for e in report["timeline"]], [0, 1])

    def test_the_timeline_has_rows_for_each_device(self):
        text = run(PROGRAM, "one-after-the-other", WARP_WEFT_TEXT="1")[2]
        for device in (0, 1):
            self.assertRegex(text, rf"device {device}, default stream +\|.*#")

    def test_a_trace_shows_each_device_as_a_process(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "trace.json")
            run(PROGRAM, "one-after-the-other", WARP_WEFT_TIMELINE=str(path))
            events = json.loads(path.read_text())["traceEvents"]
        names = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
        self.assertEqual(sorted(names), [1, 2])
        self.assertIn("GPU 1", names[2])
        self.assertEqual([e["pid"] for e in events if e["ph"] == "X"], [1, 2])

    def test_memory_of_a_device_that_is_no_peer(self):
        _, output, _, report = run(PROGRAM, "not-a-peer")
        self.assertEqual(output, "cudaErrorIllegalAddress\n")
        finding = report["findings"][0]
        self.assertEqual(finding["kind"], "out-of-bounds")
        self.assertIn("which is memory of device 1; the kernel runs on device 0", finding["message"])
        self.assertIn("cudaDeviceEnablePeerAccess(1, 0)", finding["advice"])

    def test_a_peer_copy_that_names_another_device_is_told_of_each_side(self):
        findings = run(PROGRAM, "peer-copies")[3]["findings"]
        self.assertEqual([(f["kind"], f["severity"]) for f in findings], [("api-misuse", "warning")] * 2)
        self.assertIn("the destination is memory of device 0, and the call says device 1", findings[0]["message"])
        self.assertIn("the source is memory of device 1, and the call says device 0", findings[1]["message"])

    def test_a_leak_names_its_device(self):
        report = run(PROGRAM, "leak")[3]
        self.assertEqual([f["kind"] for f in report["findings"]], ["leak"])
        self.assertIn("on device 1", report["findings"][0]["message"])

    def test_leaks_of_one_line_are_told_for_each_device(self):
        self.assertEqual([f["kind"] for f in run(PROGRAM, "leaks")[3]["findings"]], ["leak", "leak"])

    def test_a_default_stream_waits_for_streams_of_its_own_device(self):
        findings = run(PROGRAM, "default-stream-of-another", WARP_WEFT_DEVICE="h200,h200")[3]["findings"]
        self.assertEqual([f["kind"] for f in findings], ["stream-race"])

    def test_a_kernels_text_is_shown_when_its_device_is_waited_for(self):
        self.assertEqual(run(PROGRAM, "prints-on-another")[1], "device 0 is done\nfrom a kernel\n")


class RealGpus(unittest.TestCase):
    maxDiff = None

    def test_the_api_answers_as_two_h200s_did(self):
        self.assertMultiLineEqual(programs.answers(API_DEVICES, "h200,h200"), programs.recorded(API_DEVICES))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
