import { describe, expect, it } from 'vitest';
import { RunBudget } from '../../../src/engine/embed/run-budget.ts';

describe('RunBudget', () => {
  it('gives as many tokens as run in the time, at most the limit, at least one', () => {
    const budget = new RunBudget(250, 1000);
    budget.learn(100, 100);
    expect(budget.tokens()).toBe(250);
    const fast = new RunBudget(250, 1000);
    fast.learn(1000, 1);
    expect(fast.tokens()).toBe(1000);
    const slow = new RunBudget(250, 1000);
    slow.learn(1, 60_000);
    expect(slow.tokens()).toBe(1);
  });

  it('starts small, and follows a machine that grows busy', () => {
    const budget = new RunBudget(250, 1000);
    expect(budget.tokens()).toBe(125);
    budget.learn(100, 50);
    expect(budget.tokens()).toBe(500);
    for (let run = 0; run < 12; run += 1) budget.learn(100, 200);
    expect(budget.tokens()).toBeLessThan(135);
  });
});
