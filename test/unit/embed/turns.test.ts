import { describe, expect, it } from 'vitest';
import { Turns } from '../../../src/engine/embed/turns.ts';

describe('Turns', () => {
  it('lets questions go before passages, and never two at once', async () => {
    const turns = new Turns();
    const order: string[] = [];
    let running = 0;
    const work = (name: string) => async () => {
      running += 1;
      expect(running).toBe(1);
      await Promise.resolve();
      order.push(name);
      running -= 1;
    };
    await Promise.all([
      turns.take(false, work('passage 1')),
      turns.take(false, work('passage 2')),
      turns.take(true, work('question 1')),
      turns.take(true, work('question 2')),
    ]);
    expect(order).toEqual(['passage 1', 'question 1', 'question 2', 'passage 2']);
  });

  it('goes on after work that failed', async () => {
    const turns = new Turns();
    await expect(turns.take(false, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(turns.take(false, () => Promise.resolve(7))).resolves.toBe(7);
  });
});
