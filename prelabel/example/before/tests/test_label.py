import contextlib
import io
import unittest

from pricelabel.label import make_label


class LabelTest(unittest.TestCase):
    def test_title_is_one_line(self):
        self.assertEqual(make_label({"name": "  Flat \n white "})["title"], "Flat white")

    def test_price_has_two_decimals(self):
        self.assertEqual(make_label({"name": "Tea", "price": "2.5"})["price"], "2.50 EUR")

    def test_bad_price_is_refused(self):
        with self.assertRaises(ValueError):
            make_label({"name": "Tea", "price": "cheap"})

    def test_allergens_are_sorted(self):
        label = make_label({"name": "Bun", "allergens": ["Wheat", "egg", "wheat "]})
        self.assertEqual(label["allergens"], ["egg", "wheat"])

    def test_label_is_printed(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            make_label({"name": "Tea", "price": "2.5", "print": True})
        self.assertEqual(out.getvalue().split(), ["Tea", "2.50", "EUR"])


if __name__ == "__main__":
    unittest.main()
