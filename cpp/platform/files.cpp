// Opens a file by the C library, because the C++ library for WebAssembly has no file streams.
#include "platform/files.hpp"

#include <cstdio>
#include <memory>

#ifdef _WIN32
#include <filesystem>
#endif

namespace fourfall {
namespace {

std::FILE* open_file(const std::string& path) {
#ifdef _WIN32
    const std::u8string utf8(path.begin(), path.end());
    return ::_wfopen(std::filesystem::path(utf8).c_str(), L"rb");
#else
    return std::fopen(path.c_str(), "rb");
#endif
}

}  // namespace

std::optional<std::vector<std::uint8_t>> read_file(const std::string& path, std::size_t max_bytes) {
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    const std::unique_ptr<std::FILE, Close> file(open_file(path));
    if (!file) return std::nullopt;
    std::vector<std::uint8_t> data(max_bytes);
    data.resize(std::fread(data.data(), 1, data.size(), file.get()));
    if (std::ferror(file.get()) != 0) return std::nullopt;
    return data;
}

}  // namespace fourfall
