/** What must be known of an encoder to run it? The engine takes it from the model's manifest. */

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
  /** Threads of one run. */
  threads: number;
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
