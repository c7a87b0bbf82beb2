import atexit
import ctypes
import os
import sys


def act(name):
    if name == "env":
        os.environ.get("A_NAME")
        sys.exit(1)
    elif name == "atexit":
        atexit.register(lambda: open("/etc/passwd").close())
    elif name == "hard":
        os.environ.get("B_NAME")
        os._exit(4)
    elif name == "exec":
        os.execv("/bin/true", ["true"])
    elif name == "own":
        with open("made", "w") as file:
            file.write("x")
    elif name == "forever":
        while True:
            pass
    elif name == "memory":
        bytearray(1 << 40)
    elif name == "output":
        while True:
            print("y" * 100_000)
    elif name == "segv":
        ctypes.string_at(0)


if __name__ == "__main__":
    act(sys.argv[1])
