"""Fourfall in the frameworks of others: environments for Gymnasium and PettingZoo, a game for OpenSpiel.

Each module needs the extra of its name: `fourfall.environments.gymnasium`, `fourfall.environments.pettingzoo` and
`fourfall.environments.openspiel`. The import of this package imports no framework.
"""
