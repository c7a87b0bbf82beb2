import os

LOADED_BY = os.getpid()
