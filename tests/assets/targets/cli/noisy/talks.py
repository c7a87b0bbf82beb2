print("said at import")
