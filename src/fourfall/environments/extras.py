"""The error for a framework that is not installed."""


def make_import_error(subject: str, extra: str, error: ImportError) -> ImportError:
    """Return an error that says which extra installs the framework that `subject` needs.

    >>> print(make_import_error("the Gymnasium environment", "gymnasium", ModuleNotFoundError(name="gymnasium")))
    the Gymnasium environment needs the package gymnasium; install it with: pip install "fourfall[gymnasium]"
    """
    package = error.name or extra
    return ImportError(f'{subject} needs the package {package}; install it with: pip install "fourfall[{extra}]"')
