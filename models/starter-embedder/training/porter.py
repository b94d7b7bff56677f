"""Which English forms belong to one word? Porter's stemmer of 1980 with the turns that the program's stemmer takes.

The program stems English by the widespread JavaScript rendering of Porter's algorithm, which differs from the
paper in a few places: "-logi" and "-bli" are suffixes of step 2, and where "-ion" falls in step 4, the "s" or "t"
before it falls too ("direction" is "direc"). The features must agree, so the turns are taken here as well.
"""
import re

_VOWEL = '[aeiouy]'
_CONSONANTS = '[^aeiou][^aeiouy]*'
_VOWELS = '[aeiouy][aeiou]*'
_MEASURE_ABOVE_0 = re.compile(f'^({_CONSONANTS})?{_VOWELS}{_CONSONANTS}')
_MEASURE_1 = re.compile(f'^({_CONSONANTS})?{_VOWELS}{_CONSONANTS}({_VOWELS})?$')
_MEASURE_ABOVE_1 = re.compile(f'^({_CONSONANTS})?{_VOWELS}{_CONSONANTS}{_VOWELS}{_CONSONANTS}')
_HAS_VOWEL = re.compile(f'^({_CONSONANTS})?{_VOWEL}')
_SHORT = re.compile(f'^{_CONSONANTS}{_VOWEL}[^aeiouwxy]$')
_DOUBLE = re.compile(r'([^aeiouylsz])\1$')

_STEP_2 = {
    'ational': 'ate', 'tional': 'tion', 'enci': 'ence', 'anci': 'ance', 'izer': 'ize', 'bli': 'ble', 'alli': 'al',
    'entli': 'ent', 'eli': 'e', 'ousli': 'ous', 'ization': 'ize', 'ation': 'ate', 'ator': 'ate', 'alism': 'al',
    'iveness': 'ive', 'fulness': 'ful', 'ousness': 'ous', 'aliti': 'al', 'iviti': 'ive', 'biliti': 'ble', 'logi': 'log',
}
_STEP_3 = {'icate': 'ic', 'ative': '', 'alize': 'al', 'iciti': 'ic', 'ical': 'ic', 'ful': '', 'ness': ''}
_SUFFIX_2 = re.compile(f'^(.+?)({"|".join(_STEP_2)})$')
_SUFFIX_3 = re.compile(f'^(.+?)({"|".join(_STEP_3)})$')
_SUFFIX_4 = re.compile('^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$')
_SUFFIX_ION = re.compile('^(.+?)(s|t)(ion)$')


def _without_plural(word):
    if re.search('^.+?(ss|i)es$', word):
        return word[:-2]
    return word[:-1] if re.search('^.+?[^s]s$', word) else word


def _without_past(word):
    if re.search('^.+?eed$', word):
        return word[:-1] if _MEASURE_ABOVE_0.search(word[:-3]) else word
    found = re.search('^(.+?)(ed|ing)$', word)
    if not found or not _HAS_VOWEL.search(found[1]):
        return word
    rest = found[1]
    if re.search('(at|bl|iz)$', rest):
        return rest + 'e'
    if _DOUBLE.search(rest):
        return rest[:-1]
    return rest + 'e' if _SHORT.search(rest) else rest


def _with_suffix(word, pattern, endings):
    found = pattern.search(word)
    return found[1] + endings[found[2]] if found and _MEASURE_ABOVE_0.search(found[1]) else word


def _without_last_suffix(word):
    found = _SUFFIX_4.search(word) or _SUFFIX_ION.search(word)
    return found[1] if found and _MEASURE_ABOVE_1.search(found[1]) else word


def _without_final_e(word):
    if not re.search('^.+?e$', word):
        return word
    rest = word[:-1]
    if _MEASURE_ABOVE_1.search(rest) or (_MEASURE_1.search(rest) and not _SHORT.search(rest)):
        return rest
    return word


def stem_english(word):
    """The stem of a folded Latin word."""
    if len(word) < 3:
        return word
    # A leading y is a consonant, which upper case says to the patterns above.
    begins_with_y = word[0] == 'y'
    if begins_with_y:
        word = 'Y' + word[1:]
    word = _without_past(_without_plural(word))
    if re.search('^.+?y$', word) and _HAS_VOWEL.search(word[:-1]):
        word = word[:-1] + 'i'
    word = _with_suffix(word, _SUFFIX_2, _STEP_2)
    word = _with_suffix(word, _SUFFIX_3, _STEP_3)
    word = _without_final_e(_without_last_suffix(word))
    if word.endswith('ll') and _MEASURE_ABOVE_1.search(word):
        word = word[:-1]
    return 'y' + word[1:] if begins_with_y else word
