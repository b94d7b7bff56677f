/** Which nouns of models cross the border between a shell and the engine? All plain data. */
import type { ErrorCode } from './errors.ts';

export type ModelKind = 'embedder' | 'reranker' | 'generator';

/** An installed model. */
export interface ModelInfo {
  id: string;
  kind: ModelKind;
  name: string;
  /** Absolute path of its folder or file. */
  path: string;
  sizeBytes: number;
  /** ready: usable. invalid: see message. */
  state: 'ready' | 'invalid';
  message?: string;
  /** Device that runs it, once loaded: "CPU", "CUDA" … */
  device?: string;
  /** Comes with the program and can't be removed. */
  isBuiltIn: boolean;
  /** The one of its kind that is used now. The built-in embedder is in use beside a better one until that one knows every passage. */
  isInUse: boolean;
  /** SPDX name, or "unknown". */
  licence: string;
  /** Where it came from, where that is known: "huggingface.co/intfloat/multilingual-e5-small@614241f". */
  source?: string;
  /** Every file has a hash that somebody promised and that was compared. */
  isVerified: boolean;
  /** Of an embedder: passages that have its vectors, of all. */
  coverage?: { done: number; total: number };
  /** Memory it takes when loaded, bytes, estimated; see MemoryEstimate. */
  memoryBytes?: number;
  /** Of a generator: tokens of prompt and answer, as sized for this machine. */
  contextTokens?: number;
}

/** A model that can be had, from the catalogue that comes with the program. */
export interface CatalogueModel {
  id: string;
  kind: ModelKind;
  name: string;
  /** One sentence for a person who knows nothing of models, in both languages of the page. */
  summary: { en: string; ru: string };
  /** Shown before any connection is made. */
  host: string;
  repository: string;
  /** Commit; absent: resolved at the first download. */
  revision?: string;
  /** Sum of its files; absent: nobody has verified it. */
  sizeBytes?: number;
  licence: string;
  licenceUrl: string;
  /** Codes such as "ru"; "multi" for about a hundred. */
  languages: string[];
  /** Parameters in millions. */
  parametersMillions: number;
  /** Memory it needs when loaded, bytes, estimated. */
  memoryBytes: number;
  /** Revision, sizes and hashes are all known. */
  isVerified: boolean;
  /** Judged by the memory of this machine. */
  fit: 'fits' | 'tight' | 'too-large';
  /** The best of its kind for this machine. */
  isRecommended: boolean;
  /** Installed already, under this id. */
  installedId?: string;
}

/** State of one download, from the user's click to the end; always the latest. */
export interface ModelDownload {
  id: string;
  name: string;
  host: string;
  /** resolving: asking the host for commit, sizes and hashes. failed: see message; what was loaded stays for going on, unless it was wrong. */
  phase: 'resolving' | 'downloading' | 'checking' | 'done' | 'cancelled' | 'failed';
  /** Commit that is loaded. */
  revision?: string;
  /** Bytes that are there; of one that stopped, those that stay to go on from. */
  doneBytes: number;
  /** Absent until the host said so. */
  totalBytes?: number;
  /** Estimate, once there is something to estimate from. */
  remainingMs?: number;
  /** Hashes that the host promised and that files are compared with: SHA-256, or of small files the hash of their git object (`sha256` is empty). */
  files: { path: string; sizeBytes: number; sha256: string; gitSha1?: string }[];
  code?: ErrorCode;
  message?: string;
}

/** A device that models may run on. */
export interface ModelDevice {
  /** "CPU", "CUDA", "Metal", "Vulkan", "CoreML", "DirectML", "WebGPU". */
  kind: string;
  /** As the driver names it. */
  name?: string;
  memoryBytes?: number;
  freeMemoryBytes?: number;
  /** Which kinds of model it could serve. */
  serves: ModelKind[];
  /** in-use, available: not used now. failed, absent: see reason. untried: no model was loaded yet. */
  state: 'in-use' | 'available' | 'failed' | 'absent' | 'untried';
  reason?: string;
}

/** What the machine has for models. */
export interface Machine {
  cores: number;
  memoryBytes: number;
  freeMemoryBytes: number;
  devices: ModelDevice[];
}

/** Result of a speed test of one model. */
export interface ModelSpeed {
  id: string;
  device: string;
  /** Time to load it, 0 when it was loaded already. */
  loadMs: number;
  /** Of a generator: words a second while writing. */
  wordsPerSecond?: number;
  /** Of a generator: time to the first word. */
  firstWordMs?: number;
  /** Of an embedder or reranker: passages of about 100 words a second. */
  passagesPerSecond?: number;
}
