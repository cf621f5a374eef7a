"""Tests of the environments for Gymnasium, PettingZoo and OpenSpiel."""
