"""Errors of data sets."""


class DatasetError(ValueError):
    """Bad input: options that contradict each other, or a file that is not a data set; the message names it."""


class DatasetFailure(RuntimeError):  # noqa: N818 (the failure of a valid request)
    """A failure of the system, such as a full disk or a missing package."""
