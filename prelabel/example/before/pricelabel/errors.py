"""What can be wrong with a product."""


class LabelError(ValueError):
    """No label can be made. The till catches this and prints a blank label."""
