/** How is a host asked, through a proxy where there is one, and what is said when it does not answer as it should? */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { AppError } from '../../api/errors.ts';
import { download as limits } from '../config.ts';
import type { HttpLimits, ProxySettings } from './network.ts';

export interface HttpResponse {
  status: number;
  headers: Headers;
  body: Dispatcher.ResponseData['body'];
  /** Where it came from, after redirections. */
  url: URL;
}

/** A request failed; `mayPass` says whether trying again can help. */
export class HttpFailure extends AppError {
  readonly mayPass: boolean;
  /** No host was there: at a beginning that is final, in the middle of a download the network may come back. */
  readonly isUnreached: boolean;
  /** The host asked to wait so long, in milliseconds. */
  readonly waitMs: number | undefined;

  constructor(
    message: string,
    options: { mayPass: boolean; isUnreached?: boolean; waitMs?: number; cause?: unknown },
  ) {
    super('DOWNLOAD_FAILED', message, { cause: options.cause });
    this.name = 'HttpFailure';
    this.mayPass = options.mayPass;
    this.isUnreached = options.isUnreached ?? false;
    this.waitMs = options.waitMs;
  }
}

const redirections = new Set([301, 302, 303, 307, 308]);

/** Asks hosts by GET. Connections are encrypted; only a host on this very machine may be asked without. */
export class HttpClient {
  readonly limits: HttpLimits;
  private readonly dispatcher: Dispatcher;
  private readonly agentName: string;

  constructor(options: { version: string; proxy?: ProxySettings; limits?: Partial<HttpLimits> }) {
    this.limits = { ...limits, ...options.limits };
    this.agentName = `Lectern/${options.version}`;
    this.dispatcher = new EnvHttpProxyAgent({
      // Empty strings keep undici from looking into the environment by itself.
      httpProxy: options.proxy?.http ?? '',
      httpsProxy: options.proxy?.https ?? options.proxy?.http ?? '',
      noProxy: options.proxy?.no ?? '',
      connect: { timeout: this.limits.connectTimeoutMs },
      headersTimeout: this.limits.answerTimeoutMs,
      bodyTimeout: this.limits.stallTimeoutMs,
    });
  }

  /**
   * One answer with a good status: 2xx.
   * @param what that is loaded, for messages
   * @throws HttpFailure, or the reason of `signal`
   */
  async get(
    what: string,
    address: URL,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    let url = address;
    for (let hops = 0; hops <= limits.maxRedirects; hops += 1) {
      const response = await this.ask(what, url, headers, signal);
      if (!redirections.has(response.status)) return checkStatus(what, response);
      drop(response);
      url = nextAddress(what, response);
    }
    throw new HttpFailure(
      `Download failed: ${what}: ${address.host} sends on and on to other addresses: try again later.`,
      { mayPass: false },
    );
  }

  /** Tries `work` again while its failure may pass; the first wait is short, a host may ask for longer ones. */
  async withRetries<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        const isFinal = !(error instanceof HttpFailure) || !error.mayPass || error.isUnreached;
        if (isFinal || attempt >= this.limits.maxAttempts) throw error;
        await this.pause(attempt, error.waitMs, signal);
      }
    }
  }

  /** Waits before another attempt. */
  async pause(attempt: number, waitMs: number | undefined, signal: AbortSignal): Promise<void> {
    const wait = waitMs ?? this.limits.retryDelayMs * 2 ** (attempt - 1);
    await sleep(Math.min(wait, this.limits.maxRetryDelayMs), undefined, { signal });
  }

  async close(): Promise<void> {
    await this.dispatcher.destroy();
  }

  private async ask(
    what: string,
    url: URL,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    try {
      const answer = await request(url, {
        dispatcher: this.dispatcher,
        method: 'GET',
        // Compressed bytes could neither be counted nor taken up again in the middle.
        headers: { 'user-agent': this.agentName, 'accept-encoding': 'identity', ...headers },
        signal,
      });
      return { status: answer.statusCode, headers: toHeaders(answer.headers), body: answer.body, url };
    } catch (cause) {
      signal.throwIfAborted();
      throw connectionFailure(what, url.host, cause);
    }
  }
}

/** Lets an answer go that nobody will read; what breaks meanwhile is nobody's concern. */
export function drop({ body }: HttpResponse): void {
  body.on('error', () => {}).destroy();
}

function toHeaders(raw: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) {
    for (const one of [value].flat()) if (one !== undefined) headers.append(name, one);
  }
  return headers;
}

