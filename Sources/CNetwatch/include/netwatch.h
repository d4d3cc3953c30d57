/*
 * libnetwatch: is this host reachable, by which link, and does it work?
 *
 * A monitor watches the kernel's links, addresses and routes, probes what it is told to, and tells each change as one
 * JSON object: the same as a line of `netwatch --json`, described by netwatch-event.schema.json. It is told to a callback,
 * or taken by a program that has a loop of its own (netwatch_fd).
 *
 * All functions may be called from any thread, and any number of monitors may live in one process. The callback runs
 * on the monitor's own thread; from there no function that waits (netwatch_start, netwatch_stop, netwatch_free,
 * netwatch_configure, netwatch_wait, netwatch_explain) must be called on the same monitor. Strings given out are UTF-8 and
 * belong to the caller, who frees them with netwatch_string_free.
 *
 * On the monitor's own thread all signals are blocked but those of faults, and what a callback starts there inherits
 * that: a thread, or a program by fork(), posix_spawn() or system(), which SIGTERM then does not end. Give it a mask of
 * its own (posix_spawnattr_setsigmask; pthread_sigmask in the child or in the new thread), or start it from a thread of
 * yours.
 *
 * The child of a fork() has no monitor: what its parent's is given does nothing there, and fails where it can say so;
 * netwatch_free returns at once and frees nothing. It may make monitors of its own.
 *
 * The library needs no OpenSSL that is set up, and leaves one alone that is. Where it is the first to use OpenSSL in the
 * process, it has OpenSSL not tidy up at exit (OPENSSL_INIT_NO_ATEXIT). exit() waits for what the monitors' threads are
 * doing, for a second at most; in an exit handler that was registered before the first netwatch_create, what waits for them
 * fails or does nothing, netwatch_free too. So does what other threads wait for by then: they can be joined there. A
 * callback that takes longer than that second may still run.
 */
#ifndef NETWATCH_H
#define NETWATCH_H

#ifdef __cplusplus
extern "C" {
#endif

/* A monitor. */
typedef struct netwatch netwatch;

/* Takes an event, which is valid during the call only, and the context given with the callback. */
typedef void (*netwatch_callback)(const char *event, void *context);

/* The library's version, for example "0.1.0". Never to be freed. */
const char *netwatch_version(void);

/*
 * Makes a monitor that has not started yet. The configuration is a JSON object, described in
 * Documentation/Configuration.md; NULL or "{}" is the default. An unknown key is an error. Returns NULL on failure and
 * stores a sentence that says why in *error, if error is not NULL.
 */
netwatch *netwatch_create(const char *configuration, char **error);

/*
 * Watches and probes by another configuration from now on, or from the next start on. What both have in common keeps its
 * results. Returns 0, or -1 with a sentence in *error, if error is not NULL; the configuration before then stays.
 */
int netwatch_configure(netwatch *monitor, const char *configuration, char **error);

/*
 * Has the callback called with the state as it is and with each change from then on; NULL ends that. Once this returns,
 * the callback before is not called any more, unless this was called from within it.
 */
void netwatch_set_callback(netwatch *monitor, netwatch_callback callback, void *context);

/*
 * A descriptor that poll(2), epoll(7) and the like find readable while netwatch_next has an event to give: first the state
 * as it is, once the monitor has started, then each change. It stays the same over stops and starts and is closed by
 * netwatch_free; do not read or close it. Events that are not taken become one, with their number in "skipped". Returns
 * -1 where there is no descriptor to be had.
 */
int netwatch_fd(netwatch *monitor);

/* The next event, if netwatch_fd was called before and there is one; else NULL, at once. */
char *netwatch_next(netwatch *monitor);

/*
 * Starts to watch, and returns when the state is known. Returns 0, or -1 with a sentence in *error, if error is not
 * NULL. Starting twice is no error, and neither is starting again after a stop.
 */
int netwatch_start(netwatch *monitor, char **error);

/*
 * Waits until the state is as wanted, for so many milliseconds at most; a negative number is for ever, and 0 asks whether
 * it is so now. The condition is what `netwatch wait --for` takes: "full", "limited", "portal", "local", "path",
 * "ethernet", "wifi", "wwan", or the name of a target. Returns 1 once it is so, 0 when the time is over, and -1 with a
 * sentence in *error, if error is not NULL, where the condition means nothing or the process ends. Nothing is known
 * before the start.
 */
int netwatch_wait(netwatch *monitor, const char *condition, int milliseconds, char **error);

/*
 * Looks at each step of the way to a URL, a host or a target (NULL for the first target), and says which is broken and
 * what to try: the JSON object of `netwatch explain --json`. It takes some seconds where something is broken. The monitor
 * need not be started. Returns NULL on failure with a sentence in *error, if error is not NULL.
 */
char *netwatch_explain(netwatch *monitor, const char *subject, char **error);

/* The state as it is, as an event of the kind "snapshot". NULL only where memory is exhausted, and after a fork(). */
char *netwatch_current(netwatch *monitor);

/* Probes everything now, and returns at once: the results come as events. */
void netwatch_check(netwatch *monitor);

/* Stops to watch. No callback is called after this returns. */
void netwatch_stop(netwatch *monitor);

/*
 * Stops, frees the monitor, and waits for the end of its thread. NULL is ignored. A netwatch_wait under way on another thread
 * returns 0; no other function of this monitor may be under way, and none may be called from then on.
 */
void netwatch_free(netwatch *monitor);

/* Frees a string that one of these functions gave out. NULL is ignored. */
void netwatch_string_free(char *string);

#ifdef __cplusplus
}
#endif
#endif
