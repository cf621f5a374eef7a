// Exceptions in WebAssembly: a C++ exception becomes a JavaScript exception.
//
// The C++ library for WebAssembly cannot unwind the stack. `throw` therefore calls a JavaScript function, which throws.
// That leaves the frames of all C++ functions: no destructor and no catch block runs. The caller in JavaScript restores
// the global __stack_pointer to its value before the call. Objects of the abandoned frames are lost memory, and an
// object whose method threw may be half changed; the caller should release an engine after an error.
#ifdef __wasm__

#include <cstddef>
#include <cstdlib>
#include <exception>
#include <typeinfo>

extern "C" {

// Imported: throws a JavaScript exception. `type` is the mangled name of the C++ type, `message` the text of what();
// both end with a zero byte.
[[noreturn, clang::import_module("fourfall"), clang::import_name("throw_exception")]] void fourfall_throw_exception(
    const char* type, const char* message);

void* __cxa_allocate_exception(std::size_t bytes) noexcept {
    void* memory = std::malloc(bytes);
    if (memory == nullptr) std::abort();
    return memory;
}

void __cxa_free_exception(void* memory) noexcept { std::free(memory); }

// All types that the core and the standard library throw have std::exception as their first base class.
[[noreturn]] void __cxa_throw(void* exception, std::type_info* type, void (*)(void*)) {
    fourfall_throw_exception(type->name(), static_cast<const std::exception*>(exception)->what());
}

}  // extern "C"

#endif
