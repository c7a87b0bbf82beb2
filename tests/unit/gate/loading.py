"""The worker as a module of the tests' own process, for what needs no process."""

import importlib.util

import gate.runner


def load_worker():
    spec = importlib.util.spec_from_file_location("shadow_worker", gate.runner.WORKER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
