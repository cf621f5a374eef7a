"""Tests of the C++ code on this processor, in WebAssembly and on aarch64."""
