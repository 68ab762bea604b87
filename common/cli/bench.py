"""./lab bench: the solutions on a real GPU. Without one it says so: host time is no measure of a kernel."""

import ctypes

from . import build, check, labs
from .terminal import Failure


def devices():
    """How many CUDA devices the driver of this machine offers."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return 0
    count = ctypes.c_int(0)
    if driver.cuInit(0) != 0 or driver.cuDeviceGetCount(ctypes.byref(count)) != 0:
        return 0
    return count.value


def bench():
    if devices() == 0:
        raise Failure("There is no GPU here: the CUDA driver offers no device. Times come from real GPUs only; on this "
                      "machine\n./lab check and ./lab run count what the hardware would do instead.")
    chosen = [lab for lab in labs.find([]) if lab.solution.exists()]
    with build.the_only_one():
        env = build.configure()
        build.enable_gpu(env)
        built = build.build([lab.program("solution", "gpu") for lab in chosen], env, "building for the GPU")
    if built.failed:
        raise Failure("The labs do not build for the GPU:\n" + "\n".join(built.failed.values()), 1)
    results = [(lab, check.verdict.grade(build.BUILD / lab.program("solution", "gpu"), lab.name, "solution"))
               for lab in chosen]
    check.report(results, "solution")
    for lab, result in results:
        for kernel in result.record.get("kernels", []):
            if "milliseconds" in kernel:
                print(f"  {lab.name}  {kernel['name']}  {kernel['milliseconds']:.3f} ms")
    return check.exit_code(results)
