#define _GNU_SOURCE
#include "lasting_thread.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

struct job {
  int (*work)(void *);
  void *argument;
  int result;
  bool is_done;
};

// Serializes jobs.
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct job *waiting;
// The process in which the thread runs: a fork does not inherit the thread.
static pid_t owner;

// Larger than the thread needs, because sanitizers also keep data for each thread on its stack.
enum { STACK = 1 << 20 };

static void *work_for_ever(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  while (true) {
    while (!waiting) pthread_cond_wait(&changed, &lock);
    struct job *job = waiting;
    waiting = NULL;
    pthread_mutex_unlock(&lock);
    int result = job->work(job->argument);
    pthread_mutex_lock(&lock);
    job->result = result;
    job->is_done = true;
    pthread_cond_broadcast(&changed);
  }
}

// All signals are blocked, so that other threads handle them.
static int begin(void) {
  if (owner == getpid()) return 0;
  pthread_attr_t attributes;
  int failure = pthread_attr_init(&attributes);
  if (failure) return failure;
  (void)pthread_attr_setstacksize(&attributes, STACK);
  (void)pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  failure = pthread_create(&thread, &attributes, work_for_ever, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  if (!failure) owner = getpid();
  return failure;
}

int on_lasting_thread(int (*work)(void *), void *argument) {
  struct job job = {.work = work, .argument = argument};
  pthread_mutex_lock(&turn);
  pthread_mutex_lock(&lock);
  int failure = begin();
  if (!failure) {
    waiting = &job;
    pthread_cond_broadcast(&changed);
    while (!job.is_done) pthread_cond_wait(&changed, &lock);
  }
  pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&turn);
  return failure ? failure : job.result;
}
