/* error_words.h - words for the numbers of errno.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#ifndef CAB_RT_ERROR_WORDS_H
#define CAB_RT_ERROR_WORDS_H

/* Return the words for ERROR, without the locale (and so without allocation). */
const char *cab_error_words (int error);

#endif
