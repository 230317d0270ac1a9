/* The same loops with few registers: an event has no more words than there are some for.
   flags: -fno-omit-frame-pointer -mstackrealign -ffixed-r14 -ffixed-r15  */
#include "turns.c"
