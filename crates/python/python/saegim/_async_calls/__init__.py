"""The methods of ``AsyncMemory``, generated from those of ``Memory`` by ``generate.py``; only ``base`` is written by hand."""
