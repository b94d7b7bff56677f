"""Which forms belong to one word? Equals `stem(word, 'en')` of src/engine/language/stem.ts."""
import functools
import re
import unicodedata

import snowballstemmer

from porter import stem_english

_LONGEST_STEMMED = 40  # UTF-16 units, as in stem.ts
_NORMAL = re.compile('[\x00-\x7f\u0400-\u045f]+')
_ACCENTS_OF_LATIN = re.compile('([a-z])[\u0300-\u036f]+')
_stem_russian = snowballstemmer.stemmer('russian').stemWord


def _without_accents(word):
    if _NORMAL.fullmatch(word):
        return word
    bare = _ACCENTS_OF_LATIN.sub(r'\1', unicodedata.normalize('NFD', word))
    return unicodedata.normalize('NFC', bare).replace('ł', 'l').replace('ø', 'o').replace('đ', 'd')


@functools.lru_cache(maxsize=None)
def stem(word):
    """The stem of a folded word: Russian rules for Cyrillic, English ones for Latin, others and digits unchanged."""
    if len(word.encode('utf-16-le')) // 2 > _LONGEST_STEMMED or re.search('[0-9]', word):
        return word
    first = ord(word[0])
    if 0x400 <= first <= 0x52F:
        stemmed = _stem_russian(word)
    elif 0x61 <= first <= 0x7A or 0xC0 <= first <= 0x24F:
        stemmed = stem_english(word)
    else:
        return word
    return _without_accents(stemmed) if stemmed else word
