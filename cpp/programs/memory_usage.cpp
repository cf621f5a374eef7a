#include "programs/memory_usage.hpp"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace fourfall::sandbox {
namespace {

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

}  // namespace

std::uint64_t measure_memory_kib(std::uint64_t limit_kib) {
    const std::vector<std::string> folders = list_other_processes();
    std::uint64_t sum = 0;
    for (const std::string& folder : folders) sum += sum_fields(folder + "/status", {"RssAnon:", "RssShmem:"});
    if (sum <= limit_kib) return sum;
    sum = 0;
    for (const std::string& folder : folders) sum += sum_fields(folder + "/smaps_rollup", {"Pss_Anon:", "Pss_Shmem:"});
    return sum;
}

}  // namespace fourfall::sandbox
