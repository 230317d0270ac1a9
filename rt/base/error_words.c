/* error_words.c - the words for errors, as in the C library.
 * SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1
 */
#include "rt/base/error_words.h"
#include <errno.h>


static const struct
{
  int error;
  const char *words;
} errors[] = {
  { EPERM, "Operation not permitted" },
  { ENOENT, "No such file or directory" },
  { ESRCH, "No such process" },
  { EINTR, "Interrupted system call" },
  { EIO, "Input/output error" },
  { ENXIO, "No such device or address" },
  { E2BIG, "Argument list too long" },
  { ENOEXEC, "Exec format error" },
  { EBADF, "Bad file descriptor" },
  { EAGAIN, "Resource temporarily unavailable" },
  { ENOMEM, "Cannot allocate memory" },
  { EACCES, "Permission denied" },
  { EFAULT, "Bad address" },
  { EBUSY, "Device or resource busy" },
  { EEXIST, "File exists" },
  { EXDEV, "Invalid cross-device link" },
  { ENODEV, "No such device" },
  { ENOTDIR, "Not a directory" },
  { EISDIR, "Is a directory" },
  { EINVAL, "Invalid argument" },
  { ENFILE, "Too many open files in system" },
  { EMFILE, "Too many open files" },
  { ENOTTY, "Inappropriate ioctl for device" },
  { ETXTBSY, "Text file busy" },
  { EFBIG, "File too large" },
  { ENOSPC, "No space left on device" },
  { ESPIPE, "Illegal seek" },
  { EROFS, "Read-only file system" },
  { EMLINK, "Too many links" },
  { EPIPE, "Broken pipe" },
  { ENAMETOOLONG, "File name too long" },
  { ENOSYS, "Function not implemented" },
  { ENOTEMPTY, "Directory not empty" },
  { ELOOP, "Too many levels of symbolic links" },
  { EOVERFLOW, "Value too large for defined data type" },
  { EOPNOTSUPP, "Operation not supported" },
  { EPROTOTYPE, "Protocol wrong type for socket" },
  { ENOTSOCK, "Socket operation on non-socket" },
  { EADDRINUSE, "Address already in use" },
  { ECONNREFUSED, "Connection refused" },
  { ECONNRESET, "Connection reset by peer" },
  { ETIMEDOUT, "Connection timed out" },
  { ESTALE, "Stale file handle" },
  { EDQUOT, "Disk quota exceeded" }
};

const char *
cab_error_words (int error)
{
  for (unsigned i = 0; i < sizeof errors / sizeof errors[0]; i++)
    if (errors[i].error == error)
      return errors[i].words;
  return "unknown error";
}
