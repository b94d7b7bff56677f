"""Stock of the warehouse."""
import json


class Stock:
    """What is on the shelves."""

    def __init__(self, items):
        self.items = dict(items)

    def take(self, name, count=1):
        if self.items.get(name, 0) < count:
            raise KeyError(name)

        self.items[name] -= count
        return count


def load(path):
    with open(path) as file:
        return Stock(json.load(file))
