"""The ledger: what people decided, read strictly and never rewritten (design, section 8).

``read`` loads it (``events`` over one text, ``rows`` for one row, ``faults`` for the words), ``values`` says when two
texts mean the same, ``insert`` adds signed rows (``text`` for how a row is written, ``write`` for the disk), ``life``
is the life cycle. The predicate over it is ``gate.verdict``.
"""
