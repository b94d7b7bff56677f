"""Which pairs of texts is the embedder trained on, and how often is each source drawn?"""
import gzip
import json
import os
import re
from pathlib import Path

# How often a source is drawn for a training step, relative to the others; the number of its pairs plays no part.
WEIGHTS = {
    'lo_par': 3, 'lo_title_en': 2, 'lo_title_ru': 2, 'lo_cross': 3, 'lo_secpar': 2, 'lo_ui': 2,
    'gnome_par': 1, 'gnome_title_en': 0.3, 'gnome_title_ru': 0.3, 'ntrex': 4,
    'wn_gloss': 3, 'wn_syn': 1, 'wn_ex': 1.5, 'wikt_word': 3, 'wikt_gloss': 2, 'wikt_rusyn': 1,
    'wt_word': 7, 'wt_gloss': 4, 'openrus': 0.5, 'cldr': 1,
    'iot_par': 3, 'iot_title_en': 0.3, 'iot_title_ru': 0.3,
    'sentence_en': 5, 'sentence_ru': 5,
}
# Sources of running text: their word counts say which words are common. Dictionaries would not.
RUNNING_TEXT = {
    'lo_par', 'lo_title_en', 'lo_title_ru', 'lo_ui', 'gnome_par', 'gnome_title_en', 'gnome_title_ru', 'ntrex',
    'iot_par', 'wn_gloss', 'wn_ex',
}
# Weight of a source's pairs in the start (see start.py); other sources are left out of it.
START_WEIGHTS = {
    'lo_par': 1, 'lo_secpar': 1, 'lo_title_en': 1, 'lo_title_ru': 1, 'lo_ui': 1, 'gnome_par': 1,
    'gnome_title_en': 1, 'gnome_title_ru': 1, 'ntrex': 1.5, 'iot_par': 1, 'wn_gloss': 0.7, 'wn_ex': 0.7,
    'wikt_word': 1, 'wt_word': 1, 'wt_gloss': 1, 'wikt_gloss': 1, 'openrus': 1, 'cldr': 1, 'wn_syn': 0.5,
}
# Titles with their sections, from whose sections sentence tasks are made.
_SECTIONS = {language: [f'{name}_title_{language}' for name in ('lo', 'gnome', 'iot')] for language in ('en', 'ru')}
_SHORTEST_SENTENCE = 26  # characters
_MOST_SENTENCES = 12


def data_folder(argument=None):
    """Where the data stand: the argument, else LECTERN_TEST_DATA, else ../shared beside the project."""
    project = Path(__file__).resolve().parents[3]
    return (project / (argument or os.environ.get('LECTERN_TEST_DATA') or '../shared')).resolve()


def read_pairs(path):
    """{source: [(text A, text B)]} in the file's order."""
    pairs = {}
    with gzip.open(path, 'rt', encoding='utf-8') as lines:
        for line in lines:
            source, a, b = json.loads(line)
            pairs.setdefault(source, []).append((a, b))
    return pairs


def split_sections(pairs, language):
    """The sections of a language as lists of sentences; sections of fewer than three are left out."""
    sections = []
    for source in _SECTIONS[language]:
        for _, section in pairs.get(source, ()):
            sentences = [s for s in re.split(r'(?<=[.!?])\s+', section) if len(s) >= _SHORTEST_SENTENCE]
            if len(sentences) >= 3:
                sections.append(sentences[:_MOST_SENTENCES])
    return sections
