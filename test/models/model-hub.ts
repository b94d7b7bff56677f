/** Who plays the host of models? A server on this machine with the answers of a model hub, good ones and every kind of bad one. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export const revision = '614241f622f53c4eeff9890bdc4f31cfecc418b3';

/** What a test changes about an answer; true: it answered itself. */
export type Behaviour = (request: IncomingMessage, response: ServerResponse) => boolean | undefined;

export interface TestHub {
  origin: string;
  requests: { path: string; range: string | undefined }[];
  behave: { listing?: Behaviour; file?: Behaviour };
  /** Changes what is listed. */
  describe: (listing: Listing) => Listing;
}

export interface Listing {
  sha: string;
  siblings: {
    rfilename: string;
    size?: number;
    blobId?: string;
    lfs?: { sha256: string; size: number; pointerSize: number };
  }[];
}

const hash = (kind: string, ...parts: (string | Buffer)[]): string => {
  const hasher = createHash(kind);
  for (const part of parts) hasher.update(part);
  return hasher.digest('hex');
};

/** Large files are promised by SHA-256, small ones by the hash of their git object, as hubs do. */
function listingOf(files: Map<string, Buffer>): Listing {
  const siblings = [...files].map(([rfilename, bytes]) => ({
    rfilename,
    size: bytes.length,
    blobId: hash('sha1', `blob ${bytes.length}\0`, bytes),
    ...(/\.(onnx|gguf|bin)$/.test(rfilename)
      ? { lfs: { sha256: hash('sha256', bytes), size: bytes.length, pointerSize: 130 } }
      : {}),
  }));
  return { sha: revision, siblings };
}

/** Sends bytes, or the part of them that is asked for. */
export function sendFile(request: IncomingMessage, response: ServerResponse, bytes: Buffer): void {
  const etag = `"${hash('sha256', bytes).slice(0, 16)}"`;
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const isPart = from > 0 && request.headers['if-range'] === etag;
  const body = isPart ? bytes.subarray(from) : bytes;
  response.writeHead(isPart ? 206 : 200, {
    etag,
    'content-type': 'application/octet-stream',
    'content-length': body.length,
    ...(isPart ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}),
  });
  response.end(body);
}

/** Sends so many bytes of a file and breaks the connection. */
export function breakAfter(
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
  count: number,
): void {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const etag = `"${hash('sha256', bytes).slice(0, 16)}"`;
  response.writeHead(from > 0 ? 206 : 200, {
    etag,
    'content-length': bytes.length - from,
    ...(from > 0 ? { 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` } : {}),
  });
  // Bytes that were not taken when the connection ends are lost, and a busy machine takes its time.
  response.write(bytes.subarray(from, from + count), () => setTimeout(() => response.destroy(), 300));
}

/** A hub that holds one repository. Closed when the test is over. */
export async function startHub(files: Map<string, Buffer>): Promise<TestHub> {
  const hub: TestHub = { origin: '', requests: [], behave: {}, describe: (listing) => listing };
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://x').pathname);
    hub.requests.push({ path, range: request.headers.range });
    if (path.startsWith('/api/models/')) {
      if (hub.behave.listing?.(request, response)) return;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(hub.describe(listingOf(files))));
      return;
    }
    const name = /\/resolve\/[0-9a-f]{40}\/(.+)$/.exec(path)?.[1];
    if (name !== undefined) {
      // Hubs keep large files elsewhere and send on to them.
      response.writeHead(302, { location: `/store/${encodeURIComponent(name)}` }).end();
      return;
    }
    if (hub.behave.file?.(request, response)) return;
    const bytes = files.get(path.slice('/store/'.length));
    if (bytes === undefined) response.writeHead(404).end('not found');
    else sendFile(request, response, bytes);
  });
  hub.origin = `http://127.0.0.1:${await listen(server)}`;
  return hub;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A proxy that tunnels, or refuses to. */
export async function startProxy(status = 200): Promise<{ url: string; tunnels: string[] }> {
  const tunnels: string[] = [];
  const server = createServer();
  server.on('connect', (request, client: Socket) => {
    tunnels.push(request.url ?? '');
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
      return;
    }
    const [host = '', port = ''] = (request.url ?? '').split(':');
    const far = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      far.pipe(client).pipe(far);
    });
    for (const socket of [far, client]) socket.on('error', () => socket.destroy());
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, tunnels };
}
