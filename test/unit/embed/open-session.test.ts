import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/api/errors.ts';
import type { DeviceKind } from '../../../src/engine/embed/encoder-spec.ts';
import { OnnxEmbedder } from '../../../src/engine/embed/onnx-embedder.ts';
import {
  type EncoderRuntime,
  type EncoderSession,
  onnxRuntime,
} from '../../../src/engine/embed/onnx-runtime.ts';
import { openSession, orderDevices } from '../../../src/engine/embed/open-session.ts';
import { cosine, tinyEmbedderSpec } from '../../models/tiny-models.ts';

type Behaviour = 'works' | 'differs' | 'fails to open' | 'fails to run' | 'gives NaN';

/** A machine on which each device behaves as told; sessions are known by their device. */
function machine(behaviours: Partial<Record<DeviceKind, Behaviour>>) {
  const opened: DeviceKind[] = [];
  const released: DeviceKind[] = [];
  const kinds = new Map<EncoderSession, DeviceKind>();
  const runtime: EncoderRuntime = {
    devices: () => Object.keys(behaviours) as DeviceKind[],
    open: async (_path, device) => {
      opened.push(device);
      if (behaviours[device] === 'fails to open') {
        throw new Error('/src/webgpu.cc:136 Initialize() status was false. No adapter\nmore');
      }
      const session = { release: async () => void released.push(device) } as unknown as EncoderSession;
      kinds.set(session, device);
      return session;
    },
  };
  const probe = async (session: EncoderSession): Promise<Float32Array[]> => {
    const behaviour = behaviours[kinds.get(session)!];
    if (behaviour === 'fails to run') throw new Error('kernel is missing');
    if (behaviour === 'gives NaN') return [Float32Array.of(Number.NaN, 0)];
    // A device may round otherwise than the processor.
    return [
      behaviour === 'differs'
        ? Float32Array.of(0.6, 0.8)
        : Float32Array.of(1, kinds.get(session) === 'CPU' ? 0 : 0.01),
    ];
  };
  const open = (memory?: Parameters<typeof orderDevices>[1]) =>
    openSession(runtime, { modelPath: 'm.onnx', threads: 1, memory, probe, onTry: async () => {} });
  return { opened, released, open };
}

describe('orderDevices', () => {
  const present: DeviceKind[] = ['CUDA', 'WebGPU', 'CPU'];

  it.each([
    { memory: undefined, order: ['CUDA', 'WebGPU', 'CPU'] },
    { memory: { worked: 'CPU' as const }, order: ['CPU'] },
    { memory: { worked: 'WebGPU' as const }, order: ['WebGPU', 'CUDA', 'CPU'] },
    { memory: { worked: 'CoreML' as const }, order: ['CUDA', 'WebGPU', 'CPU'] },
    { memory: { crashed: ['CUDA' as const, 'CPU' as const] }, order: ['WebGPU', 'CPU'] },
  ])('tries $order when $memory is remembered', ({ memory, order }) => {
    expect(orderDevices(present, memory).order).toEqual(order);
  });
});

describe('openSession', () => {
  it('takes the first device that gives the processor’s results, and lets the processor go', async () => {
    const { open, released } = machine({ CUDA: 'fails to open', WebGPU: 'works', CPU: 'works' });
    expect(await open()).toMatchObject({
      device: 'WebGPU',
      tried: [
        { kind: 'CUDA', outcome: 'No adapter' },
        { kind: 'WebGPU', outcome: 'in use' },
      ],
    });
    expect(released).toEqual(['CPU']);
  });

  it.each([
    { behaviour: 'differs' as const, says: /^it computes something else than the processor \(\d+ % off\)$/ },
    { behaviour: 'gives NaN' as const, says: /^it computes something else/ },
    { behaviour: 'fails to run' as const, says: /^kernel is missing$/ },
  ])('falls back to the processor when a device $behaviour', async ({ behaviour, says }) => {
    const { open, released } = machine({ CoreML: behaviour, CPU: 'works' });
    const result = await open();
    expect(result.device).toBe('CPU');
    expect(result.tried).toEqual([
      { kind: 'CoreML', outcome: expect.stringMatching(says) },
      { kind: 'CPU', outcome: 'in use' },
    ]);
    expect(released).toEqual(['CoreML']);
  });

  it('says of a device that ended the process that it is not tried', async () => {
    const { open, opened } = machine({ DirectML: 'works', CPU: 'works' });
    const { device, tried } = await open({ crashed: ['DirectML'] });
    expect(device).toBe('CPU');
    expect(tried[0]).toEqual({ kind: 'DirectML', outcome: 'not tried: it ended the process before' });
    expect(opened).toEqual(['CPU']);
  });

  it('tells what the other devices said while only the processor is tried', async () => {
    const { open, opened } = machine({ WebGPU: 'fails to open', CPU: 'works' });
    const first = await open();
    const again = await open({ worked: 'CPU', tried: first.tried });
    expect(again.tried).toEqual(first.tried);
    expect(again.tried[0]).toEqual({ kind: 'WebGPU', outcome: 'No adapter' });
    expect(opened).toEqual(['CPU', 'WebGPU', 'CPU']);
  });

  it('asks no other device about a graph that the processor refuses', async () => {
    const { open, opened } = machine({ CUDA: 'works', CPU: 'fails to open' });
    await expect(open()).rejects.toThrow('No adapter');
    expect(opened).toEqual(['CPU']);
  });

  it('keeps what is said of a broken model', async () => {
    const runtime: EncoderRuntime = {
      devices: () => ['CPU'],
      open: async () => ({ release: async () => {} }) as unknown as EncoderSession,
    };
    const fault = new AppError('MODEL_INVALID', 'broken');
    const options = { modelPath: '', threads: 1, memory: undefined, onTry: async () => {} };
    await expect(openSession(runtime, { ...options, probe: () => Promise.reject(fault) })).rejects.toBe(
      fault,
    );
  });
});

describe('an embedder on this machine', () => {
  it('ends on a device that works, whatever the machine has, and names every try', async () => {
    const { devices: _, ...spec } = tinyEmbedderSpec({ layers: 1 });
    const tries: DeviceKind[] = [];
    const embedder = await OnnxEmbedder.load(spec, { onTry: async (device) => void tries.push(device) });
    const { device, tried } = embedder.encoder;
    expect(tried.at(-1)).toEqual({ kind: device, outcome: 'in use' });
    expect(tries).toContain('CPU');
    expect(onnxRuntime.devices().at(-1)).toBe('CPU');
    const onCpu = await OnnxEmbedder.load({ ...spec, devices: { worked: 'CPU' } });
    const [a] = await embedder.embed(['payment term'], 'query');
    const [b] = await onCpu.embed(['payment term'], 'query');
    expect(cosine(a!, b!)).toBeGreaterThan(0.999);
    await Promise.all([embedder.close(), onCpu.close()]);
  });
});
