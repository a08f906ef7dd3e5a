// A thread that lives as long as the process.

#ifndef TPICK_LASTING_THREAD_H
#define TPICK_LASTING_THREAD_H

// Does work there, and waits for it. A child that asks to be ended with its parent (PR_SET_PDEATHSIG, prctl(2)) ends with
// the thread that started it: one that comes and goes would take it along.
// Returns what the work returns, or an errno where there is no thread for it.
int on_lasting_thread(int (*work)(void *), void *argument);

#endif
