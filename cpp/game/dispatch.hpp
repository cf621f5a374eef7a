// Owns the choice of instruction set: hot functions are compiled for several processors and picked at start-up.
#pragma once

// FOURFALL_MULTIVERSION marks the outermost function of a hot loop; everything it calls is inlined into each version.
// FOURFALL_PORTABLE (set by the build where function multiversioning does not work or sanitizers are on) turns it off.
#if defined(FOURFALL_PORTABLE)
#define FOURFALL_MULTIVERSION
#else
#define FOURFALL_MULTIVERSION __attribute__((flatten, target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#endif
