"""Compiles CUDA sources to PTX with NVRTC and no driver: nvrtc.py LIBRARY INCLUDE OUT SOURCE…

The first lines of a source say for which architectures and with which options; those that the library has not are left out:
    // arch: 70 90a
    // options: -lineinfo
"""

import ctypes
import pathlib
import re
import sys


def compile_one(nvrtc, source, arch, options):
    program = ctypes.c_void_p()
    text = source.read_bytes()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, source.name.encode(), 0, None, None)
    flags = [f"--gpu-architecture=compute_{arch}", *options]
    array = (ctypes.c_char_p * len(flags))(*(flag.encode() for flag in flags))
    status = nvrtc.nvrtcCompileProgram(program, len(flags), array)
    size = ctypes.c_size_t()
    if status != 0:
        nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        nvrtc.nvrtcGetProgramLog(program, log)
        sys.exit(f"{source.name} for {arch}:\n{log.value.decode()}")
    nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size))
    ptx = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetPTX(program, ptx)
    nvrtc.nvrtcDestroyProgram(ctypes.byref(program))
    return ptx.raw  # with the zero byte at its end, as a driver gets it


def architectures(nvrtc):
    """Those that this NVRTC compiles for; and what is added to the names of its files: nothing for the first one that was used here."""
    count, major, minor = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
    nvrtc.nvrtcGetNumSupportedArchs(ctypes.byref(count))
    supported = (ctypes.c_int * count.value)()
    nvrtc.nvrtcGetSupportedArchs(supported)
    nvrtc.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    return set(supported), "" if major.value == 12 else f"-cuda{major.value}"


def main():
    library, include, out, *sources = sys.argv[1:]
    nvrtc = ctypes.CDLL(library)
    supported, tag = architectures(nvrtc)
    includes = [f"-I{path}" for path in include.split(":")]
    for source in map(pathlib.Path, sources):
        head = source.read_text()
        archs = re.search(r"^// arch: (.*)$", head, re.M).group(1).split()
        options = re.search(r"^// options: (.*)$", head, re.M)
        options = includes + ["-std=c++17", "-default-device"] + (options.group(1).split() if options else [])
        for arch in archs:
            if int(re.sub(r"\D", "", arch)) not in supported:
                continue
            target = pathlib.Path(out) / f"{source.stem}-sm_{arch}{tag}.ptx"
            target.write_bytes(compile_one(nvrtc, source, arch, options))


main()
