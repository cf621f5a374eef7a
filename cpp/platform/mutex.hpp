// Mutexes and condition variables: those of the standard library, or empty ones where the system has no threads.
#pragma once

#ifdef __wasm__
#include <utility>
#else
#include <condition_variable>
#include <mutex>
#endif

namespace fourfall {

#ifdef __wasm__

// WebAssembly: one thread, and an exception leaves the frames of all callers without running destructors
// (platform/wasm_exceptions.cpp). A mutex with a state could stay locked for ever, so these have none.
inline constexpr bool kHasThreads = false;

class Mutex {};

struct TryToLock {};
inline constexpr TryToLock kTryToLock{};

class UniqueLock {
public:
    explicit UniqueLock(Mutex&) {}
    UniqueLock(Mutex&, TryToLock) {}
    UniqueLock(UniqueLock&&) = default;
    UniqueLock& operator=(UniqueLock&&) = default;
    ~UniqueLock() {}  // not trivial, so that a lock that is never read is no unused variable

    void lock() {}
    void unlock() {}
    explicit operator bool() const { return true; }
};

class LockGuard {
public:
    explicit LockGuard(Mutex&) {}
    LockGuard(const LockGuard&) = delete;
    LockGuard& operator=(const LockGuard&) = delete;
    ~LockGuard() {}
};

// Nobody can change the condition, so that wait_for() does not wait.
class ConditionVariable {
public:
    void notify_one() {}
    void notify_all() {}
    template <class Duration, class Condition>
    bool wait_for(UniqueLock&, const Duration&, Condition&& condition) {
        return std::forward<Condition>(condition)();
    }
};

#else

inline constexpr bool kHasThreads = true;
inline constexpr std::try_to_lock_t kTryToLock{};

using Mutex = std::mutex;
using LockGuard = std::lock_guard<std::mutex>;
using UniqueLock = std::unique_lock<std::mutex>;
using ConditionVariable = std::condition_variable;

#endif

}  // namespace fourfall
