"""Which files ship, and how does the product check them? Run alone, it writes the manifest anew from the files in place:

    /usr/bin/python3 models/starter-embedder/training/package.py
"""
import hashlib
import json
from pathlib import Path

SHIPPED = ('model.onnx', 'vocabulary.txt', 'LICENCE', 'MODEL-CARD.md')


def write_vocabulary(path, vocabulary):
    """One stem a line; the line's number from 0 is the row."""
    path.write_text(''.join(f'{stem}\n' for stem in vocabulary), encoding='utf-8')


def _described(path):
    content = path.read_bytes()
    return {'path': path.name, 'sizeBytes': len(content), 'sha256': hashlib.sha256(content).hexdigest()}


def write_manifest(folder, table=None):
    """The manifest of the files in `folder`; without a table its settings stay as they are."""
    path = folder / 'manifest.json'
    if table is None:
        manifest = json.loads(path.read_text(encoding='utf-8'))
    else:
        manifest = {
            'kind': 'embedder', 'id': 'starter-embedder', 'name': 'Starter', 'licence': 'CC-BY-SA-4.0',
            'encoder': 'features', 'model': 'model.onnx', 'vocabulary': 'vocabulary.txt',
            'hashedRows': table.hashed_rows, 'commonRows': table.common_rows, 'maxWords': table.max_words,
            'dimensions': 256, 'order': 1000, 'languages': ['en', 'ru'],
            'weights': {'keyword': 0.7, 'vector': 0.3},
            # Cosines of questions with passages about something else, and from where on a passage is relevant: measured in
            # the product over libraries of one and of many subjects.
            'calibration': {'mean': 0.04, 'spread': 0.07, 'nothingCosine': 0.42},
        }
    manifest['files'] = [_described(folder / name) for name in SHIPPED if (folder / name).exists()]
    path.write_text(json.dumps(manifest, indent=2, ensure_ascii=False) + '\n', encoding='utf-8')


if __name__ == '__main__':
    write_manifest(Path(__file__).resolve().parents[1])
