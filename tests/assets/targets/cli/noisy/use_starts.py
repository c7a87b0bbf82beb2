"""Its import of starts can be told from outside."""

import sys

from noisy import starts as told

print("ran", sorted(name for name in vars(told) if name.isupper()), [vars(told)[name] for name in vars(told) if name.isupper()], sys.argv[1:])
