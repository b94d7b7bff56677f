/** What becomes of a device whose driver ends the model process? */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type DeviceNotes, temporaryNotes } from '../../src/engine/device-lessons.ts';
import { RemoteModels } from '../../src/engine/remote-models.ts';
import { temporaryFolder, tinyEmbedderSpec } from './tiny-models.ts';

/** A process that says that it tries WebGPU, unless it is told not to, and ends in its own way when it has been heard. */
const script = (end: string) => `
  process.on('message', (message) => {
    if (message.t === 's') ${end};
    if (message.t !== 'q' || message.m !== 'loadEmbedder') return;
    const { devices } = message.a[1];
    if (devices.worked === undefined && !devices.crashed?.includes('WebGPU')) {
      process.send({ t: 'q', m: 'trying', a: [message.a[0], 'WebGPU'], i: 'try' });
      return;
    }
    const tried = [{ kind: 'CPU', outcome: JSON.stringify(devices) }];
    process.send({ t: 's', i: message.i, r: { ok: true, value: { device: 'CPU', tried } } });
  });
`;

function modelsWith(notes: DeviceNotes, end: string): RemoteModels {
  const entry = path.join(temporaryFolder(), 'entry.mjs');
  writeFileSync(entry, script(end));
  const models = new RemoteModels({ entry, devices: notes });
  onTestFinished(() => models.close());
  return models;
}

describe('a device that ends the process while a model is loaded on it', () => {
  it('is left out at once and at the next start', async () => {
    const notes = temporaryNotes();
    const { devices: _, ...spec } = tinyEmbedderSpec();
    const models = modelsWith(notes, 'process.exit(3)');
    await models.embedder('m', spec);
    expect(models.loaded('m')?.tried[0]?.outcome).toBe('{"crashed":["WebGPU"]}');
    expect(notes.read('m')).toMatchObject({ worked: 'CPU', crashed: ['WebGPU'] });
    const later = modelsWith(notes, 'process.exit(3)');
    await later.embedder('m', spec);
    expect(later.loaded('m')?.tried[0]?.outcome).toMatch(/"crashed":\["WebGPU"\],"worked":"CPU"/);
  });

  it('is not blamed when the process was ended from outside', async () => {
    const notes = temporaryNotes();
    const models = modelsWith(notes, "process.kill(process.pid, 'SIGKILL')");
    const { devices: _, ...spec } = tinyEmbedderSpec();
    await expect(models.embedder('m', spec)).rejects.toMatchObject({ code: 'MODEL_FAILED' });
    expect(notes.read('m')).toBeUndefined();
  });

  it('is tried again by the model that stayed loaded, once what was learnt is forgotten', async () => {
    const notes = temporaryNotes();
    const { devices: _, ...spec } = tinyEmbedderSpec();
    const models = modelsWith(notes, 'process.exit(3)');
    await models.embedder('m', spec);
    expect(notes.read('m')).toMatchObject({ worked: 'CPU' });
    await models.forgetDevices();
    expect([notes.read('m'), models.isLoaded('m'), models.loaded('m')]).toEqual([
      undefined,
      false,
      undefined,
    ]);
    await models.embedder('m', spec);
    // It was tried, and ended the process again.
    expect(notes.read('m')).toMatchObject({ worked: 'CPU', crashed: ['WebGPU'] });
  });
});
