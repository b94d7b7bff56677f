/** How much memory will a GGUF model take? Asked before it is loaded. */
import { GgufInsights, type Llama, readGgufFileInfo } from 'node-llama-cpp';

/** What a model needs, by context size, and what it was trained on. */
export interface GgufEstimate {
  /** Bytes of the weights, wherever they go. */
  weightBytes: number;
  /** Tokens of the longest context that it was trained on. */
  trainContextTokens: number | undefined;
  /** Bytes of a context of so many tokens, wherever it goes. */
  contextBytes(contextTokens: number): Promise<number>;
}

/**
 * Estimates from the file's own metadata.
 * @param llama the backend that will load it, which knows the layout of its buffers
 */
export async function estimateGguf(file: string, llama: Llama): Promise<GgufEstimate> {
  const info = await readGgufFileInfo(file, { sourceType: 'filesystem', logWarnings: false });
  const insights = await GgufInsights.from(info, llama);
  const gpuLayers = llama.gpu === false ? 0 : insights.totalLayers;
  const weights = await insights.estimateModelResourceRequirementsV2({ gpuLayers });
  return {
    weightBytes: weights.cpuRam + weights.gpuVram,
    trainContextTokens: insights.trainContextSize,
    contextBytes: async (contextTokens) => {
      const need = await insights.estimateContextResourceRequirementsV2({
        contextSize: contextTokens,
        modelGpuLayers: gpuLayers,
      });
      return need.cpuRam + need.gpuVram;
    },
  };
}
