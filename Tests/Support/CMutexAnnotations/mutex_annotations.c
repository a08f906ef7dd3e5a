// ThreadSanitizer sees synchronization through the atomics of code that was built with it. An uncontended `Mutex` of
// Swift's Synchronization is such an atomic, but a contended one is passed on inside the toolchain's library, which was
// built without it: every value behind it would be reported as a race. These slow paths are wrapped here and annotated,
// so that all locks are understood and no report has to be suppressed for them.

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#include <sanitizer/tsan_interface.h>

// `borrowing func` of a struct in memory: the struct's address is in the register for self.
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void (*lock_function)(uint32_t thread, SELF);
typedef SWIFT bool (*try_lock_function)(SELF);
typedef SWIFT void (*unlock_function)(SELF);

SWIFT void annotated_lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool annotated_try_lock(SELF) __asm__(TRY_LOCK);
SWIFT void annotated_unlock(SELF) __asm__(UNLOCK);

SWIFT void annotated_lock(uint32_t thread, SELF) {
  ((lock_function)dlsym(RTLD_NEXT, LOCK))(thread, self);
  __tsan_acquire(self);
}

SWIFT bool annotated_try_lock(SELF) {
  bool is_locked = ((try_lock_function)dlsym(RTLD_NEXT, TRY_LOCK))(self);
  if (is_locked) __tsan_acquire(self);
  return is_locked;
}

SWIFT void annotated_unlock(SELF) {
  __tsan_release(self);
  ((unlock_function)dlsym(RTLD_NEXT, UNLOCK))(self);
}

#endif
#endif
