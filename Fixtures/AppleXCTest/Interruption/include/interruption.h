// Leaves frames without unwinding them, as an Objective-C exception leaves Swift's.
#ifndef INTERRUPTION_H
#define INTERRUPTION_H

/// Runs a body on this thread; returns 1 if it was interrupted, else 0.
int interruption_run(void (*body)(void *), void *context);
/// Leaves the innermost body that runs on this thread; returns if there is none.
void interruption_raise(void);

#endif
