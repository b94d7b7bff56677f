"""How well does the embedder find the passage that answers a question, alone and together with keywords?

    /usr/bin/python3 models/starter-embedder/training/evaluate.py [LIBRARY QUESTIONS]

measures the shipped model over a folder of texts, each one passage, by groups of a question file; without arguments on
XQuAD of the test data (see train.py).
"""
import json
import os
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

os.environ.setdefault('OPENBLAS_NUM_THREADS', '1')
import numpy as np

from start import unit_rows
from stems import stem
from words import words

DIRECTIONS = (('en', 'en'), ('ru', 'ru'), ('ru', 'en'), ('en', 'ru'))
KEYWORD_WEIGHT, VECTOR_WEIGHT = 0.7, 0.3
_K1, _B = 1.2, 0.75  # BM25


@dataclass
class Retrieval:
    """Questions, passages, and the passage that answers each question."""
    name: str
    questions: list
    passages: list
    answers: np.ndarray


def read_xquad(folder):
    """XQuAD in four directions: the questions of one language over the paragraphs of another. Never trained on."""
    paragraphs, questions, answers = {}, {}, {}
    for language in ('en', 'ru'):
        path = folder / f'xquad-{language}'
        names = sorted(file.name for file in (path / 'library').glob('*.txt'))
        place = {name: at for at, name in enumerate(names)}
        paragraphs[language] = [(path / 'library' / name).read_text(encoding='utf-8') for name in names]
        lines = (path / 'questions.jsonl').read_text(encoding='utf-8').splitlines()
        items = [json.loads(line) for line in lines]
        questions[language] = [item['question'] for item in items]
        answers[language] = np.array([place[item['evidence'][0]['document']] for item in items])
    return [
        Retrieval(f'{asked}→{told}', questions[asked], paragraphs[told], answers[asked])
        for asked, told in DIRECTIONS
    ]


def read_groups(library, questions):
    """The groups of a question file whose questions have evidence, each over all texts of the library."""
    names = sorted(file.name for file in library.iterdir() if file.suffix in ('.txt', '.md'))
    passages = [(library / name).read_text(encoding='utf-8') for name in names]
    groups = defaultdict(list)
    for line in questions.read_text(encoding='utf-8').splitlines():
        item = json.loads(line)
        if item.get('evidence'):
            place = names.index(item['evidence'][0]['document'])
            groups[item.get('group', 'all')].append((item['question'], place))
    return [
        Retrieval(group, [question for question, _ in items], passages, np.array([place for _, place in items]))
        for group, items in groups.items()
    ]


def coverage(passages, questions):
    """BM25 ÷ Σ idf·(k1+1): the share of the question's weight that each passage holds, [questions, passages]."""
    stems = [[stem(word) for word in words(passage)] for passage in passages]
    mean_length = sum(map(len, stems)) / len(stems)
    postings = defaultdict(list)
    for at, passage in enumerate(stems):
        damping = _K1 * (1 - _B + _B * len(passage) / mean_length)
        for stem_, count in Counter(passage).items():
            postings[stem_].append((at, count * (_K1 + 1) / (count + damping)))
    scores = np.zeros((len(questions), len(passages)), np.float32)
    for line, question in zip(scores, questions):
        total = 0.0
        for stem_ in (stem(word) for word in words(question)):
            found = postings.get(stem_, ())
            idf = np.log(1 + (len(passages) - len(found) + 0.5) / (len(found) + 0.5))
            total += idf * (_K1 + 1)
            for at, share in found:
                line[at] += idf * share
        line /= max(total, 1e-6)
    return scores


def hit_rates(scores, answers):
    """(R@1, R@5); half of the passages that tie with the answer count as better."""
    own = scores[np.arange(len(answers)), answers][:, None]
    ranks = (scores > own).sum(1) + ((scores == own).sum(1) - 1) // 2
    return float((ranks < 1).mean()), float((ranks < 5).mean())


class Evaluation:
    """Retrieval sets read once, so that the rows can be measured again and again."""

    def __init__(self, sets, reader):
        self._sets = sets
        self._questions = [reader.matrix(each.questions) for each in sets]
        self._passages = [reader.matrix(each.passages) for each in sets]
        self._coverage = [coverage(each.passages, each.questions) for each in sets]

    def measure(self, rows):
        """{set: {'alone' | 'keywords' | 'fused': (R@1, R@5)}}."""
        measured = {}
        for each, asked, told, covered in zip(self._sets, self._questions, self._passages, self._coverage):
            cosines = unit_rows(np.asarray(asked @ rows)) @ unit_rows(np.asarray(told @ rows)).T
            measured[each.name] = {
                'alone': hit_rates(cosines, each.answers),
                'keywords': hit_rates(covered, each.answers),
                'fused': hit_rates(KEYWORD_WEIGHT * covered + VECTOR_WEIGHT * cosines, each.answers),
            }
        return measured


def as_table(measured):
    """A Markdown table of R@1/R@5."""
    names = list(measured)
    lines = ['| R@1/R@5 | ' + ' | '.join(names) + ' |', '|---' * (len(names) + 1) + '|']
    for kind in ('keywords', 'alone', 'fused'):
        rates = ('{:.3f}/{:.3f}'.format(*measured[name][kind]) for name in names)
        lines.append(f'| {kind} | ' + ' | '.join(rates) + ' |')
    return '\n'.join(lines)


def main():
    from check_features import shipped_reader
    from onnx_file import read_model, restore
    from sources import data_folder

    if len(sys.argv) == 3:
        sets = read_groups(Path(sys.argv[1]), Path(sys.argv[2]))
    else:
        sets = read_xquad(data_folder() / 'eval')
    rows = restore(*read_model(Path(__file__).resolve().parents[1] / 'model.onnx'))
    print(as_table(Evaluation(sets, shipped_reader()).measure(rows)))


if __name__ == '__main__':
    main()
