import { existsSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DeviceNotesFile } from '../../../src/engine/device-notes.ts';
import { driverStamp } from '../../../src/engine/machine-devices.ts';
import { temporaryFolder } from '../../models/tiny-models.ts';

const lesson = { worked: 'CPU', crashed: ['WebGPU'], tried: [{ kind: 'WebGPU', outcome: 'no' }] } as const;
const asMemory = () => structuredClone(lesson) as never;

describe('lessons about devices', () => {
  it('are kept from one start to the next, also where the folder is not there yet', () => {
    const file = path.join(temporaryFolder(), 'models', '.devices.json');
    new DeviceNotesFile(file, 'a').write('m', asMemory());
    new DeviceNotesFile(file, 'a').write('n', { worked: 'CUDA' });
    const later = new DeviceNotesFile(file, 'a');
    expect([later.read('m'), later.read('n'), later.read('x')]).toEqual([
      lesson,
      { worked: 'CUDA' },
      undefined,
    ]);
    expect(readdirSync(path.dirname(file))).toEqual(['.devices.json']);
  });

  it('count no more after drivers or the program changed, or when they are forgotten', () => {
    const file = path.join(temporaryFolder(), '.devices.json');
    const notes = new DeviceNotesFile(file, 'a');
    notes.write('m', asMemory());
    expect(new DeviceNotesFile(file, 'b').read('m')).toBeUndefined();
    notes.clear();
    notes.clear();
    expect([notes.read('m'), existsSync(file)]).toEqual([undefined, false]);
  });

  it.each([
    ['no JSON', '{'],
    ['another shape', '{"stamp":"a","models":{"m":{"worked":"Abacus"}}}'],
    ['no object', '7'],
  ])('that hold %s are learnt again', (_, text) => {
    const file = path.join(temporaryFolder(), '.devices.json');
    writeFileSync(file, text);
    const notes = new DeviceNotesFile(file, 'a');
    expect(notes.read('m')).toBeUndefined();
    notes.write('m', asMemory());
    expect(notes.read('m')).toEqual(lesson);
  });

  it('of any length are not read', () => {
    const file = path.join(temporaryFolder(), '.devices.json');
    writeFileSync(file, '{}');
    truncateSync(file, 1e9);
    expect(new DeviceNotesFile(file, 'a').read('m')).toBeUndefined();
  });

  it('that can’t be written are no failure', () => {
    const file = path.join(temporaryFolder(), 'taken');
    writeFileSync(file, '');
    const notes = new DeviceNotesFile(path.join(file, '.devices.json'), 'a');
    notes.write('m', asMemory());
    expect(notes.read('m')).toBeUndefined();
  });
});

describe('driverStamp', () => {
  it('changes with the program and with every file of a driver, and with nothing else', () => {
    const folder = temporaryFolder();
    const [library, settings] = [path.join(folder, 'driver.so'), path.join(folder, 'icd.d')];
    const stamp = (version = '1.0.0') => driverStamp(version, [library, settings]);
    const before = stamp();
    expect(stamp()).toBe(before);
    expect(stamp('1.0.1')).not.toBe(before);
    writeFileSync(library, 'one');
    const installed = stamp();
    expect(installed).not.toBe(before);
    utimesSync(library, 1, 1);
    expect(stamp()).not.toBe(installed);
    rmSync(library);
    expect(stamp()).toBe(before);
  });
});
