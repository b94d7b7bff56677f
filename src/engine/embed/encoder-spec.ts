/** What must be known of an encoder to run it? The engine takes it from the model's manifest. */

/** What may run a graph, best first: a maker's own interface before the general one. */
export const deviceKinds = ['CUDA', 'DirectML', 'CoreML', 'WebGPU', 'CPU'] as const;
export type DeviceKind = (typeof deviceKinds)[number];

/** A device that was tried, with "in use" or why it is not. */
export interface DeviceTry {
  kind: DeviceKind;
  outcome: string;
}

/** What earlier starts on this machine taught. */
export interface DeviceMemory {
  /** Ran the model last time: tried first; 'CPU' spares trying the others. Default: none. */
  worked?: DeviceKind;
  /** Ended the process while a model was loaded on it: not tried. Default: none. */
  crashed?: DeviceKind[];
  /** Outcomes of the last time that every device was tried; shown while that is spared. Default: none. */
  tried?: DeviceTry[];
}

/** An ONNX encoder with its tokenizer. */
export interface EncoderSpec {
  /** Shown in messages. */
  name: string;
  /** Absolute path of the ONNX file. */
  modelPath: string;
  /** Absolute path of a Hugging Face tokenizer.json. */
  tokenizerPath: string;
  /** Absolute path of tokenizer_config.json, where the tokenizer needs one. */
  tokenizerConfigPath?: string;
  /** Longest input in tokens, special ones included. */
  maxTokens: number;
  /** Inputs that the graph must have; default: any of those that are known. */
  inputs?: string[];
  /** Output to read; default: the first. */
  output?: string;
  /** Side of shorter texts that is filled up in a run; only graphs that pool by themselves may care. Default: right. */
  padding?: 'left' | 'right';
  /** Threads of one run. */
  threads: number;
  /** Default: every device that the machine has is tried. */
  devices?: DeviceMemory;
  /** Names everything that decides its results. */
  fingerprint: string;
}

export type Pooling = 'mean' | 'cls' | 'last';

/** An encoder that turns a text into one vector. */
export interface EmbedderSpec extends EncoderSpec {
  pooling: Pooling;
  queryPrefix: string;
  passagePrefix: string;
  /** Length of a vector; fewer than the graph gives cuts it. */
  dimensions: number;
  /** Whether vectors are brought to unit length here. */
  normalise: boolean;
}
