/** On which device does a graph run here, and does it compute there what the processor computes? */
import { AppError } from '../../api/errors.ts';
import { embed } from '../config.ts';
import type { DeviceKind, DeviceMemory, DeviceTry } from './encoder-spec.ts';
import type { EncoderRuntime, EncoderSession } from './onnx-runtime.ts';

/** A session, where it runs, and what was tried before. */
export interface OpenedSession {
  session: EncoderSession;
  device: DeviceKind;
  tried: DeviceTry[];
}

export interface OpenOptions {
  modelPath: string;
  threads: number;
  memory: DeviceMemory | undefined;
  /** Runs a known input. @throws AppError when the graph can't be used whatever the device */
  probe: (session: EncoderSession) => Promise<Float32Array[]>;
  /** Told and waited for before each try, so that whoever watches knows on which device a process ended. */
  onTry: (device: DeviceKind) => Promise<void>;
}

/** Devices in the order in which they are tried, the processor last; `skipped` with why not. */
export function orderDevices(
  present: DeviceKind[],
  memory: DeviceMemory = {},
): { order: DeviceKind[]; skipped: DeviceTry[] } {
  const { worked, crashed = [], tried = [] } = memory;
  if (worked === 'CPU') return { order: ['CPU'], skipped: tried.filter(({ kind }) => kind !== 'CPU') };
  const isUsable = (kind: DeviceKind) => kind === 'CPU' || !crashed.includes(kind);
  const order = present.filter(isUsable);
  if (worked !== undefined && order.includes(worked)) {
    order.splice(0, order.length, worked, ...order.filter((kind) => kind !== worked));
  }
  const skipped = present
    .filter((kind) => !isUsable(kind))
    .map((kind) => ({ kind, outcome: 'not tried: it ended the process before' }));
  return { order, skipped };
}

/**
 * Opens a graph on the first device that gives the processor's results.
 * @throws whatever `probe` or the runtime says when even the processor can't run it
 */
export async function openSession(runtime: EncoderRuntime, options: OpenOptions): Promise<OpenedSession> {
  const { order, skipped } = orderDevices(runtime.devices(), options.memory);
  const tried = [...skipped];
  const open = async (kind: DeviceKind) => {
    await options.onTry(kind);
    return runtime.open(options.modelPath, kind, options.threads);
  };
  if (order[0] === 'CPU') return { ...(await openProcessor(open, options)), tried: [...tried, inUse('CPU')] };
  // The processor's result is the measure, so a broken model is refused before any other device sees it.
  const processor = await openProcessor(open, options);
  for (const device of order.filter((kind) => kind !== 'CPU')) {
    const result = await tryDevice(() => open(device), options.probe, processor.expected);
    if ('session' in result) {
      await processor.session.release();
      return { session: result.session, device, tried: [...tried, inUse(device)] };
    }
    tried.push({ kind: device, outcome: result.failure });
  }
  return { session: processor.session, device: 'CPU', tried: [...tried, inUse('CPU')] };
}

const inUse = (kind: DeviceKind): DeviceTry => ({ kind, outcome: 'in use' });

async function openProcessor(
  open: (kind: DeviceKind) => Promise<EncoderSession>,
  { probe }: OpenOptions,
): Promise<{ session: EncoderSession; device: DeviceKind; expected: Float32Array[] }> {
  const session = await open('CPU');
  try {
    return { session, device: 'CPU', expected: await probe(session) };
  } catch (error) {
    await session.release();
    throw error;
  }
}

/** A device that can't run the graph is no fault of the model: the next one is tried. */
async function tryDevice(
  open: () => Promise<EncoderSession>,
  probe: OpenOptions['probe'],
  expected: Float32Array[],
): Promise<{ session: EncoderSession } | { failure: string }> {
  let session: EncoderSession | undefined;
  try {
    session = await open();
    const difference = distance(await probe(session), expected);
    if (difference <= embed.deviceTolerance) return { session };
    await session.release();
    return {
      failure: `it computes something else than the processor (${(difference * 100).toFixed(0)} % off)`,
    };
  } catch (error) {
    await session?.release().catch(() => {});
    return { failure: runtimeWords(error) };
  }
}

/** Greatest distance of two vectors as a share of the second's length. */
function distance(found: Float32Array[], expected: Float32Array[]): number {
  const shares = expected.map((vector, row) => {
    let apart = 0;
    let length = 0;
    vector.forEach((value, index) => {
      apart += (value - (found[row]?.[index] ?? Number.NaN)) ** 2;
      length += value ** 2;
    });
    return Math.sqrt(apart / Math.max(length, Number.MIN_VALUE));
  });
  // NaN must not pass as small.
  return shares.some(Number.isNaN) ? Infinity : Math.max(0, ...shares);
}

/** What the runtime said, without its source lines and on one line. */
export function runtimeWords(error: unknown): string {
  if (error instanceof AppError) return error.message;
  const line = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!;
  return line.replace(/^\/\S+ .*? was false\. /, '').slice(0, 300);
}
