#include "interruption.h"
#include <setjmp.h>
#include <stddef.h>

static _Thread_local jmp_buf *innermost = NULL;

int interruption_run(void (*body)(void *), void *context) {
    jmp_buf here;
    jmp_buf *outer = innermost;
    if (setjmp(here) != 0) {
        innermost = outer;
        return 1;
    }
    innermost = &here;
    body(context);
    innermost = outer;
    return 0;
}

void interruption_raise(void) {
    if (innermost != NULL) longjmp(*innermost, 1);
}
