"""How lit runs the tests in this folder. scripts/lit.sh starts it, and says in the environment where things are."""

import os

import lit.formats

config.name = "tilt"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".tilt", ".tir", ".loops", ".ptx"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.environ["TILT_LIT_OUTPUT"]

# FileCheck, not and split-file are those of the LLVM that the compiler is linked with.
config.environment["PATH"] = os.environ["TILT_LLVM_TOOLS"] + os.pathsep + os.environ["PATH"]
config.substitutions.append((r"%tiltc\b", os.environ["TILTC"]))
config.substitutions.append((r"%examples\b", os.path.join(config.test_source_root, "..", "..", "examples")))
