#include "programs/usage.hpp"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace fourfall::jail {
namespace {

std::vector<std::string> other_processes() {
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

// The sum of these fields of a file of /proc, in KiB.
std::uint64_t sum_of(const std::string& path, std::initializer_list<std::string_view> fields) {
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

std::uint64_t memory_in_use(std::uint64_t cap_kib) {
    const std::vector<std::string> folders = other_processes();
    std::uint64_t sum = 0;
    for (const std::string& folder : folders) sum += sum_of(folder + "/status", {"RssAnon:", "RssShmem:"});
    if (sum <= cap_kib) return sum;
    sum = 0;
    for (const std::string& folder : folders) sum += sum_of(folder + "/smaps_rollup", {"Pss_Anon:", "Pss_Shmem:"});
    return sum;
}

}  // namespace fourfall::jail
