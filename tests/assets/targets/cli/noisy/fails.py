raise ImportError("this one never loads")
