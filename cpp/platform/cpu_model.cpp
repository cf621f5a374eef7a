// The data that __builtin_cpu_supports() reads, for compilers whose run-time library does not have it (zig). CMake adds
// this file if a program with __builtin_cpu_supports() cannot be linked. The layout and the numbers are those of
// libgcc. Empty for other processors.
#ifdef __x86_64__
#include <cpuid.h>

#include <cstdint>

extern "C" {
// NOLINTBEGIN(bugprone-reserved-identifier,cppcoreguidelines-avoid-non-const-global-variables)
struct ProcessorModel {
    unsigned vendor;
    unsigned type;
    unsigned subtype;
    unsigned features[1];
};
__attribute__((visibility("hidden"))) ProcessorModel __cpu_model;
__attribute__((visibility("hidden"))) unsigned __cpu_features2[4];
// NOLINTEND(bugprone-reserved-identifier,cppcoreguidelines-avoid-non-const-global-variables)
}

namespace {

// Numbers of the features that the core asks for (tests/wheels/test_tools.py compares the list with the sources).
enum Feature : unsigned {
    kSse41 = 7,        // "sse4.1"
    kAvx2 = 10,        // "avx2"
    kFma = 14,         // "fma"
    kAvx512f = 15,     // "avx512f"
    kAvx512vl = 20,    // "avx512vl"
    kAvx512bw = 21,    // "avx512bw"
    kAvx512dq = 22,    // "avx512dq"
    kAvx512vnni = 34,  // "avx512vnni"
    kAvxvnni = 93,     // "avxvnni"
    kX8664V3 = 97,     // "x86-64-v3"
};

struct Registers {
    unsigned a = 0, b = 0, c = 0, d = 0;
};

// All zero if the processor does not have the leaf.
Registers read_cpuid(unsigned leaf, unsigned subleaf = 0) {
    Registers registers;
    if (__get_cpuid_count(leaf, subleaf, &registers.a, &registers.b, &registers.c, &registers.d) == 0) return {};
    return registers;
}

bool has_bits(unsigned value, unsigned bits) { return (value & bits) == bits; }

unsigned bit(unsigned index) { return 1U << index; }

void set_feature(Feature feature, bool is_supported) {
    if (!is_supported) return;
    if (feature < 32) {
        __cpu_model.features[0] |= bit(feature);
    } else {
        __cpu_features2[(feature - 32) / 32] |= bit(feature % 32);
    }
}

// The sets of registers that the operating system saves: 6 is SSE and AVX, 0xe0 AVX-512.
unsigned read_saved_registers(const Registers& basic) {
    if (!has_bits(basic.c, bit(27))) return 0;
    std::uint32_t low = 0, high = 0;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

// Runs before all other constructors, which may already ask for a feature.
__attribute__((constructor(101))) void read_features() {
    const Registers basic = read_cpuid(1), structured = read_cpuid(7), further = read_cpuid(7, 1);
    const Registers extended = read_cpuid(0x80000001U);
    const unsigned saved = read_saved_registers(basic);
    const bool avx = has_bits(saved, 0x6U) && has_bits(basic.c, bit(28));
    const bool avx2 = avx && has_bits(structured.b, bit(5));
    const bool fma = avx && has_bits(basic.c, bit(12));
    const bool avx512f = has_bits(saved, 0xe6U) && has_bits(structured.b, bit(16));
    set_feature(kSse41, has_bits(basic.c, bit(19)));
    set_feature(kAvx2, avx2);
    set_feature(kFma, fma);
    set_feature(kAvx512f, avx512f);
    set_feature(kAvx512dq, avx512f && has_bits(structured.b, bit(17)));
    set_feature(kAvx512bw, avx512f && has_bits(structured.b, bit(30)));
    set_feature(kAvx512vl, avx512f && has_bits(structured.b, bit(31)));
    set_feature(kAvxvnni, avx2 && has_bits(further.a, bit(4)));
    set_feature(kAvx512vnni, avx512f && has_bits(structured.c, bit(11)));
    // CMPXCHG16B, LAHF, POPCNT, SSE3 to SSE4.2; then BMI1, BMI2, F16C, LZCNT, MOVBE.
    const bool v2 =
        has_bits(basic.c, bit(0) | bit(9) | bit(13) | bit(19) | bit(20) | bit(23)) && has_bits(extended.c, bit(0));
    const bool v3 =
        has_bits(structured.b, bit(3) | bit(8)) && has_bits(basic.c, bit(22) | bit(29)) && has_bits(extended.c, bit(5));
    set_feature(kX8664V3, v2 && v3 && avx2 && fma);
}

}  // namespace
#endif  // __x86_64__
