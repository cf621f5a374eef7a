#include "programs/namespaces.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>
#include <sstream>

namespace fourfall::sandbox {
namespace {

constexpr int kMountSetattr = 442;
constexpr int kRecursive = 0x8000;
constexpr std::uint64_t kReadOnlyNoSetuid = 1 | 2;

struct MountAttributes {
    std::uint64_t set, clear, propagation, user_namespace;
};

bool write_file(const std::string& path, const std::string& text) {
    const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) return false;
    const bool written = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    close(file);
    return written;
}

// Maps every id of this process's namespace to itself; without root only the own id can be mapped.
std::string make_identity_map(const char* map, bool root, unsigned own) {
    std::ostringstream text;
    if (!root) {
        text << own << ' ' << own << " 1\n";
        return text.str();
    }
    std::ifstream known(map);
    for (std::uint64_t inside = 0, outside = 0, count = 0; known >> inside >> outside >> count;) {
        text << inside << ' ' << inside << ' ' << count << '\n';
    }
    return text.str();
}

bool mount_private(const std::string& folder, const char* options) {
    return mount("fourfall", folder.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, options) == 0;
}

}  // namespace

pid_t fork_into_namespaces() {
    constexpr unsigned long kFlags = CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWNS | SIGCHLD;
    return static_cast<pid_t>(syscall(SYS_clone, kFlags, nullptr, nullptr, nullptr, nullptr));
}

bool map_users(pid_t child) {
    const std::string folder = "/proc/" + std::to_string(child) + "/";
    const bool root = geteuid() == 0;
    if (!root && !write_file(folder + "setgroups", "deny")) return false;
    return write_file(folder + "uid_map", make_identity_map("/proc/self/uid_map", root, geteuid())) &&
           write_file(folder + "gid_map", make_identity_map("/proc/self/gid_map", root, getegid()));
}

MountState restrict_mounts(const std::string& scratch_folder) {
    MountState state;
    if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return state;
    MountAttributes attributes{kReadOnlyNoSetuid, 0, 0, 0};
    if (syscall(kMountSetattr, -1, "/", kRecursive, &attributes, sizeof attributes) != 0) return state;
    state.is_read_only = mount_private(scratch_folder, "size=64m,nr_inodes=4096,mode=1777");
    mount_private("/dev/shm", "size=16m,nr_inodes=256,mode=1777");
    state.has_private_proc = mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, nullptr) == 0;
    return state;
}

}  // namespace fourfall::sandbox
