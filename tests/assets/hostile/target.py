"""Every way we know in which a target can hurt what runs it. Each function is one act; a good fixture names none of them.

Syntax of Python 3.8: the acts run under every interpreter that the worker promises.
"""

import atexit
import builtins
import ctypes
import gc
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time


def run(name):
    act = globals().get("do_" + name)
    return ["ok", name] if act is None else act()


# -- it ends its process ------------------------------------------------------------------------------


def do_segv():
    ctypes.string_at(0)


def do_abort():
    os.abort()


def do_hard_exit():
    os._exit(0)


def do_exec():
    os.execv("/bin/true", ["true"])


def do_kill_self():
    os.kill(os.getpid(), signal.SIGKILL)


def do_kill_own_group():
    os.killpg(0, signal.SIGKILL)


def do_exit():
    sys.exit(3)


def do_exit_text():
    sys.exit("bye")


def do_interrupt():
    raise KeyboardInterrupt


def do_alarm():
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(10)


def do_exit_in_thread():
    thread = threading.Thread(target=os._exit, args=(5,))
    thread.start()
    thread.join()


def do_c_stack():
    sys.setrecursionlimit(10**9)
    kinds = ()
    for _ in range(10**6):
        kinds = (kinds,)
    return isinstance(1, kinds)


# -- it does not come back ----------------------------------------------------------------------------


def do_loop():
    while True:
        pass


def do_deaf_loop():
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass


def do_stop_self():
    os.kill(os.getpid(), signal.SIGSTOP)


def do_deadlock():
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()


def do_loop_with_child():
    subprocess.Popen(["/bin/sleep", "7.7e4"])  # which holds every stream open
    do_loop()


def do_endless_flush():
    class Stream:
        def flush(self):
            while True:
                pass

    sys.stdout = Stream()


def do_endless_iterator():
    while True:
        yield from ()


# -- it takes too much --------------------------------------------------------------------------------


def do_memory():
    kept = []
    while True:
        kept.append(bytes(1 << 26))


def do_recursion():
    return do_recursion()


def do_flood():
    for _ in range(500):
        sys.stdout.write("y" * (1 << 20))


def do_flood_raw():
    while True:
        os.write(2, b"y" * (1 << 20))


def do_large_value():
    return "z" * (1 << 26)


def do_large_file():
    with open("big", "wb") as file:
        while True:
            file.write(b"x" * (1 << 20))


def do_many_threads():
    event = threading.Event()
    for _ in range(50):
        threading.Thread(target=event.wait, daemon=True).start()
    event.set()
    return 1


def do_fork_bomb():
    for _ in range(6):  # 64 processes
        os.fork()
    time.sleep(0.2)
    return 1


# -- it leaves something running ----------------------------------------------------------------------


def do_thread():
    threading.Thread(target=time.sleep, args=(60,)).start()
    return 1


def do_children():
    for _ in range(3):
        subprocess.Popen(["/bin/sleep", "7.7e4"])
    return 1


def do_session_child():
    subprocess.Popen(["/bin/sleep", "7.7e4"], start_new_session=True)
    return 1


def do_daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv("/bin/sleep", ["sleep", "7.7e4"])
        os._exit(0)
    return 1


def do_deaf_daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
            os.execv("/bin/sleep", ["sleep", "7.7e4"])
        os._exit(0)
    os._exit(0)


def do_fork_and_return():
    os.fork()
    return "who am I"


def do_fork_and_raise():
    if os.fork() == 0:
        raise ValueError
    return 1


# -- it reaches for what is not its own ----------------------------------------------------------------


def do_kill_parent():
    os.kill(os.getppid(), signal.SIGKILL)


def do_stop_parent():
    os.kill(os.getppid(), signal.SIGSTOP)


def do_kill_parents_group():
    os.killpg(os.getpgid(os.getppid()), signal.SIGKILL)


def do_signal_everybody():
    reached = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                os.kill(int(name), signal.SIGCONT)  # harmless, should it ever arrive
            except OSError:
                continue
            reached.append(name)
    os.kill(-1, signal.SIGCONT)  # the kernel calls it a success, whoever was spared
    return reached


