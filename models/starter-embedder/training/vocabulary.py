"""Which stems have a row of their own, in which order?"""
from collections import Counter

from sources import RUNNING_TEXT
from stems import stem
from words import words

_WORDS_COUNTED = 300  # of each text
_LONGEST_STEM = 24  # characters


def choose_vocabulary(pairs, size):
    """(stems, counts, texts): the commonest stems, those of running text first; in how many of its texts each stands."""
    everywhere, running, texts = Counter(), Counter(), 0
    for source, both in pairs.items():
        for text in (text for pair in both for text in pair):
            # dict keeps the order of the text, a set would make ties depend on the hash seed
            stems = dict.fromkeys(stem(word) for word in words(text, _WORDS_COUNTED))
            everywhere.update(stems.keys())
            if source in RUNNING_TEXT:
                texts += 1
                running.update(stems.keys())
    known = [
        stem_ for stem_, count in everywhere.most_common()
        if len(stem_) <= _LONGEST_STEM and (count >= 3 or (count == 2 and len(stem_) > 3))
    ][:size]
    known.sort(key=lambda stem_: -running[stem_])
    return known, [running[stem_] for stem_ in known], texts
