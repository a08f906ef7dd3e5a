// A thread that lives as long as the process.

#ifndef TPICK_LASTING_THREAD_H
#define TPICK_LASTING_THREAD_H

// Runs `work` on that thread and waits for it. A child that asks to be killed with its parent (PR_SET_PDEATHSIG,
// prctl(2)) is killed when the thread that started it ends, so a short-lived thread would kill it. Returns the
// result of `work`, or an errno value if the thread cannot be created.
int on_lasting_thread(int (*work)(void *), void *argument);

#endif
