import { describe, expect, it } from 'vitest';
import { OnnxReranker } from '../../../src/engine/embed/onnx-reranker.ts';
import { tinyEmbedderSpec, tinyEncoderSpec } from '../../models/tiny-models.ts';

describe('OnnxReranker', () => {
  it('scores passages that share words with the question higher, in their order', async () => {
    const reranker = await OnnxReranker.load(tinyEncoderSpec({ kind: 'reranker' }));
    const scores = await reranker.score('term of payment', [
      'weather in Warsaw',
      'the term of payment is 45 days',
      '',
      'payment',
    ]);
    expect(scores).toHaveLength(4);
    expect(scores[1]).toBeGreaterThan(scores[0]! + 0.05);
    expect(scores[1]).toBeGreaterThan(scores[2]!);
    expect(scores[3]).toBeGreaterThan(scores[0]!);
    expect(scores.every((score) => score >= 0 && score <= 1)).toBe(true);
    expect(await reranker.score('anything', [])).toEqual([]);
    await reranker.close();
  });

  it('gives a passage the same score alone and among others', async () => {
    const reranker = await OnnxReranker.load(tinyEncoderSpec({ kind: 'reranker' }));
    const passages = Array.from(
      { length: 90 },
      (_, index) => `${'further '.repeat(index % 40)}payment ${index}`,
    );
    const together = await reranker.score('payment term', passages);
    for (const index of [0, 39, 89]) {
      const [alone] = await reranker.score('payment term', [passages[index]!]);
      expect(together[index]).toBeCloseTo(alone!, 5);
    }
  });

  it('refuses an encoder that gives vectors instead of scores', async () => {
    await expect(OnnxReranker.load(tinyEmbedderSpec())).rejects.toMatchObject({ code: 'MODEL_INVALID' });
  });
});
