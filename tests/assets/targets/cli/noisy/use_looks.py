"""Its import of looks can be told from outside."""

import sys

from noisy import looks as told

print("ran", sorted(name for name in vars(told) if name.isupper()), [vars(told)[name] for name in vars(told) if name.isupper()], sys.argv[1:])
