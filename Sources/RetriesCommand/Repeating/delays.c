// Sleeps now and then where threads meet, so that a test fails if it relies on something being done in time, or in an order.
//
// Every process of a run loads it; it acts in the one that runs tests. RETRIES_DELAYS is `PERCENT,MICROSECONDS,FILE`: the share of
// calls that sleep, the longest sleep, and a file to make as a sign that it acts.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static volatile double percent, longest;  // 0 until it acts

static long nanoseconds(void) {
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000L + now.tv_nsec;
}

// A number from 0 to 1, without a lock, which would order the threads.
static double number(void) {
    static __thread unsigned state;
    if (!state) state = (unsigned)nanoseconds() ^ (unsigned)gettid() << 16;
    return rand_r(&state) / (RAND_MAX + 1.0);
}

static void delay(void) {
    if (percent == 0 || number() * 100 >= percent) return;
    int error = errno;
    double part = number();
    // Squared, so that most sleeps are short: some orders show only after a long one, but a run has to end, too.
    struct timespec time = {0, (long)(longest * 1000 * part * part)};
    // A test that locks a million times would seem to hang. So after its first second of sleep, a thread sleeps for no more than
    // two thirds of the time.
    static __thread long start, slept;
    if (!start) start = nanoseconds();
    if (slept > 1000000000L + (nanoseconds() - start) / 3 * 2) return;
    slept += time.tv_nsec;
    nanosleep(&time, NULL);
    errno = error;
}

// Begins with the first test, because loading and finding tests would take longest of all. XCTest writes `Test Suite 'All tests'
// started` with fwrite, Swift Testing `Test run started` with fputs.
static void watch(const char *text, size_t size) {
    char program[4096] = "", sign[4096];
    double share, time;
    const char *settings = getenv("RETRIES_DELAYS");
    if (percent > 0 || !settings || !memmem(text, size, " started", 8)) return;
    // SwiftPM's native build system and Swift Build name the process that runs tests in these ways.
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) return;
    if (!strstr(program, ".xctest") && !strstr(program, "-test-runner")) return;
    if (sscanf(settings, "%lf,%lf,%4095[^\n]", &share, &time, sign) != 3) return;
    close(open(sign, O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
    longest = time;
    percent = share;
}

// Each function below stands before one of the C library, or of a sanitizer, which it calls.
#define FIND(name) static __typeof__(&name) next; if (!next) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
#define CALL_AFTER(action, type, name, parameters, ...) \
    type name parameters { FIND(name); action; return next(__VA_ARGS__); }
#define LATE_RETURN(type, name, parameters, ...) \
    type name parameters { FIND(name); type value = next(__VA_ARGS__); delay(); return value; }

CALL_AFTER(delay(), int, pthread_mutex_lock, (pthread_mutex_t *mutex), mutex)
LATE_RETURN(int, pthread_mutex_unlock, (pthread_mutex_t *mutex), mutex)
LATE_RETURN(int, sem_post, (sem_t *semaphore), semaphore)
LATE_RETURN(int, sem_wait, (sem_t *semaphore), semaphore)
LATE_RETURN(int, sem_timedwait, (sem_t *semaphore, const struct timespec *end), semaphore, end)
LATE_RETURN(int, epoll_wait, (int file, struct epoll_event *events, int most, int time), file, events, most, time)
CALL_AFTER(delay(), ssize_t, read, (int file, void *bytes, size_t size), file, bytes, size)
LATE_RETURN(ssize_t, write, (int file, const void *bytes, size_t size), file, bytes, size)
LATE_RETURN(ssize_t, writev, (int file, const struct iovec *parts, int count), file, parts, count)
CALL_AFTER(delay(), int, accept4, (int file, struct sockaddr *peer, socklen_t *size, int flags), file, peer, size, flags)
LATE_RETURN(int, connect, (int file, const struct sockaddr *peer, socklen_t size), file, peer, size)
LATE_RETURN(int, shutdown, (int file, int how), file, how)
CALL_AFTER(watch(text, size * count), size_t, fwrite, (const void *text, size_t size, size_t count, FILE *file),
           text, size, count, file)
CALL_AFTER(watch(text, strlen(text)), int, fputs, (const char *text, FILE *file), text, file)

// libdispatch and Swift wait and wake threads by it, as the C library has no function for that. Others have fewer arguments.
long syscall(long call, ...) {
    FIND(syscall);
    va_list list;
    va_start(list, call);
    long words[6];
    for (int index = 0; index < 6; index++) words[index] = va_arg(list, long);
    va_end(list);
    long value = next(call, words[0], words[1], words[2], words[3], words[4], words[5]);
    if (call == SYS_futex) delay();
    return value;
}

struct thread { void *(*body)(void *); void *argument; };

static void *begin_late(void *pointer) {
    struct thread thread = *(struct thread *)pointer;
    free(pointer);
    delay();
    return thread.body(thread.argument);
}

int pthread_create(pthread_t *identifier, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
    FIND(pthread_create);
    struct thread *thread = malloc(sizeof *thread);
    if (thread) *thread = (struct thread){body, argument};
    int value = thread ? next(identifier, attributes, begin_late, thread) : EAGAIN;
    delay();
    return value;
}
