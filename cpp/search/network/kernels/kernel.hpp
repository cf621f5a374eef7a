// Interface of the kernels: the network compiled for one instruction set each.
//
// A kernel file defines classes with the vector types and matrix products of its instruction sets, and compiles the
// templates of forward.inl with them. Its code is called only if the processor has the instructions.
#pragma once

#include "search/network/network.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(FOURFALL_SCALAR)
#define FOURFALL_X86_KERNELS
#define FOURFALL_SIMD128_NAME "sse4"
#elif defined(__aarch64__) && defined(__GNUC__) && !defined(FOURFALL_SCALAR)
#define FOURFALL_SIMD128_NAME "neon"
#elif defined(__wasm_simd128__) && !defined(FOURFALL_SCALAR)
#define FOURFALL_SIMD128_NAME "wasm-simd128"
#endif

namespace fourfall::network {

struct KernelCode {
    // The convolutions of the blocks in the form that forward() expects: Network::transformed_weights().
    Bytes (*transform_weights)(const WeightsFile&);
    NetworkOutput (*forward)(const Network&, const StemConstants&, const InputPlanes&, Workspace&);
};

struct Kernel {
    const char* name;
    bool (*is_available)();
    KernelCode fastest;
    const KernelCode* float32;  // single precision, selected by kFloat32
};

extern const Kernel kPortableKernel;
#ifdef FOURFALL_SIMD128_NAME
extern const Kernel kSimd128Kernel;
#endif
#ifdef FOURFALL_X86_KERNELS
extern const Kernel kAvx2Kernel, kAvxVnniKernel, kAvx512Kernel, kAvx512VnniKernel, kAmxKernel;
extern const KernelCode kAvx512Float32Code;
#endif

}  // namespace fourfall::network
