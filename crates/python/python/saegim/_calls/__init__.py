"""The methods of ``Memory``, by area. The same methods of ``AsyncMemory`` are generated from them: see ``generate.py``."""
