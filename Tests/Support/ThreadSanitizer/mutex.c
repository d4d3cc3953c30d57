// Shows the thread sanitizer the slow path of Swift's Mutex. Scripts/test preloads it where SANITIZE=thread.
//
// On Linux a Mutex is a word that a compare-and-exchange takes, which is compiled into its user and so seen, and for which
// a thread that has to wait calls _lockSlow() in libswiftSynchronization.so: FUTEX_LOCK_PI, where the kernel itself hands
// the word over. That library is not built with the sanitizer, and the kernel is not either. Each hand-over under contention
// is therefore missing, and what the lock guards is reported as a race: four threads that do nothing but append to a
// Mutex<[Int]> are, and so was the state of the event loop, 77 times in one run of the tests of Reachability. With this file
// neither is. Real races are reported as before, which a list of suppressions could not promise.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// Weak: the programs that tests start have no sanitizer, and get this file too.
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

// Synchronization._MutexHandle._lockSlow(UInt32) and ._unlockSlow(), whose first word is the mutex.
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

SWIFT void lock_slow(uint32_t thread, SELF mutex) __asm__(LOCK_SLOW);
SWIFT void unlock_slow(SELF mutex) __asm__(UNLOCK_SLOW);

typedef SWIFT void (*lock_function)(uint32_t, SELF);
typedef SWIFT void (*unlock_function)(SELF);

static lock_function original_lock;
static unlock_function original_unlock;

// Once, and before there are threads: dlsym() waits for a thread that loads a library at that moment, and every thread that waits for
// the mutex that is to be let go would wait with it.
__attribute__((constructor)) static void find_originals(void) {
    original_lock = (lock_function)dlsym(RTLD_NEXT, LOCK_SLOW);
    original_unlock = (unlock_function)dlsym(RTLD_NEXT, UNLOCK_SLOW);
}

SWIFT void lock_slow(uint32_t thread, SELF mutex) {
    original_lock(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF mutex) {
    if (__tsan_release) __tsan_release(mutex);
    original_unlock(mutex);
}
