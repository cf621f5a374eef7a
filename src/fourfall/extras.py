"""The error message for a package that an extra of fourfall installs."""


def describe_missing_package(subject: str, extra: str, error: ImportError) -> str:
    """Return a sentence that says which extra installs the package that `subject` needs.

    >>> describe_missing_package("a plot", "plots", ModuleNotFoundError(name="matplotlib"))
    'a plot needs the package matplotlib; install it with: pip install "fourfall[plots]"'
    """
    return f'{subject} needs the package {error.name or extra}; install it with: pip install "fourfall[{extra}]"'
