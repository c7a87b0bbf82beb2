import sys
print("never")
def broken(:
    pass
