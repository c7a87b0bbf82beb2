"""`forks.py ROOT MODULE COUNT`: a bare fork and wait of a process that has imported the target, COUNT times; prints CPU seconds of one.

The yardstick of `--strict`: a process of its own for every fixture cannot cost less than this.
"""

import importlib
import os
import resource
import sys


def cpu():
    uses = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in uses)


def main():
    root, module, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    sys.path.insert(0, root)
    importlib.import_module(module)
    before = cpu()
    for _ in range(count):
        pid = os.fork()
        if not pid:
            os._exit(0)
        os.waitpid(pid, 0)
    print((cpu() - before) / count)


if __name__ == "__main__":
    main()
