"""One product in, one label out."""

import sys
import unicodedata
from decimal import Decimal, InvalidOperation

from pricelabel.errors import LabelError

CENT = Decimal("0.01")


def make_label(product):
    """The label of a product. With "print" set it also goes to the label printer, on stdout."""
    if not isinstance(product, dict) or not isinstance(product.get("name"), str):
        raise LabelError("a product needs a name")
    label = {
        "title": title(product["name"]),
        "price": price(product.get("price", "0")),
        "allergens": allergens(product.get("allergens")),
        "supplier": product.get("supplier"),
    }
    if product.get("print"):
        sys.stdout.write("%s %s\n" % (label["title"], label["price"]))
    return label


def title(name):
    """One line, single spaces, accents as the printer's font has them."""
    return unicodedata.normalize("NFC", " ".join(name.split()))


def price(text):
    """A price with two decimals and its currency."""
    try:
        value = Decimal(str(text))
    except InvalidOperation:
        raise LabelError("bad price: %r" % (text,)) from None
    return "%s EUR" % value.quantize(CENT)


def allergens(names):
    """Sorted names; None where nobody stated any, which is not the same as a product that has none."""
    if names is None:
        return None
    return sorted({name.strip().lower() for name in names})
