"""Where are the words of a text, and in which form are they compared? Equals src/engine/language/words.ts and fold.ts."""
import re
import sys
import unicodedata


def _ranges(characters):
    """Characters in ascending order as the inside of a regular expression's class."""
    pieces, start, last = [], None, None
    for character in characters:
        point = ord(character)
        if start is not None and point == last + 1:
            last = point
            continue
        if start is not None:
            pieces.append((start, last))
        start = last = point
    if start is not None:
        pieces.append((start, last))
    return ''.join(f'\\U{a:08x}-\\U{b:08x}' for a, b in pieces)


# Word characters of the scripts written without spaces; Python knows no scripts, so their blocks are named.
_IDEOGRAPH_BLOCKS = (
    (0x2E80, 0x2FDF), (0x3005, 0x3005), (0x3007, 0x3007), (0x3021, 0x3029), (0x3038, 0x303B), (0x3041, 0x3096),
    (0x309D, 0x309F), (0x30A1, 0x30FA), (0x30FD, 0x30FF), (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF),
    (0xF900, 0xFAD9), (0xFF66, 0xFF6F), (0xFF71, 0xFF9D),
)


def _is_ideograph(point):
    return any(first <= point <= last for first, last in _IDEOGRAPH_BLOCKS)


_word_characters = [chr(p) for p in range(sys.maxunicode + 1) if unicodedata.category(chr(p))[0] in 'LNM']
_ideographs = _ranges(c for c in _word_characters if _is_ideograph(ord(c)))
_letters = _ranges(c for c in _word_characters if not _is_ideograph(ord(c)))
_JOINERS = "'\u2019\u02bc\u00ad\u200c\u200d\u2060"
# U+02BC is a letter to Unicode and an apostrophe here, so it may join but not begin a word.
_letter = f'(?:(?!\u02bc)[{_letters}])'

# A single ideograph, or letters with at most one apostrophe or joiner between two of them.
_WORD = re.compile(f'[{_ideographs}]|{_letter}+(?:[{_JOINERS}]{_letter}+)*')
_PLAIN = re.compile('[a-z0-9а-я]+')
_NORMAL = re.compile('[\x00-\x7f\u0400-\u045f]+')
_NOT_WORD = re.compile(f'[^{_letters}{_ideographs}]+')
_POSSESSIVE = re.compile("['\u2019\u02bc]s$")
_IGNORABLE = re.compile('[\u00ad\u200c\u200d\u2060\ufeff]')
_APOSTROPHES = re.compile("['\u2019\u02bc\u02b9]")
_STRESS_MARK = re.compile('(?<=[\u0400-\u04ff])[\u0300\u0301]')


def fold(word):
    """The form in which words are compared: NFKC, lower case, ё as е, ß as ss, no apostrophes, no stress marks."""
    if _PLAIN.fullmatch(word):
        return word
    if _NORMAL.fullmatch(word):
        lower = word.lower().replace('ё', 'е')
        return _POSSESSIVE.sub('', lower).replace("'", '') if "'" in lower else lower
    word = _IGNORABLE.sub('', unicodedata.normalize('NFKC', word))
    word = _APOSTROPHES.sub('', _POSSESSIVE.sub('', word)).lower()
    word = word.replace('ё', 'е').replace('ß', 'ss').replace('ς', 'σ').replace('i\u0307', 'i')
    return _STRESS_MARK.sub('', word)


_folded = {}


def _fold_to_words(raw):
    """The words that one raw word folds to: usually one, several where NFKC spells a character out ("½" is "1⁄2")."""
    known = _folded.get(raw)
    if known is None:
        if len(raw) == 1 and _is_ideograph(ord(raw)):
            known = (unicodedata.normalize('NFKC', raw),)
        else:
            known = tuple(part for part in _NOT_WORD.split(fold(raw)) if part)
        _folded[raw] = known
    return known


def words(text, most=None):
    """The folded words of a text in order, at most `most` of them."""
    found = []
    for raw in _WORD.findall(text):
        found.extend(_fold_to_words(raw))
        if most is not None and len(found) >= most:
            return found[:most]
    return found
