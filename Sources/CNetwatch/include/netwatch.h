/*
 * libnetwatch: is this host reachable, by which link, and does it work?
 *
 * A monitor watches the kernel's links, addresses and routes, probes what it is told to, and tells each change as one
 * JSON object: the same as a line of `netwatch --json`, described by netwatch-event.schema.json.
 *
 * All functions may be called from any thread, and any number of monitors may live in one process. The callback runs
 * on the monitor's own thread; from there netwatch_start, netwatch_stop and netwatch_free must not be called on the same
 * monitor. Strings given out are UTF-8 and belong to the caller, who frees them with netwatch_string_free.
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
 * Has the callback called with the state as it is and with each change from then on; NULL ends that. Once this returns,
 * the callback before is not called any more, unless this was called from within it.
 */
void netwatch_set_callback(netwatch *monitor, netwatch_callback callback, void *context);

/*
 * Starts to watch, and returns when the state is known. Returns 0, or -1 with a sentence in *error, if error is not
 * NULL. Starting twice is no error, and neither is starting again after a stop.
 */
int netwatch_start(netwatch *monitor, char **error);

/* The state as it is, as an event of the kind "snapshot". NULL only where memory is exhausted. */
char *netwatch_current(netwatch *monitor);

/* Probes everything now, and returns at once: the results come as events. */
void netwatch_check(netwatch *monitor);

/* Stops to watch. No callback is called after this returns. */
void netwatch_stop(netwatch *monitor);

/* Stops, and frees the monitor. NULL is ignored. */
void netwatch_free(netwatch *monitor);

/* Frees a string that one of these functions gave out. NULL is ignored. */
void netwatch_string_free(char *string);

#ifdef __cplusplus
}
#endif
#endif