const isLoopback = (host: string): boolean => ['127.0.0.1', 'localhost', '[::1]'].includes(host);

function nextAddress(what: string, { headers, url }: HttpResponse): URL {
  const location = headers.get('location') ?? '';
  const next = URL.parse(location, url.href);
  const isSafe =
    next?.protocol === 'https:' ||
    (next?.protocol === 'http:' && isLoopback(next.hostname) && isLoopback(url.hostname));
  if (next && isSafe) return next;
  throw new HttpFailure(
    `Download failed: ${what}: ${url.host} sends to an address that is not safe (${location.slice(0, 100)}): tell whoever runs your network.`,
    { mayPass: false },
  );
}

/** Seconds or a date, as RFC 9110 has it. */
function retryAfterMs(headers: Headers): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

async function checkStatus(what: string, response: HttpResponse): Promise<HttpResponse> {
  const { status, headers, url } = response;
  if (status >= 200 && status < 300) return response;
  drop(response);
  const say = (why: string, mayPass: boolean) => {
    const waitMs = retryAfterMs(headers);
    return new HttpFailure(`Download failed: ${what}: ${url.host} ${why}.`, {
      mayPass,
      ...(waitMs === undefined ? {} : { waitMs }),
    });
  };
  if (status === 401 || status === 403)
    throw say(`wants an account for it (status ${status}): load it by hand and import it`, false);
  if (status === 404 || status === 410)
    throw say(`does not have it (status ${status}): it was moved or removed; choose another model`, false);
  if (status === 429) throw say('takes no more requests for now (status 429): try again later', true);
  if (status === 407)
    throw say('wants a sign-in at your proxy (status 407): check the proxy’s address', false);
  if (status === 416) throw say('can’t go on in the middle of it (status 416): try again', true);
  throw say(`answered with status ${status}: try again later`, status >= 500);
}

const reasons: Record<string, string> = {
  ENOTFOUND: 'can’t be found: check the connection and the proxy',
  EAI_AGAIN: 'can’t be found just now: check the connection and the proxy',
  ECONNREFUSED: 'refuses connections: check the proxy, or try again later',
  ECONNRESET: 'broke the connection off: try again',
  EPIPE: 'broke the connection off: try again',
  EHOSTUNREACH: 'can’t be reached: check the connection and the proxy',
  ENETUNREACH: 'can’t be reached: check the connection and the proxy',
  ETIMEDOUT: 'did not answer in time: check the connection and the proxy',
  UND_ERR_CONNECT_TIMEOUT: 'did not answer in time: check the connection and the proxy',
  UND_ERR_HEADERS_TIMEOUT: 'did not answer in time: try again later',
  UND_ERR_BODY_TIMEOUT: 'sent nothing more for too long: try again',
  UND_ERR_SOCKET: 'broke the connection off: try again',
  SELF_SIGNED_CERT_IN_CHAIN:
    'shows a certificate of your network, not of the host: have whoever runs your network add it to this machine',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'shows a certificate that nobody vouches for: check the connection and the proxy',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'shows a certificate that nobody vouches for: check the connection and the proxy',
  CERT_HAS_EXPIRED: 'shows a certificate that has expired: check this machine’s clock',
};

/** What an error of a connection means for a person, whether it came before the answer or in its middle. */
export function connectionFailure(what: string, host: string, cause: unknown): HttpFailure {
  const code = codeOf(cause);
  const line = cause instanceof Error ? cause.message.split('\n', 1)[0]!.slice(0, 200) : String(cause);
  const proxy = /^Proxy response \((\d+)\)/.exec(line)?.[1];
  const why =
    proxy === undefined
      ? `${host} ${reasons[code] ?? `failed (${line}): try again later`}`
      : `the proxy refuses to reach ${host} (status ${proxy}): check the proxy’s address and sign-in`;
  const mayPass = proxy === undefined && !code.includes('CERT') && code !== 'UNABLE_TO_VERIFY_LEAF_SIGNATURE';
  const isUnreached = code === 'ENOTFOUND' || code === 'ECONNREFUSED';
  return new HttpFailure(`Download failed: ${what}: ${why}.`, { mayPass, isUnreached, cause });
}

/** Errors of several tried addresses come in one. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  const code = (error as { code?: unknown } | undefined)?.code;
  if (typeof code === 'string' && code in reasons) return code;
  const { cause } = (error ?? {}) as { cause?: unknown };
  return cause === undefined ? (typeof code === 'string' ? code : '') : codeOf(cause);
}
