/** Which devices can ONNX Runtime use on this machine, and how is a graph opened on one? */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { InferenceSession, listSupportedBackends } from 'onnxruntime-node';
import type { DeviceKind } from './encoder-spec.ts';

/** What is used of a session. */
export type EncoderSession = Pick<
  InferenceSession,
  'inputNames' | 'outputNames' | 'inputMetadata' | 'run' | 'release'
>;

/** Opens graphs; a test gives a scripted one. */
export interface EncoderRuntime {
  /** Devices worth a try, best first, the processor last. */
  devices(): DeviceKind[];
  /** @throws whatever the runtime says when the graph or the device is not usable */
  open(modelPath: string, device: DeviceKind, threads: number): Promise<EncoderSession>;
}

const providers: Record<DeviceKind, string> = {
  CUDA: 'cuda',
  DirectML: 'dml',
  CoreML: 'coreml',
  WebGPU: 'webgpu',
  CPU: 'cpu',
};

/** CUDA's files are a download of their own beside the package's; without them a try only fills the log. */
function hasCudaFiles(): boolean {
  const main = createRequire(import.meta.url).resolve('onnxruntime-node');
  const binaries = path.join(main.slice(0, main.lastIndexOf('onnxruntime-node')), 'onnxruntime-node', 'bin');
  const isProvider = /onnxruntime_providers_cuda\.(so|dll)$/;
  try {
    return readdirSync(binaries, { recursive: true }).some((name) => isProvider.test(String(name)));
  } catch {
    return false;
  }
}

export const onnxRuntime: EncoderRuntime = {
  devices() {
    const known = new Map(listSupportedBackends().map((backend) => [backend.name, backend.bundled]));
    const order: DeviceKind[] = ['CUDA', 'DirectML', 'CoreML', 'WebGPU'];
    const present = order.filter((kind) => {
      const isBundled = known.get(providers[kind]);
      return isBundled === true || (isBundled === false && kind === 'CUDA' && hasCudaFiles());
    });
    return [...present, 'CPU'];
  },

  open(modelPath, device, threads) {
    return InferenceSession.create(modelPath, {
      // What a device can't compute falls to the processor.
      executionProviders: device === 'CPU' ? ['cpu'] : [providers[device], 'cpu'],
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      graphOptimizationLevel: 'all',
      // DirectML wants memory planned run by run.
      enableMemPattern: device !== 'DirectML',
      executionMode: 'sequential',
      // What fails is thrown and told; the log would say it a second time.
      logSeverityLevel: 4,
    });
  },
};
