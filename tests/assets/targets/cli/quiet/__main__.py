import os

from .heavy import LOADED_BY

print("warm" if os.getpid() != LOADED_BY else "cold")


def main():
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
