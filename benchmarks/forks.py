"""`forks.py WORKER ROOT MODULE COUNT`: a bare fork and wait of a process that has loaded what a worker has; prints CPU seconds of one.

The yardstick of `--strict`: a process of its own for every fixture cannot cost less than this. The target is not called.
"""

import gc
import importlib
import importlib.util
import os
import resource
import sys


def cpu():
    uses = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(use.ru_utime + use.ru_stime for use in uses)


def main():
    worker, root, module, count = *sys.argv[1:4], int(sys.argv[4])
    spec = importlib.util.spec_from_file_location("worker", worker)
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    sys.path.insert(0, root)
    importlib.import_module(module)
    gc.freeze()
    before = cpu()
    for _ in range(count):
        pid = os.fork()
        if not pid:
            os._exit(0)
        os.waitpid(pid, 0)
    print((cpu() - before) / count)


if __name__ == "__main__":
    main()
