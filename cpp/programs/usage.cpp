#include "programs/usage.hpp"

#include <dirent.h>
#include <unistd.h>

#include <cctype>
#include <fstream>
#include <string>
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

// Pages that belong to no file.
std::uint64_t anonymous_kib(const std::string& folder) {
    std::ifstream file(folder + "/statm");
    std::uint64_t size = 0;
    std::uint64_t resident = 0;
    std::uint64_t shared = 0;
    file >> size >> resident >> shared;
    return (resident - shared) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) / 1024;
}

std::uint64_t proportional_kib(const std::string& folder) {
    std::ifstream file(folder + "/smaps_rollup");
    for (std::string word; file >> word;) {
        if (word != "Pss:") continue;
        std::uint64_t kib = 0;
        file >> kib;
        return kib;
    }
    return 0;
}

}  // namespace

std::uint64_t memory_in_use(std::uint64_t cap_kib) {
    const std::vector<std::string> folders = other_processes();
    std::uint64_t sum = 0;
    for (const std::string& folder : folders) sum += anonymous_kib(folder);
    if (sum <= cap_kib) return sum;
    sum = 0;
    for (const std::string& folder : folders) sum += proportional_kib(folder);
    return sum;
}

}  // namespace fourfall::jail
