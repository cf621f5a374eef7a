// Request to end one search, made before or while it runs.
#pragma once

#include "platform/mutex.hpp"
#include "search/limits.hpp"

namespace fourfall {

// A search that gets the token ends soon after stop(), even if stop() came before the search began. Later searches with
// other tokens are not affected. May be used from any thread.
class StopToken {
public:
    void stop() {
        const LockGuard guard(mutex_);
        is_requested_ = true;
        if (control_ != nullptr) control_->stop.store(true, std::memory_order_relaxed);
    }
    bool is_requested() const {
        const LockGuard guard(mutex_);
        return is_requested_;
    }

    // Connects a token with the control of a running search; a missing token is allowed.
    class Connection {
    public:
        Connection(StopToken* token, Control& control) : token_(token) {
            if (token_ == nullptr) return;
            const LockGuard guard(token_->mutex_);
            token_->control_ = &control;
            if (token_->is_requested_) control.stop.store(true, std::memory_order_relaxed);
        }
        ~Connection() {
            if (token_ == nullptr) return;
            const LockGuard guard(token_->mutex_);
            token_->control_ = nullptr;
        }
        Connection(const Connection&) = delete;
        Connection& operator=(const Connection&) = delete;

    private:
        StopToken* token_;
    };

private:
    mutable Mutex mutex_;  // guards the two below
    bool is_requested_ = false;
    Control* control_ = nullptr;  // of the running search
};

}  // namespace fourfall
