"""Tools for the maintenance of the repository; not part of the package."""
