/** How is a host reached: through which proxy, and with how much patience? */

/** Proxies by the protocol of the address that is asked; a shell reads them from its environment. */
export interface ProxySettings {
  http?: string;
  https?: string;
  /** Hosts that are asked directly, separated by commas; "*" for all. */
  no?: string;
}

/** Proxies as the variables that most programs understand name them, in lower or upper case. */
export function proxyFrom(environment: Record<string, string | undefined>): ProxySettings {
  const value = (name: string) => environment[name] || environment[name.toUpperCase()];
  const [http, https, no] = [value('http_proxy'), value('https_proxy'), value('no_proxy')];
  return { ...(http ? { http } : {}), ...(https ? { https } : {}), ...(no ? { no } : {}) };
}

/** Times, in milliseconds; see `download` in config.ts. */
export interface HttpLimits {
  connectTimeoutMs: number;
  answerTimeoutMs: number;
  stallTimeoutMs: number;
  retryDelayMs: number;
  maxRetryDelayMs: number;
  maxAttempts: number;
}
