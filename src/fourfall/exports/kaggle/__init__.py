"""The program of a Kaggle submission: modules that the exporter joins into one file.

They need only Python and NumPy and import nothing else of the package. The last module is `agent`, because Kaggle plays
with the last function that a file defines.
"""
