"""Do the recipe and the program read the same features?

    /usr/bin/python3 models/starter-embedder/training/check_features.py --write [DATA]

writes test/golden/starter-features/features.json: the features of the hand-written texts beside it in full, and
digests of those of 10,000 texts of the training pairs, for the program's tests to compare. Without --write it reads
texts from standard input, one JSON string a line, and prints their features in the same way, one JSON value a line.
"""
import gzip
import hashlib
import json
import sys
from pathlib import Path

import numpy as np

from features import FeatureReader, FeatureTable
from sources import data_folder

_MODEL = Path(__file__).resolve().parents[1]
_GOLDEN = _MODEL.parents[1] / 'test' / 'golden' / 'starter-features'
STRIDE, TEXTS, TEXTS_PER_DIGEST = 114, 10_000, 100


def shipped_reader():
    """A reader of the shipped vocabulary and settings."""
    manifest = json.loads((_MODEL / 'manifest.json').read_text(encoding='utf-8'))
    stems = (_MODEL / manifest['vocabulary']).read_text(encoding='utf-8').split('\n')[:-1]
    vocabulary = {stem: row for row, stem in enumerate(stems)}
    return FeatureReader(FeatureTable(
        vocabulary, manifest['hashedRows'], manifest['commonRows'], manifest['maxWords']))


def every_nth_text(path, stride, most):
    """Texts A and B of the pairs in order, each `stride`th."""
    found, at = [], 0
    with gzip.open(path, 'rt', encoding='utf-8') as lines:
        for line in lines:
            for text in json.loads(line)[1:]:
                if at % stride == 0:
                    found.append(text)
                at += 1
    return found[:most]


def digest(reader, texts):
    """SHA-256, shortened, of the texts' rows (uint32) and weights (float32), little-endian."""
    sha = hashlib.sha256()
    for text in texts:
        rows, weights = reader.of_text(text)
        sha.update(np.array(rows, '<u4').tobytes() + weights.astype('<f4').tobytes())
    return sha.hexdigest()[:16]


def described(reader, text):
    rows, weights = reader.of_text(text)
    return {'text': text, 'rows': rows, 'weights': [float(weight) for weight in weights]}


def write(data):
    reader = shipped_reader()
    texts = json.loads((_GOLDEN / 'texts.json').read_text(encoding='utf-8'))
    sampled = every_nth_text(data / 'train' / 'pairs.jsonl.gz', STRIDE, TEXTS)
    groups = [sampled[at:at + TEXTS_PER_DIGEST] for at in range(0, len(sampled), TEXTS_PER_DIGEST)]
    golden = {
        'stride': STRIDE, 'texts': len(sampled), 'textsPerDigest': TEXTS_PER_DIGEST,
        'digests': [digest(reader, group) for group in groups],
        'cases': [described(reader, text) for text in texts],
    }
    (_GOLDEN / 'features.json').write_text(
        json.dumps(golden, ensure_ascii=False, separators=(',', ':')) + '\n', encoding='utf-8')


if __name__ == '__main__':
    arguments = sys.argv[1:]
    if arguments[:1] == ['--write']:
        write(data_folder(*arguments[1:2]))
    else:
        checked = shipped_reader()
        for line in sys.stdin:
            print(json.dumps(described(checked, json.loads(line)), ensure_ascii=False))
