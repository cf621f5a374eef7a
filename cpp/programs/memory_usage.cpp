// Adds up the memory of all processes of a sandbox from /proc.
#include "programs/memory_usage.hpp"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <fstream>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fourfall::sandbox {
namespace {

// What the kernel holds for a socket or a pipe if nobody reads it. Measured for sockets with the default buffers of
// Linux: 231 KiB.
constexpr std::uint64_t kSocketBufferKib = 240;
constexpr std::uint64_t kPipeBufferKib = 64;

// The folders of all processes in /proc except the calling one.
std::vector<std::string> list_other_processes() {
    const std::string own = std::to_string(getpid());
    std::vector<std::string> folders;
    DIR* processes = opendir("/proc");
    while (const dirent* entry = processes == nullptr ? nullptr : readdir(processes)) {
        const std::string name = entry->d_name;
        if (std::isdigit(static_cast<unsigned char>(name[0])) != 0 && name != own) folders.push_back("/proc/" + name);
    }
    if (processes != nullptr) closedir(processes);
    return folders;
}

// The sum of some fields of a file in /proc, in KiB.
std::uint64_t sum_fields(const std::string& path, std::initializer_list<std::string_view> fields) {
    std::ifstream file(path);
    std::uint64_t sum = 0;
    for (std::string word; file >> word;) {
        if (std::find(fields.begin(), fields.end(), word) == fields.end()) continue;
        std::uint64_t kib = 0;
        file >> kib;
        sum += kib;
    }
    return sum;
}

// What the buffers of the open sockets and pipes of these processes can hold, in KiB. A descriptor that several
// processes share counts once. A process whose descriptors cannot be read counts as if it had the maximum of sockets.
std::uint64_t sum_buffers_kib(const std::vector<std::string>& processes) {
    std::set<std::string> buffers;
    std::uint64_t sum = 0;
    for (const std::string& process : processes) {
        DIR* descriptors = opendir((process + "/fd").c_str());
        if (descriptors == nullptr && errno == EACCES) sum += kMaxDescriptors * kSocketBufferKib;
        while (const dirent* entry = descriptors == nullptr ? nullptr : readdir(descriptors)) {
            std::array<char, 64> target{};  // for example socket:[1234]
            const ssize_t size = readlinkat(dirfd(descriptors), entry->d_name, target.data(), target.size());
            if (size <= 0) continue;
            const std::string name(target.data(), static_cast<std::size_t>(size));
            const std::uint64_t kib = name.starts_with("socket:") ? kSocketBufferKib
                                      : name.starts_with("pipe:") ? kPipeBufferKib
                                                                  : 0;
            if (kib > 0 && buffers.insert(name).second) sum += kib;
        }
        if (descriptors != nullptr) closedir(descriptors);
    }
    return sum;
}

}  // namespace

std::uint64_t measure_memory_kib(std::uint64_t limit_kib) {
    const std::vector<std::string> folders = list_other_processes();
    const std::uint64_t buffers = sum_buffers_kib(folders);
    std::uint64_t sum = buffers;
    for (const std::string& folder : folders) sum += sum_fields(folder + "/status", {"RssAnon:", "RssShmem:"});
    if (sum <= limit_kib) return sum;
    sum = buffers;
    for (const std::string& folder : folders) sum += sum_fields(folder + "/smaps_rollup", {"Pss_Anon:", "Pss_Shmem:"});
    return sum;
}

}  // namespace fourfall::sandbox
