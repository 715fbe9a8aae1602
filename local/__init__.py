"""The local room: an AWS on this machine, the deployed template, bots, players and soak runs.

Nothing of this package is ever deployed.
"""
