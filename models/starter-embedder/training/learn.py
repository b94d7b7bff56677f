"""How do the rows learn? InfoNCE over the pairs of a batch, both ways (van den Oord, Li and Vinyals 2018)."""
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sparse


@dataclass
class Schedule:
    steps: int
    batch: int = 1024  # pairs a step
    learning_rate: float = 2e-2
    last_share: float = 0.1  # of the learning rate, reached at the last step
    warm_up: int = 50  # steps
    temperature: float = 0.1


def _lengths(vectors):
    return np.sqrt(np.einsum('ij,ij->i', vectors, vectors))[:, None] + 1e-8


def _along_unit(gradient, unit, lengths):
    """The gradient by a vector, from the gradient by its direction; in place."""
    gradient -= unit * np.einsum('ij,ij->i', unit, gradient)[:, None]
    gradient /= lengths
    return gradient


def loss_and_gradients(a, b, mask, temperature):
    """Mean loss of finding B from A and A from B, and its gradients by a and b, [pairs, dimensions] each.

    `mask`, [pairs, pairs], is true where another pair's text must not count as wrong.
    """
    lengths_a, lengths_b = _lengths(a), _lengths(b)
    unit_a, unit_b = a / lengths_a, b / lengths_b
    # exp((cosine - 1) / temperature) lies between exp(-20) and 1: no need to look for the largest of a line, and one
    # table of exponentials serves both ways.
    likely = unit_a @ unit_b.T
    likely -= 1
    likely *= np.float32(1 / temperature)
    np.exp(likely, out=likely)
    likely[mask] = 0
    own, of_a, of_b = likely.diagonal().copy(), likely.sum(1), likely.sum(0)
    loss = -(np.log(own / of_a).mean() + np.log(own / of_b).mean()) / 2
    share = np.float32(1 / (2 * len(a) * temperature))
    by_score = likely
    by_score *= (share / of_a)[:, None] + (share / of_b)[None]
    by_score.ravel()[::len(a) + 1] -= 2 * share
    by_a = _along_unit(by_score @ unit_b, unit_a, lengths_a)
    by_b = _along_unit(by_score.T @ unit_a, unit_b, lengths_b)
    return loss, by_a, by_b


class RowRms:
    """RMSprop with one running mean square a row, touching the rows of a batch only.

    Adam with a mean square for every number gave no better rows in a quarter more time, and momentum is stale for rows
    that one batch in a hundred holds.
    """

    def __init__(self, rows, decay=0.98):
        self._rows, self._decay = rows, np.float32(decay)
        self._squares, self._updates = np.zeros(len(rows), np.float32), np.zeros(len(rows), np.float32)

    def update(self, touched, gradient, learning_rate):
        """Moves the rows `touched`, each once, against the gradient, [touched, dimensions]."""
        self._updates[touched] += 1
        now = np.einsum('ij,ij->i', gradient, gradient) / gradient.shape[1]
        squares = self._decay * self._squares[touched] + (1 - self._decay) * now
        self._squares[touched] = squares
        unbiased = squares / (1 - self._decay ** self._updates[touched])
        self._rows[touched] -= gradient * (np.float32(learning_rate) / (np.sqrt(unbiased) + 1e-8))[:, None]


def _only_used_columns(a, b):
    """(used columns, A over B with only these)."""
    both = sparse.vstack([a, b], format='csr')
    is_used = np.zeros(both.shape[1], bool)
    is_used[both.indices] = True
    used = np.flatnonzero(is_used)
    place = np.zeros(both.shape[1], np.int32)
    place[used] = np.arange(len(used))
    return used, sparse.csr_matrix((both.data, place[both.indices], both.indptr), shape=(both.shape[0], len(used)))


def learn(rows, tasks, weights, schedule, rng, report):
    """Trains the rows in place. `report(step, loss, rows)` is called now and then with the running mean of the loss."""
    names = [name for name in weights if name in tasks and weights[name] > 0]
    chances = np.array([weights[name] for name in names], float)
    chances /= chances.sum()
    optimiser, mean = RowRms(rows), None
    for step in range(schedule.steps):
        a, b, mask = tasks[names[rng.choice(len(names), p=chances)]].draw(schedule.batch, rng)
        np.fill_diagonal(mask, False)
        used, both = _only_used_columns(a, b)
        vectors, pairs = both @ rows[used], a.shape[0]
        loss, by_a, by_b = loss_and_gradients(vectors[:pairs], vectors[pairs:], mask, schedule.temperature)
        gradient = both.T.tocsr() @ np.concatenate([by_a, by_b])
        decay = 1 - (1 - schedule.last_share) * step / schedule.steps
        optimiser.update(used, gradient, schedule.learning_rate * decay * min(1, (step + 1) / schedule.warm_up))
        mean = loss if mean is None else 0.98 * mean + 0.02 * loss
        if (step + 1) % 250 == 0 or step + 1 == schedule.steps:
            report(step + 1, mean, rows)
