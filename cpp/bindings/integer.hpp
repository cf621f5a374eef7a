// Integer arguments of any size, so that an error can name a value that fits no machine word.
#pragma once

#include <nanobind/nanobind.h>

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace fourfall {

// A value out of the range of Value is replaced by the nearest one; text() is exact.
template <std::integral Value>
class BasicInteger {
public:
    BasicInteger() = default;
    BasicInteger(Value value) : value_(value) {}
    BasicInteger(Value nearest, std::string text) : value_(nearest), text_(std::move(text)) {}

    Value value() const { return value_; }
    bool is_clamped() const { return !text_.empty(); }
    bool is_in(Value min, Value max) const { return !is_clamped() && value_ >= min && value_ <= max; }
    std::string text() const { return is_clamped() ? text_ : std::to_string(value_); }

    // Returns the value; raises ValueError, which begins with `what`, if it is not in the range.
    Value require(const char* what, Value min, Value max = std::numeric_limits<Value>::max()) const {
        if (is_in(min, max)) return value_;
        throw nanobind::value_error(
            (std::string(what) + " must be " + std::to_string(min) + " to " + std::to_string(max) + ", not " + text())
                .c_str());
    }

private:
    Value value_ = 0;
    std::string text_;  // empty if `value_` is exact
};

using Integer = BasicInteger<std::int64_t>;
using Unsigned = BasicInteger<std::uint64_t>;

// Writes a Python integer. Python refuses to write one with thousands of digits.
inline std::string write_integer(nanobind::handle integer) {
    PyObject* text = PyObject_Str(integer.ptr());
    if (text == nullptr) {
        PyErr_Clear();
        return "an integer with thousands of digits";
    }
    return nanobind::cast<std::string>(nanobind::steal(text));
}

}  // namespace fourfall

namespace nanobind::detail {

template <class Word>
struct type_caster<fourfall::BasicInteger<Word>> {
    NB_TYPE_CASTER(fourfall::BasicInteger<Word>, const_name("int"))

    bool from_python(handle source, std::uint8_t flags, cleanup_list* cleanup) noexcept {
        make_caster<Word> caster;
        if (caster.from_python(source, flags, cleanup)) {
            value = fourfall::BasicInteger<Word>(caster.value);
            return true;
        }
        // The conversion of an integer fails only if it is out of range.
        const object integer = steal(PyIndex_Check(source.ptr()) != 0 ? PyNumber_Index(source.ptr()) : nullptr);
        if (!integer.is_valid()) {
            PyErr_Clear();
            return false;
        }
        int overflow = 0;
        const long long word = PyLong_AsLongLongAndOverflow(integer.ptr(), &overflow);
        const bool is_negative = overflow < 0 || (overflow == 0 && word < 0);
        const Word nearest = is_negative ? std::numeric_limits<Word>::min() : std::numeric_limits<Word>::max();
        try {
            value = fourfall::BasicInteger<Word>(nearest, fourfall::write_integer(integer));
        } catch (...) {
            return false;
        }
        return true;
    }
    static handle from_cpp(const fourfall::BasicInteger<Word>& integer, rv_policy policy,
                           cleanup_list* cleanup) noexcept {
        return make_caster<Word>::from_cpp(integer.value(), policy, cleanup);
    }
};

}  // namespace nanobind::detail
