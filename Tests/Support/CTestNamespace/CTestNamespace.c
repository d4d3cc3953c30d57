#define _GNU_SOURCE
#include "include/CTestNamespace.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int namespace_errno = 0;

static int write_file(const char *path, const char *text) {
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return -1;
    ssize_t written = write(descriptor, text, strlen(text));
    close(descriptor);
    return written < 0 ? -1 : 0;
}

static int become_root_of_a_user_namespace(void) {
    char map[64];
    uid_t user = getuid();
    gid_t group = getgid();
    if (unshare(CLONE_NEWUSER) != 0) return -1;
    snprintf(map, sizeof map, "0 %u 1", user);
    if (write_file("/proc/self/setgroups", "deny") != 0 || write_file("/proc/self/uid_map", map) != 0) return -1;
    snprintf(map, sizeof map, "0 %u 1", group);
    return write_file("/proc/self/gid_map", map);
}

static int bring_loopback_up(void) {
    struct ifreq request = {.ifr_name = "lo", .ifr_flags = IFF_UP};
    int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    int result = ioctl(descriptor, SIOCSIFFLAGS, &request);
    close(descriptor);
    return result;
}

// `unshare` moves only the calling thread, so it has to happen before the process has a second one: in a constructor.
// The whole test process then runs in a network namespace of its own and can neither see nor touch the host's links.
__attribute__((constructor)) static void enter_namespaces(void) {
    if (geteuid() != 0 && become_root_of_a_user_namespace() != 0) {
        namespace_errno = errno;
        return;
    }
    if (unshare(CLONE_NEWNET | CLONE_NEWNS) != 0 || bring_loopback_up() != 0) namespace_errno = errno;
    // /sys shows the namespace of the process that mounted it; a fresh mount shows ours.
    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
    mount("sysfs", "/sys", "sysfs", 0, NULL);
}

int netwatch_test_unshare_network(void) {
    return unshare(CLONE_NEWNET);
}

// The system calls themselves: the C library would have every thread of the process do the same.
int netwatch_test_drop_privileges(void) {
    const int nobody = 65534;
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[2] = {0};
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability) >= 0; capability++) {
        if (prctl(PR_CAPBSET_DROP, capability) != 0) return errno;
    }
    // In a user namespace with one user there is no other to become.
    if (syscall(SYS_setresgid, nobody, nobody, nobody) != 0 && errno != EINVAL) return errno;
    if (syscall(SYS_setresuid, nobody, nobody, nobody) != 0 && errno != EINVAL) return errno;
    if (syscall(SYS_capset, &header, none) != 0) return errno;
    // A process that has changed its user hides its /proc from itself.
    return prctl(PR_SET_DUMPABLE, 1) == 0 ? 0 : errno;
}

int netwatch_test_namespace_errno(void) {
    return namespace_errno;
}

void netwatch_test_close_the_rest(posix_spawn_file_actions_t *actions) {
    posix_spawn_file_actions_addclosefrom_np(actions, 3);
}
