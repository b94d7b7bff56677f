"""From which rows does the training begin? Latent semantic analysis of the pairs, loosened by chance."""
import numpy as np
import scipy.sparse as sparse

from sources import START_WEIGHTS

_POWER_ROUNDS = 3
_EXTRA_DIMENSIONS = 16
_SHARE_OF_CHANCE = 0.6  # length of the random unit row added to the unit row
_LENGTH_POWER = 0.7  # how far long pairs are shortened to the length of short ones: 1 is to unit length
_IDF_RANGE = (0.3, 9.0)


def inverse_frequencies(matrices, running_counts, running_texts):
    """idf of each row: stems by running text, n-grams by all texts B."""
    known = len(running_counts)
    idf = np.empty(matrices[0].shape[1], np.float32)
    idf[:known] = np.log((running_texts + 1) / (np.array(running_counts) + 1))
    counts = sum(np.asarray((matrix > 0).sum(0)).ravel() for matrix in matrices)
    idf[known:] = np.log(sum(matrix.shape[0] for matrix in matrices) / (counts[known:] + 1))
    return np.clip(idf, *_IDF_RANGE)


def _merged_pairs(batches, idf):
    """Both texts of a pair as one document, weighted by idf, long ones shortened."""
    parts = [(batches[source].a + batches[source].b) * weight
             for source, weight in START_WEIGHTS.items() if source in batches]
    merged = sparse.vstack(parts).tocsr().sqrt() @ sparse.diags(idf)
    lengths = np.sqrt(np.asarray(merged.multiply(merged).sum(1)).ravel())
    return (sparse.diags(1 / np.maximum(lengths, 1e-6) ** _LENGTH_POWER) @ merged).tocsr().astype(np.float32)


def _right_singular_vectors(matrix, dimensions, rng):
    """The first right singular vectors by randomised subspace iteration (Halko, Martinsson and Tropp 2011)."""
    width = dimensions + _EXTRA_DIMENSIONS
    transposed = matrix.T.tocsr()
    image = matrix @ rng.standard_normal((matrix.shape[1], width)).astype(np.float32)
    for _ in range(_POWER_ROUNDS):
        basis, _ = np.linalg.qr(transposed @ image)
        image = matrix @ basis
    values, vectors = np.linalg.eigh(image.T @ image)
    return basis @ vectors[:, np.argsort(-values)[:dimensions]]


def unit_rows(matrix):
    return matrix / (np.linalg.norm(matrix, axis=1, keepdims=True) + 1e-9)


def starting_rows(batches, idf, dimensions, rng):
    """Rows to begin with, [rows, dimensions], of mean square length 1; a row's length is its word's weight."""
    vectors = _right_singular_vectors(_merged_pairs(batches, idf), dimensions, rng)
    chance = unit_rows(rng.standard_normal(vectors.shape).astype(np.float32))
    rows = unit_rows(unit_rows(vectors) + _SHARE_OF_CHANCE * chance) * idf[:, None]
    return (rows / np.sqrt((rows ** 2).sum(1).mean())).astype(np.float32)
