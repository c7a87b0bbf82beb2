"""The report of a run. Every format that shadow writes is a view of one file (design, section 12).

``model`` holds its values, ``build`` makes them from a run, ``write`` and ``read`` are the file. For terminals: ``screen``
shows a whole report (``causes`` groups it, ``command`` and ``layout`` help), ``explain`` one fixture (``find`` looks it up).
"""
