"""Textures, surfaces and arrays in whole programs; and what the API answers about them and other resources.

usage: test_images.py IMAGES API_RESOURCES
"""

import sys
import unittest

import programs

IMAGES, API_RESOURCES = sys.argv[1:3]


def run(program, *arguments):
    """Runs a program; returns its output and its JSON report."""
    _, output, _, report = programs.run(program, *arguments, WARP_WEFT_TEXT="0")
    return output, report


class Right(unittest.TestCase):
    def clean(self, what):
        output, report = run(IMAGES, what)
        self.assertEqual([f["message"] for f in report["findings"] if f["kind"] != "leak"], [])
        return output, report

    def test_points_and_a_filter_halfway_between_them(self):
        output, report = self.clean("read")
        self.assertEqual(output, "cudaSuccess 21 22 23 24\ncudaSuccess 6.5 7.5 8.5 9.5\n")
        counters = report["kernels"][0]["counters"]
        self.assertEqual(counters["l1tex__t_requests_pipe_tex_mem_texture.sum"], 1)
        self.assertEqual(counters["l1tex__t_sectors_pipe_tex_mem_texture.sum"], 2)

    def test_a_texture_sees_what_a_surface_wrote(self):
        self.assertEqual(self.clean("surface")[0], "cudaSuccess 1 24\n")

    def test_an_object_may_go_once_its_kernel_is_launched(self):
        self.assertEqual(self.clean("destroyed-after-the-launch")[0], "cudaSuccess 21\n")

    def test_reductions_on_a_surface(self):
        self.assertEqual(self.clean("reduce")[0], "100 696 -3 \n")

    def test_questions_about_a_texture(self):
        self.assertEqual(self.clean("ask")[0], "8 4 8 \n")


class Wrong(unittest.TestCase):
    def finding(self, what, kind, *words):
        output, report = run(IMAGES, what)
        found = [f for f in report["findings"] if f["kind"] != "leak"]
        self.assertEqual([f["kind"] for f in found], [kind], found)
        for word in words:
            self.assertIn(word, found[0]["message"])
        self.assertTrue(found[0]["file"].endswith("images.cu"))
        return output, found[0]

    def test_a_fetch_outside_of_linear_memory_gives_zero_and_is_told(self):
        output, finding = self.finding("fetch", "out-of-bounds", "fetches texel -1 of a texture of linear memory", "has 3 texels")
        self.assertEqual(output, "0 7 8 9 0 \n")
        self.assertEqual(finding["occurrences"], 2)

    def test_a_destroyed_texture(self):
        output, finding = self.finding("destroyed", "use-after-free", "destroyed before the launch", "images.cu:")
        self.assertEqual(output, "cudaSuccess 0\n")
        self.assertEqual(finding["kernel"], "sample")

    def test_a_texture_whose_array_is_free(self):
        self.finding("freed", "use-after-free", "whose memory was freed")

    def test_a_handle_of_nothing(self):
        self.finding("no-object", "api-misuse", "does not exist")

    def test_a_surface_read_as_a_texture(self):
        self.finding("surface-as-texture", "api-misuse", "a surface of two dimensions")

    def test_integers_read_as_floats(self):
        self.finding("integers-as-floats", "api-misuse", "reads floats", "integers of 8 bits")

    def test_outside_of_a_surface(self):
        output, _ = self.finding("outside", "out-of-bounds", "x = 32 bytes, y = 3", "32 bytes", "4 rows")
        self.assertTrue(output.startswith("cudaErrorIllegalAddress"))

    def test_between_two_texels_of_a_surface(self):
        output, _ = self.finding("misaligned", "misaligned", "x = 2 bytes")
        self.assertTrue(output.startswith("cudaErrorMisalignedAddress"))

    def test_a_copy_past_the_end_of_an_array(self):
        output, _ = self.finding("copy-outside", "out-of-bounds", "32 bytes x 4 rows", "row 1")
        self.assertEqual(output, "cudaErrorInvalidValue\n")


class RealGpu(unittest.TestCase):
    maxDiff = None

    def test_the_api_answers_as_an_h200_did(self):
        self.assertMultiLineEqual(programs.answers(API_RESOURCES, "h200"), programs.recorded(API_RESOURCES))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
