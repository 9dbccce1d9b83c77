"""The version of the package and of the program in it."""

__version__ = "0.1.0-dev"
