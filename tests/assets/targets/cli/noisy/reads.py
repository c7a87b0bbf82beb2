import os

MODE = os.environ.get("MODE", "none")
