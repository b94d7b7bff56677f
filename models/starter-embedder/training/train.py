"""From pairs of texts to the shipped embedder, in one command:

    /usr/bin/python3 models/starter-embedder/training/train.py [DATA] [--out FOLDER] [--steps N] [--seed N]

DATA holds train/pairs.jsonl.gz and, for the evaluation, eval/xquad-en and eval/xquad-ru; the default is
$LECTERN_TEST_DATA or ../shared beside the project. Needs Python 3.11 with numpy, scipy and snowballstemmer (Debian:
python3-numpy python3-scipy python3-snowballstemmer). One thread, so that a seed gives the same rows again.
"""
import argparse
import os
import sys
import time
from pathlib import Path

os.environ['OPENBLAS_NUM_THREADS'] = '1'
try:
    import numpy as np
    import scipy.sparse
    import snowballstemmer
except ImportError as missing:
    sys.exit(f'Training needs {missing.name}: install python3-{missing.name} and run Debian\'s /usr/bin/python3.')

import sources
from evaluate import Evaluation, as_table, read_xquad
from features import FeatureReader, FeatureTable
from learn import Schedule, learn
from onnx_file import quantise, restore, write_model
from package import write_manifest, write_vocabulary
from start import inverse_frequencies, starting_rows
from tasks import read_sections, read_source
from vocabulary import choose_vocabulary

KNOWN_STEMS, HASHED_ROWS, COMMON_ROWS = 64_000, 24_576, 2_000
DIMENSIONS = 256
MAX_WORDS, TRAINED_WORDS = 600, 110  # words read of a text: by the product, in training
STEPS = 1_800
# What the training forgot comes back when its rows are averaged with those it began from (Wortsman et al. 2022).
START_SHARE = 0.5


def main():
    options = read_options()
    began = time.time()

    def say(line):
        print(f'{time.time() - began:6.0f} s  {line}', flush=True)

    data = sources.data_folder(options.data)

    # 1. Pairs and the stems that get a row.
    pairs = sources.read_pairs(data / 'train' / 'pairs.jsonl.gz')
    stems, counts, texts = choose_vocabulary(pairs, KNOWN_STEMS)
    table = FeatureTable({stem: row for row, stem in enumerate(stems)}, HASHED_ROWS, COMMON_ROWS, MAX_WORDS)
    reader = FeatureReader(table)
    say(f'{sum(map(len, pairs.values()))} pairs, {len(stems)} stems')

    # 2. Features of every text.
    tasks = {source: read_source(reader, both, TRAINED_WORDS) for source, both in pairs.items()}
    for language in ('en', 'ru'):
        sections = sources.split_sections(pairs, language)
        tasks[f'sentence_{language}'] = read_sections(reader, sections, TRAINED_WORDS)
    evaluation = Evaluation(read_xquad(data / 'eval'), reader) if (data / 'eval' / 'xquad-en').exists() else None
    say('features read')

    # 3. The start, the training, the mean of both.
    paired = {source: tasks[source] for source in pairs}
    idf = inverse_frequencies([task.b for task in paired.values()], counts, texts)
    start = starting_rows(paired, idf, DIMENSIONS, np.random.default_rng(options.seed))
    say('start made')

    def averaged(learned):
        return START_SHARE * start + (1 - START_SHARE) * learned

    def report(step, loss, learned):
        measured = evaluation.measure(averaged(learned)) if evaluation and step % 500 == 0 else {}
        alone = '  '.join('{} {:.3f}/{:.3f}'.format(name, *kinds['alone']) for name, kinds in measured.items())
        say(f'step {step} of {options.steps}  loss {loss:.3f}  {alone}')

    learned = start.copy()
    learn(learned, tasks, sources.WEIGHTS, Schedule(options.steps), np.random.default_rng((options.seed, 1)), report)

    # 4. Eight bits a number, the files, the figures of what was written.
    packed, scales = quantise(averaged(learned))
    options.out.mkdir(parents=True, exist_ok=True)
    write_model(options.out / 'model.onnx', packed, scales)
    write_vocabulary(options.out / 'vocabulary.txt', stems)
    write_manifest(options.out, table)
    say(f'written to {options.out}')
    if evaluation:
        print(as_table(evaluation.measure(restore(packed, scales))))


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('data', nargs='?', help='folder of the training data')
    parser.add_argument('--out', type=Path, default=Path(__file__).resolve().parents[1], help='folder of the model')
    parser.add_argument('--steps', type=int, default=STEPS)
    parser.add_argument('--seed', type=int, default=1)
    return parser.parse_args()


if __name__ == '__main__':
    main()
