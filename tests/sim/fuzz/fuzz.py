"""Fuzzing what reads files: PTX text, fat binaries and the machine code in them.

    fuzz.py replay PROGRAM CORPUS              every input that is kept, through an ordinary build
    fuzz.py hunt ptx|fatbin SECONDS [OBJECT…]  search on with libFuzzer (clang++), under the address
                                               and undefined-behaviour sanitizers; OBJECTs are nvcc's,
                                               and give the search something to begin with

A hunt keeps in CORPUS (ptx.tar.xz, fatbin.tar.xz) the smallest set of inputs that reaches all code
reached so far. An input that crashes or hangs is left in the current folder and named.
"""

import io
import struct
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMMON = HERE.parents[2] / "common"
SOURCES = {
    "ptx": ["ptx/*.cc", "ir/*.cc"],
    "fatbin": ["runtime/fatbin.cc", "runtime/cubin.cc"],
}
SECONDS_PER_INPUT = 10


def unpack(corpus, folder):
    if corpus.exists():
        with tarfile.open(corpus) as archive:
            for member in archive:
                Path(folder, Path(member.name).name).write_bytes(archive.extractfile(member).read())


def pack(folder, corpus):
    """The same inputs give the same archive: no times, no owners, names in order."""
    with tarfile.open(corpus, "w:xz") as archive:
        for path in sorted(Path(folder).iterdir()):
            member = tarfile.TarInfo(path.name)
            member.size = path.stat().st_size
            archive.addfile(member, io.BytesIO(path.read_bytes()))


def replay(program, corpus):
    with tempfile.TemporaryDirectory() as folder:
        unpack(Path(corpus), folder)
        return subprocess.run([program, folder], timeout=300).returncode


def fat_binaries(path):
    """The fat binaries in an object: they begin with their magic number, version and two sizes."""
    data, magic = Path(path).read_bytes(), struct.pack("<I", 0xBA55ED50)
    at = data.find(magic)
    while at >= 0:
        header, body = struct.unpack_from("<HQ", data, at + 6)
        yield data[at:at + header + body]
        at = data.find(magic, at + 4)


def seeds(what, objects, folder):
    for n, (path, index, binary) in enumerate((p, i, b) for p in objects for i, b in enumerate(fat_binaries(p))):
        if what == "ptx":
            begin = binary.find(b".version")
            end = binary.find(b"\0", begin)
            binary = binary[begin:end] if begin >= 0 else b""
        Path(folder, f"seed-{n}").write_bytes(binary)


def hunt(what, seconds, objects):
    corpus = HERE / f"{what}.tar.xz"
    with tempfile.TemporaryDirectory() as work:
        fuzzer, old, new = Path(work, "fuzzer"), Path(work, "old"), Path(work, "new")
        old.mkdir(), new.mkdir()
        sources = [p for pattern in SOURCES[what] for p in sorted((COMMON / "sim").glob(pattern))]
        subprocess.run(["clang++", "-std=c++20", "-O1", "-g", "-fsanitize=fuzzer,address,undefined",
                        "-fno-sanitize-recover=all", f"-I{COMMON}", *sources, HERE / f"fuzz_{what}.cc",
                        "-o", fuzzer], check=True)
        unpack(corpus, old)
        seeds(what, objects, old)
        limits = [f"-timeout={SECONDS_PER_INPUT}", "-rss_limit_mb=4096", "-max_len=60000"]
        done = subprocess.run([fuzzer, old, *limits, f"-max_total_time={seconds}", "-print_final_stats=1", "-verbosity=1"])
        if done.returncode:
            return done.returncode
        subprocess.run([fuzzer, "-merge=1", new, old, *limits], check=True)
        pack(new, corpus)
        print(f"{corpus.name}: {len(list(new.iterdir()))} inputs, {corpus.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    if sys.argv[1] == "replay":
        sys.exit(replay(*sys.argv[2:4]))
    sys.exit(hunt(sys.argv[2], int(sys.argv[3]), sys.argv[4:]))
