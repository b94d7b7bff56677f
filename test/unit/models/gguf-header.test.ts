import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GgufValue, writeGguf } from '../../../build/gguf-writer.ts';
import { readGgufHeader } from '../../../src/engine/models/gguf-header.ts';
import { noStories, storiesModel, temporaryFolder } from '../../models/tiny-models.ts';

const basic: Record<string, GgufValue> = {
  'general.architecture': { type: 'string', value: 'qwen3' },
  'general.name': { type: 'string', value: 'Маленькая модель' },
  'qwen3.context_length': { type: 'u32', value: 4096 },
  'qwen3.block_count': { type: 'u32', value: 2 },
  'qwen3.rope.freq_base': { type: 'f32', value: 1e6 },
  'tokenizer.ggml.model': { type: 'string', value: 'gpt2' },
  'tokenizer.ggml.tokens': { type: 'strings', value: ['a', 'b', 'в'] },
  'tokenizer.ggml.token_type': { type: 'i32s', value: [1, 1, 3] },
  'tokenizer.ggml.add_bos_token': { type: 'bool', value: false },
  'tokenizer.chat_template': { type: 'string', value: '{{ messages }}' },
};

function write(metadata: Record<string, GgufValue> = basic): string {
  const file = path.join(temporaryFolder(), 'model.gguf');
  writeGguf(file, metadata, [{ name: 'token_embd.weight', dims: [2, 3], data: new Float32Array(6) }]);
  return file;
}

/** Overwrites bytes after the first occurrence of a text. */
function patch(file: string, after: string, bytes: Buffer): void {
  const content = readFileSync(file);
  bytes.copy(content, content.indexOf(after) + Buffer.byteLength(after));
  writeFileSync(file, content);
}

const huge = Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);

describe('readGgufHeader', () => {
  it('reads what a file says of itself', async () => {
    expect(await readGgufHeader(write())).toEqual({
      version: 3,
      architecture: 'qwen3',
      name: 'Маленькая модель',
      contextTokens: 4096,
      layers: 2,
      embeddingLength: undefined,
      tokenizer: 'gpt2',
      vocabulary: 3,
      hasChatTemplate: true,
      isEncoder: false,
      tensors: 1,
      sizeBytes: expect.any(Number),
    });
  });

  it('tells an encoder from a writer', async () => {
    const file = write({ ...basic, 'qwen3.pooling_type': { type: 'u32', value: 3 } });
    expect((await readGgufHeader(file)).isEncoder).toBe(true);
  });

  it('reads a real model', async ({ skip }) => {
    const file = storiesModel();
    if (file === undefined) return skip(noStories);
    expect(await readGgufHeader(file)).toMatchObject({
      architecture: 'llama',
      contextTokens: 2048,
      vocabulary: 512,
      tensors: 48,
    });
  });

  it.each([
    {
      fault: 'other bytes',
      spoil: (file: string) => writeFileSync(file, 'PK\x03\x04 and so on, long enough to read'),
    },
    { fault: 'nothing', spoil: (file: string) => truncateSync(file, 0) },
    { fault: 'a header cut off', spoil: (file: string) => truncateSync(file, 150) },
    { fault: 'an unknown version', spoil: (file: string) => patch(file, 'GGUF', Buffer.from([9, 0, 0, 0])) },
    {
      fault: 'an endless count of entries',
      spoil: (file: string) => patch(file, 'GGUF\x03\0\0\0\x01\0\0\0\0\0\0\0', huge),
    },
    { fault: 'an endless text', spoil: (file: string) => patch(file, 'general.name\x08\0\0\0', huge) },
    {
      fault: 'an endless list',
      spoil: (file: string) => patch(file, 'tokenizer.ggml.tokens\x09\0\0\0\x08\0\0\0', huge),
    },
    {
      fault: 'a list of lists',
      spoil: (file: string) => patch(file, 'tokenizer.ggml.tokens\x09\0\0\0', Buffer.from([9])),
    },
    {
      fault: 'a value of an unknown type',
      spoil: (file: string) => patch(file, 'qwen3.block_count', Buffer.from([77])),
    },
  ])('refuses $fault in one line', async ({ spoil }) => {
    const file = write();
    spoil(file);
    await expect(readGgufHeader(file)).rejects.toMatchObject({
      code: 'MODEL_INVALID',
      message: expect.stringMatching(/^Model file can’t be used: model\.gguf: [^\n]+$/),
    });
  });

  it('refuses a file that names no architecture', async () => {
    const file = write({ 'general.name': { type: 'string', value: 'x' } });
    await expect(readGgufHeader(file)).rejects.toThrow('does not name its architecture');
  });

  it.each([
    ['no heads', 'attention.head_count', 0, 'head count'],
    ['heads beyond any model', 'attention.head_count', 2 ** 31, 'head count'],
    ['a width of nothing', 'embedding_length', 0, 'embedding length'],
    ['layers beyond any model', 'block_count', 1_000_000, 'block count'],
  ])('refuses a header that claims %s, which would end llama.cpp’s process', async (_, key, value, words) => {
    const file = write({ ...basic, [`qwen3.${key}`]: { type: 'u32', value } });
    await expect(readGgufHeader(file)).rejects.toThrow(`claims ${value} as its ${words}`);
  });

  it('refuses a header that claims more layers than there are', async () => {
    const file = path.join(temporaryFolder(), 'model.gguf');
    const layer = { name: 'blk.0.attn_q.weight', dims: [2, 3], data: new Float32Array(6) };
    writeGguf(file, { ...basic, 'qwen3.block_count': { type: 'u32', value: 5 } }, [layer]);
    await expect(readGgufHeader(file)).rejects.toThrow('claims 5 layers, 1 are there');
  });
});
