"""The tests of Fourfall; they mirror the package."""