def do_trace_parent():
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.restype = ctypes.c_long
    return libc.ptrace(16, os.getppid(), None, None)  # PTRACE_ATTACH


def do_write_to_parent():
    open("/proc/%d/mem" % os.getppid(), "wb").close()


def do_network():
    import socket

    socket.create_connection(("127.0.0.1", 9), 1)


def do_write_outside():
    open(__file__, "a").close()


def do_remove_temp_root():
    os.rmdir(os.environ["TMPDIR"])


# -- descriptors --------------------------------------------------------------------------------------


def do_close_stdout():
    os.close(1)
    print("x", flush=True)


def do_close_all():
    os.closerange(0, 4096)
    return "still here"


def do_junk_everywhere():
    for fd in range(64):
        try:
            os.write(fd, b"\xff\xff\xff\xffjunk")
        except OSError:
            pass
    return 1


def do_print_junk():
    print("garbage \x00\xff{" * 20)
    return 1


def do_swap_stdout():
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    print("nowhere", flush=True)
    return 1


def do_many_descriptors():
    kept = []
    try:
        while True:
            kept.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        globals()["kept"] = kept
    return 1


# -- streams ------------------------------------------------------------------------------------------


def do_utf_16():
    sys.stdout.reconfigure(encoding="utf-16")
    print("\xe9")
    return 1


def do_no_stdout():
    sys.stdout = None
    sys.stderr = 5
    return 1


def do_raising_stdout():
    class Stream:
        def flush(self):
            raise SystemExit(9)

    sys.stdout = sys.__stdout__ = Stream()
    return 1


# -- it changes the process for whoever comes next -------------------------------------------------------


def do_atexit():
    atexit.register(print, "bye")
    return 1


def do_signals():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    return 1


def do_surroundings():
    os.chdir("/")
    os.umask(0)
    os.environ["ZZ"] = "1"
    return 1


def do_patch():
    json.dumps = json.encoder.encode_basestring = json.encoder.encode_basestring_ascii = lambda *a, **k: "pwned"
    builtins.len = lambda x: 7
    builtins.isinstance = lambda *a: True
    builtins.str = int
    builtins.type = None
    os.write = os._exit = os.getpid = os.fstat = lambda *a: 0
    return {"k": ["v"]}


def do_no_builtins():
    vars(builtins).clear()
    return 1


def do_no_modules():
    sys.modules.clear()
    return 1


def do_settrace():
    threading.settrace(lambda *a: 1 / 0)
    sys.settrace(lambda *a: 1 / 0)
    return 1


def do_limits():
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    return 1


def do_no_descriptors():
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
    return 1


def do_little_memory():
    resource.setrlimit(resource.RLIMIT_AS, (1 << 27, 1 << 27))
    return 1


def do_little_depth():
    sys.setrecursionlimit(60)
    return 1


def do_pending_alarm():
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    return 1


def do_gc():
    gc.disable()
    gc.callbacks.append(lambda *a: os._exit(7))
    return 1


def do_nobody():
    if os.getuid() == 0:
        os.setuid(65534)
    return 1


def do_new_root():
    if os.getuid() == 0:
        os.chroot(".")
    return 1


def do_displayed():
    sys.excepthook = sys.unraisablehook = lambda *a: os._exit(8)
    return 1


# -- values -------------------------------------------------------------------------------------------


def do_raising_str():
    class E(Exception):
        def __str__(self):
            raise RuntimeError

    raise E()


def do_lying_class():
    class Liar:
        __class__ = property(lambda self: os._exit(6))

    return Liar()


def do_raising_repr():
    class Loud:
        def __repr__(self):
            raise SystemExit(1)

        __str__ = __eq__ = __hash__ = __repr__

    return Loud()


def do_surrogate():
    return "\ud800"


def do_resource():
    return open(os.devnull)


def do_value_that_exits():
    def items():
        yield 1
        os._exit(9)

    return items()
