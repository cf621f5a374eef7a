"""The weights of the network as text. The exporter replaces the empty text; without weights no network is used."""

WEIGHTS = ""
