"""Runs a command on a kernel that lacks something: `python kernel.py landlock -- command ..`.

A seccomp filter that the command inherits answers the calls in question as an older or locked-down kernel would. So the
product is tried as it degrades, without a switch in it that turns anything off. Standard library, Python 3.8 and newer.
"""

import ctypes
import errno
import os
import struct
import sys

LOAD, EQUAL, GIVE = 0x20, 0x15, 0x06
FINE, FAIL = 0x7FFF0000, 0x00050000
PRCTL = {"x86_64": 157, "aarch64": 167}[os.uname().machine]
CREATE_RULESET = 444
NR, FIRST, SIZE = 0, 16, 32  # offsets: number of the call, its first argument, its second or third

LACKING = {
    # no Landlock: Linux before 5.13, or built without
    "landlock": [(LOAD, 0, 0, NR), (EQUAL, 0, 1, CREATE_RULESET), (GIVE, 0, 0, FAIL | errno.ENOSYS)],
    # Landlock is there and was not switched on at boot
    "landlock-off": [(LOAD, 0, 0, NR), (EQUAL, 0, 1, CREATE_RULESET), (GIVE, 0, 0, FAIL | errno.EOPNOTSUPP)],
    # rules with a scope (24 bytes) are refused: kernels that say they are newer than they are
    "scope": [
        (LOAD, 0, 0, NR), (EQUAL, 0, 3, CREATE_RULESET), (LOAD, 0, 0, FIRST + 8), (EQUAL, 0, 1, 24), (GIVE, 0, 0, FAIL | errno.EINVAL),
    ],
    # every rule set is refused
    "rules": [
        (LOAD, 0, 0, NR), (EQUAL, 0, 3, CREATE_RULESET), (LOAD, 0, 0, FIRST + 8), (EQUAL, 1, 0, 0), (GIVE, 0, 0, FAIL | errno.EINVAL),
    ],
    # no further filter may be added
    "seccomp": [(LOAD, 0, 0, NR), (EQUAL, 0, 3, PRCTL), (LOAD, 0, 0, FIRST), (EQUAL, 0, 1, 22), (GIVE, 0, 0, FAIL | errno.EPERM)],
    "no-new-privs": [(LOAD, 0, 0, NR), (EQUAL, 0, 3, PRCTL), (LOAD, 0, 0, FIRST), (EQUAL, 0, 1, 38), (GIVE, 0, 0, FAIL | errno.EPERM)],
}  # fmt: skip


class Program(ctypes.Structure):
    _fields_ = [("lines", ctypes.c_ushort), ("at", ctypes.c_void_p)]


def lack(names):
    """Take these away from this process and all that it starts."""
    libc = ctypes.CDLL(None, use_errno=True)
    lines = [line for name in names for line in LACKING[name]] + [(GIVE, 0, 0, FINE)]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in lines))
    program = Program(len(lines), ctypes.addressof(code))
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.byref(program), 0, 0):
        raise OSError(ctypes.get_errno(), "this kernel cannot be made to lack anything")


if __name__ == "__main__":
    end = sys.argv.index("--")
    lack(sys.argv[1:end])
    os.execv(sys.argv[end + 1], sys.argv[end + 1 :])  # noqa: S606  # the command takes the place of this process
