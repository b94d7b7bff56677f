"""How does the embedder read a text? Equals src/engine/language/embedding-features.ts feature by feature."""
import re
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sparse

from stems import stem
from words import words

# Latin spelling of Cyrillic letters, so that "контракт" and "contract" share n-grams.
_CYRILLIC = dict(zip(
    'абвгдезийклмнопрстуфхцчшщъыьэюяж',
    'a b v g d e z i i k l m n o p r s t u f h ts ch sh sch  i  e iu ia zh'.split(' '),
))
# English spelling brought near the sound, in this order; \x01 keeps "ch" while "c" becomes "k".
_LATIN = (
    ('tch', 'ch'), ('sch', 'sh'), ('ph', 'f'), ('ck', 'k'), ('qu', 'kv'), ('x', 'ks'), ('w', 'v'), ('th', 't'),
    ('ce', 'se'), ('ci', 'si'), ('cy', 'si'), ('ch', '\x01'), ('c', 'k'), ('\x01', 'ch'), ('j', 'dzh'), ('y', 'i'),
    ('gh', 'g'),
)
_HAS_CYRILLIC = re.compile('[а-я]')
_REPEATED = re.compile(r'(.)\1+')

# Weight of the n-grams of a word together, before division by the square root of their number.
_NGRAMS_OF_UNKNOWN = 1.0
_NGRAMS_OF_KNOWN = 0.5


def romanise(stem_):
    """A stem in Latin letters as it sounds, without doubled letters; the same for both scripts."""
    if _HAS_CYRILLIC.search(stem_):
        spelt = ''.join(_CYRILLIC.get(character, character) for character in stem_)
    else:
        spelt = stem_
        for written, sounds in _LATIN:
            spelt = spelt.replace(written, sounds)
    return _REPEATED.sub(r'\1', spelt)


def fnv1a(text):
    """32-bit FNV-1a of the text's UTF-8 bytes."""
    value = 2166136261
    for byte in text.encode():
        value = ((value ^ byte) * 16777619) & 0xFFFFFFFF
    return value


def ngrams(stem_):
    """The 4-grams of `<romanised stem>` and its beginning as a whole (without the final `>`)."""
    framed = f'<{romanise(stem_)}>'
    grams = [framed[at:at + 4] for at in range(max(1, len(framed) - 3))]
    if len(framed) > 5:
        grams.append(framed[:-1])
    elif len(framed) == 5:
        grams.append(framed)
    return grams


@dataclass
class FeatureTable:
    """Rows of the model: first the known stems in order, then `hashed_rows` rows that n-grams share."""
    vocabulary: dict  # stem → row
    hashed_rows: int
    common_rows: int  # stems of rows below this are so common that they give no n-grams
    max_words: int

    @property
    def rows(self):
        return len(self.vocabulary) + self.hashed_rows


class FeatureReader:
    """Turns texts into rows and weights."""

    def __init__(self, table):
        self.table = table
        self._known = {}

    def of_word(self, word):
        """(rows, weights) of a folded word; a row may occur twice."""
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = self._read_word(word)
        return known

    def _read_word(self, word):
        table, stem_ = self.table, stem(word)
        row = table.vocabulary.get(stem_)
        rows, weights = ([], []) if row is None else ([row], [1.0])
        if row is None or row >= table.common_rows:
            grams = ngrams(stem_)
            weight = (_NGRAMS_OF_UNKNOWN if row is None else _NGRAMS_OF_KNOWN) / len(grams) ** 0.5
            rows += [len(table.vocabulary) + fnv1a(gram) % table.hashed_rows for gram in grams]
            weights += [weight] * len(grams)
        return rows, weights

    def sums(self, text, max_words=None):
        """{row: summed weight} of a text, rows in the order in which they first occur."""
        total = {}
        for word in words(text, max_words or self.table.max_words):
            for row, weight in zip(*self.of_word(word)):
                total[row] = total.get(row, 0.0) + weight
        return total

    def of_text(self, text):
        """(rows, weights) of a text as the model takes them: the square root of the summed weights."""
        total = self.sums(text)
        return list(total), np.sqrt(np.array(list(total.values()))).astype(np.float32)

    def matrix(self, texts, max_words=None, square_root=True):
        """One sparse row of weights for each text, [texts, table.rows]."""
        rows, sums, ends = [], [], [0]
        for text in texts:
            total = self.sums(text, max_words)
            rows.extend(total.keys())
            sums.extend(total.values())
            ends.append(len(rows))
        data = np.array(sums, np.float64)
        if square_root:
            data = np.sqrt(data)
        return sparse.csr_matrix(
            (data.astype(np.float32), np.array(rows, np.int32), np.array(ends, np.int64)),
            shape=(len(texts), self.table.rows),
        )
