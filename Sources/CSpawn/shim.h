#pragma once

// Starting a program, and what it needs of Linux's own calls.

// Glibc's types stay Glibc's, in a build of the whole module too.
#pragma clang module import SwiftGlibc

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

long syscall(long number, ...);
pid_t vfork(void);

/// What a program is started with.
struct netwatch_start {
    const char *path;
    char *const *arguments;
    char *const *variables;
    /// Its standard streams.
    int streams[3];
    /// How many files it may have open, where that is less than this process may (RLIMIT_NOFILE).
    rlim_t files;
};

/// What the new process does: all by system calls, since it has the memory of the one that starts it until it executes.
static inline int netwatch_become(const struct netwatch_start *start) {
    struct rlimit limit;
    sigset_t none;
    // What is ignored would be ignored by the program, too.
    for (int number = 1; number < 65; number++) signal(number, SIG_DFL);
    if (setpgid(0, 0) < 0 || chdir("/") < 0) return errno;
    for (int target = 0; target < 3; target++) {
        int from = start->streams[target];
        if (from == target ? fcntl(from, F_SETFD, 0) < 0 : dup2(from, target) < 0) return errno;
    }
    if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return errno;
    // close_range(2), which Linux has since 5.9.
    if (syscall(436, 3, ~0u, 0) < 0)
        for (int other = 3; other < (limit.rlim_cur < 65536 ? (int)limit.rlim_cur : 65536); other++) close(other);
    if (start->files < limit.rlim_cur) {
        limit.rlim_cur = start->files;
        if (setrlimit(RLIMIT_NOFILE, &limit) < 0) return errno;
    }
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(start->path, start->arguments, start->variables);
    return errno;
}

/// Starts a program in a process group of its own, and returns once it has begun: 0, or why it has not. As posix_spawn(3) does,
/// which knows of no limits.
static inline int netwatch_spawn(const struct netwatch_start *start, pid_t *id) {
    sigset_t all, before;
    volatile int failure = 0;
    // No handler of this process may run in the other one.
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t process = vfork();
    if (process == 0) {
        failure = netwatch_become(start);
        _exit(127);
    }
    if (process < 0) failure = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (process > 0 && failure != 0) waitpid(process, NULL, 0);
    *id = process;
    return failure;
}

/// A descriptor that is ready to be read once a process has ended (pidfd_open(2)).
static inline int netwatch_pidfd_open(pid_t process) {
    return (int)syscall(SYS_pidfd_open, process, 0);
}

/// A file in memory that is closed in what is started, unless it is handed on (memfd_create(2): MFD_CLOEXEC,
/// MFD_ALLOW_SEALING).
static inline int netwatch_memory_file(const char *name) {
    return (int)syscall(SYS_memfd_create, name, 1u | 2u);
}

/// Keeps a file in memory as it is: F_ADD_SEALS with F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW and F_SEAL_WRITE (fcntl(2)).
static inline int netwatch_seal(int descriptor) {
    return fcntl(descriptor, 1033, 1 | 2 | 4 | 8);
}
