"""What does one training step see? Pairs of texts that belong together, drawn from one source."""
from dataclasses import dataclass
from zlib import crc32

import numpy as np
import scipy.sparse as sparse


@dataclass
class Pairs:
    """Texts A and B of a source as sums of weights, [pairs, rows], and a number for each text: equal texts, equal numbers."""
    a: sparse.csr_matrix
    b: sparse.csr_matrix
    names_a: np.ndarray
    names_b: np.ndarray

    def draw(self, size, rng):
        """(A, B, mask): `size` pairs and which of the others are the same text, [size, size]."""
        drawn = rng.choice(self.a.shape[0], min(size, self.a.shape[0]), replace=False)
        names_a, names_b = self.names_a[drawn], self.names_b[drawn]
        mask = (names_a[:, None] == names_a[None]) | (names_b[:, None] == names_b[None])
        return self.a[drawn].sqrt(), self.b[drawn].sqrt(), mask


@dataclass
class Sentences:
    """The inverse cloze task: find the section that a sentence was taken from (Lee, Chang and Toutanova 2019)."""
    sentences: sparse.csr_matrix
    sections: sparse.csr_matrix
    section_of: np.ndarray
    kept: float = 0.1  # share of the sentences that stay in their section

    def draw(self, size, rng):
        drawn = rng.choice(self.sentences.shape[0], min(size, self.sentences.shape[0]), replace=False)
        sections, a = self.section_of[drawn], self.sentences[drawn]
        taken_out = (rng.random(len(drawn)) >= self.kept)[:, None]
        b = (self.sections[sections] - a.multiply(taken_out).tocsr()).tocsr()
        b.data = np.maximum(b.data, 0).astype(np.float32)
        return a.sqrt(), b.sqrt(), sections[:, None] == sections[None]


def _name(text):
    return crc32(text.encode())


def read_source(reader, pairs, max_words):
    texts_a, texts_b = zip(*pairs)
    return Pairs(
        reader.matrix(texts_a, max_words, square_root=False),
        reader.matrix(texts_b, max_words, square_root=False),
        np.array([_name(text.lower().strip()) for text in texts_a]),
        np.array([_name(text.lower().strip()[:200]) for text in texts_b]),
    )


def read_sections(reader, sections, max_words):
    flat = [sentence for section in sections for sentence in section]
    section_of = np.repeat(np.arange(len(sections)), [len(section) for section in sections])
    sentences = reader.matrix(flat, max_words, square_root=False)
    ones = np.ones(len(flat), np.float32)
    membership = sparse.csr_matrix((ones, (section_of, np.arange(len(flat)))), shape=(len(sections), len(flat)))
    return Sentences(sentences, (membership @ sentences).tocsr(), section_of)
