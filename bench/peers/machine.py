"""What the numbers were measured on."""

import os
import platform

# Those that decide how fast kernels can be.
FLAGS = ("avx2", "fma", "avx512f", "avx512_vnni", "avx512_bf16", "avx_vnni", "amx_tile", "amx_bf16", "amx_int8")


def describe():
    facts = {}
    with open("/proc/cpuinfo") as file:
        for line in file:
            name, _, value = line.partition(":")
            facts.setdefault(name.strip(), value.strip())
    present = facts.get("flags", "").split()
    return {
        "processor": facts.get("model name", platform.processor()),
        "flags": [flag for flag in FLAGS if flag in present],
        "cores": len(os.sched_getaffinity(0)),
        # Major and minor alone: the rest names who built the kernel.
        "system": f"{platform.system()} {'.'.join(platform.release().split('.')[:2])}, {' '.join(platform.libc_ver())}",
        "python": platform.python_version(),
    }
