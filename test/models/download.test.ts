/** Does a model come whole and checked, or not at all, whatever the host does? */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeTinyEncoder } from '../../build/make-tiny-encoder.ts';
import type { ModelDownload } from '../../src/api/types.ts';
import { DownloadService, type NetworkOptions } from '../../src/engine/download-service.ts';
import { sourceEntries } from '../../src/engine/entries.ts';
import { createModels } from '../../src/engine/model-host.ts';
import { type CatalogueEntry, readCatalogue } from '../../src/engine/models/catalogue.ts';
import { checkFreeDisk } from '../../src/engine/models/disk-space.ts';
import { breakAfter, revision, sendFile, startHub, startProxy, type TestHub } from './model-hub.ts';
import { temporaryFolder } from './tiny-models.ts';

const catalogue = path.join(import.meta.dirname, '../../resources/models.json');
/** A real entry of the catalogue; the hub here holds small files under the same names. */
const entry: CatalogueEntry = {
  ...readCatalogue(catalogue).find(({ id }) => id === 'multilingual-e5-small')!,
  ...{ dimensions: 64, maxTokens: 128 },
} as CatalogueEntry;

const quick = {
  retryDelayMs: 5,
  maxRetryDelayMs: 20,
  stallTimeoutMs: 300,
  answerTimeoutMs: 300,
  connectTimeoutMs: 300,
};

function tinyFiles(): Map<string, Buffer> {
  const folder = temporaryFolder();
  makeTinyEncoder(folder);
  return new Map([
    ['README.md', Buffer.from('# a model')],
    ['onnx/model.onnx', readFileSync(path.join(folder, 'model.onnx'))],
    ['onnx/tokenizer.json', readFileSync(path.join(folder, 'tokenizer.json'))],
    ['onnx/tokenizer_config.json', Buffer.from('{}')],
    ['onnx/model_O4.onnx', Buffer.from('another one')],
  ]);
}

interface Desk {
  folder: string;
  files: Map<string, Buffer>;
  hub: TestHub;
  service(network?: NetworkOptions): DownloadService;
  load(network?: NetworkOptions): Promise<ModelDownload>;
}

async function open(): Promise<Desk> {
  const files = tinyFiles();
  const hub = await startHub(files);
  const folder = temporaryFolder();
  const service = (network: NetworkOptions = {}) => {
    const made = new DownloadService({
      folder,
      version: '0.0.0-test',
      network: { origin: hub.origin, limits: quick, ...network },
      onInstalled: () => {},
    });
    onTestFinished(() => made.close());
    return made;
  };
  const load = async (network?: NetworkOptions) => {
    const made = service(network);
    made.start(entry);
    return (await made.ended(entry.id))!;
  };
  return { folder, files, hub, service, load };
}

const model = (desk: Desk): Buffer => desk.files.get('onnx/model.onnx')!;
const isModel = (url: string | undefined): boolean => url?.endsWith('onnx%2Fmodel.onnx') === true;
const unfinished = (desk: Desk, name: string): string =>
  path.join(desk.folder, `.download-${entry.id}`, 'onnx', name);

describe('a download', () => {
  it('brings the chosen files, keeps commit and hashes, and the model runs', async () => {
    const desk = await open();
    const last = await desk.load();
    expect(last).toMatchObject({ phase: 'done', revision, host: new URL(desk.hub.origin).host });
    expect(last.doneBytes).toBe(last.totalBytes);
    expect(last.files.map((file) => [file.path, file.sha256 !== '', file.gitSha1 !== undefined])).toEqual([
      ['onnx/model.onnx', true, false],
      ['onnx/tokenizer.json', false, true],
      ['onnx/tokenizer_config.json', false, true],
    ]);
    const models = createModels({ folders: [desk.folder], entry: sourceEntries.modelProcess, threads: 1 });
    onTestFinished(() => models.close());
    const [info] = await models.check();
    expect(info).toMatchObject({
      id: entry.id,
      state: 'ready',
      isVerified: true,
      licence: 'MIT',
      source: `huggingface.co/intfloat/multilingual-e5-small@${revision.slice(0, 7)}`,
    });
    const { embedder } = (await models.embedder())!;
    expect((await embedder.embed(['text'], 'query'))[0]).toHaveLength(64);
    expect(readdirSync(desk.folder)).toEqual([entry.id]);
  });

  it('tells its way from resolving to done', async () => {
    const desk = await open();
    const service = desk.service();
    service.start(entry);
    const phases: string[] = [];
    for await (const [state] of service.states()) {
      phases.push(state!.phase);
      if (state!.phase === 'done') break;
    }
    expect(phases[0]).toBe('resolving');
    expect(phases.at(-1)).toBe('done');
  });

  it('goes on where the connection broke', async () => {
    const desk = await open();
    let breaks = 0;
    desk.hub.behave.file = (request, response) => {
      if (!isModel(request.url) || breaks >= 3) return false;
      breaks += 1;
      breakAfter(request, response, model(desk), 20_000);
      return true;
    };
    expect(await desk.load()).toMatchObject({ phase: 'done' });
    const ranges = desk.hub.requests.filter(({ path: asked }) => asked === '/store/onnx/model.onnx');
    expect(ranges.map(({ range }) => range)).toEqual([
      undefined,
      'bytes=20000-',
      'bytes=40000-',
      'bytes=60000-',
    ]);
  });

  it('keeps what it has when it is cancelled, and goes on after a restart', async () => {
    const desk = await open();
    desk.hub.behave.file = (request, response) => {
      if (!isModel(request.url)) return false;
      response.writeHead(200, { etag: '"x"', 'content-length': model(desk).length });
      response.write(model(desk).subarray(0, 30_000));
      return true;
    };
    const first = desk.service({ limits: { ...quick, stallTimeoutMs: 10_000 } });
    first.start(entry);
    await expect
      .poll(() => statSync(unfinished(desk, 'model.onnx.part'), { throwIfNoEntry: false })?.size)
      .toBe(30_000);
    await first.cancel(entry.id);
    expect((await first.ended(entry.id))?.phase).toBe('cancelled');
    desk.hub.behave.file = (request, response) => {
      if (!isModel(request.url)) return false;
      request.headers['if-range'] = request.headers['if-range'] === '"x"' ? etagOf(desk) : 'other';
      sendFile(request, response, model(desk));
      return true;
    };
    expect(await desk.load()).toMatchObject({ phase: 'done' });
    const asked = desk.hub.requests.filter(({ path: file }) => file === '/store/onnx/model.onnx');
    expect(asked.map(({ range }) => range)).toEqual([undefined, 'bytes=30000-']);
  });

  it('starts anew when the host has another commit since', async () => {
    const desk = await open();
    const newest = { ...entry, revision: undefined } as unknown as CatalogueEntry;
    mkdirSync(path.dirname(unfinished(desk, 'x')), { recursive: true });
    const old = path.join(desk.folder, `.download-${entry.id}`, 'old.bin');
    writeFileSync(old, 'left by another commit');
    const service = desk.service();
    service.start(newest);
    expect((await service.ended(entry.id))?.phase).toBe('done');
    expect(existsSync(path.join(desk.folder, entry.id, 'old.bin'))).toBe(false);
  });

  it('is refused for a model that is installed, and runs once', async () => {
    const desk = await open();
    const service = desk.service();
    service.start(entry);
    service.start(entry);
    await service.ended(entry.id);
    expect(desk.hub.requests.filter(({ path: asked }) => asked.startsWith('/api/'))).toHaveLength(1);
    expect(() => service.start(entry)).toThrow(/installed already/);
  });

  const leftIn = (desk: Desk) =>
    readdirSync(desk.folder, { recursive: true })
      .map(String)
      .filter((name) => statSync(path.join(desk.folder, name)).isFile())
      .sort();

  it('that failed before anything came leaves nothing behind', async () => {
    const desk = await open();
    desk.hub.behave.file = (_request, response) => {
      response.writeHead(404).end('not found');
      return true;
    };
    expect(await desk.load()).toMatchObject({ phase: 'failed', doneBytes: 0 });
    expect(readdirSync(desk.folder)).toEqual([]);
  });

  it('with one wrong file keeps the right ones, removes the wrong one, and counts what it kept', async () => {
    const desk = await open();
    desk.hub.behave.file = (request, response) => {
      if (!request.url?.endsWith('tokenizer.json')) return false;
      const other = Buffer.from(desk.files.get('onnx/tokenizer.json')!);
      other[5]! ^= 1;
      sendFile(request, response, other);
      return true;
    };
    expect(await desk.load()).toMatchObject({
      phase: 'failed',
      doneBytes: model(desk).length,
      message: expect.stringMatching(/tokenizer\.json.*the file was removed/),
    });
    expect(leftIn(desk)).toEqual([
      path.join(`.download-${entry.id}`, '.revision'),
      path.join(`.download-${entry.id}`, 'onnx', 'model.onnx'),
    ]);
  });

  it('whose only file was wrong leaves nothing behind', async () => {
    const desk = await open();
    desk.hub.behave.file = (request, response) => {
      if (!isModel(request.url)) return false;
      sendFile(request, response, Buffer.alloc(model(desk).length));
      return true;
    };
    expect(await desk.load()).toMatchObject({ phase: 'failed', doneBytes: 0 });
    expect(readdirSync(desk.folder)).toEqual([]);
  });

  it('is not begun while another process loads the same model, and is after that one died', async () => {
    const desk = await open();
    const mark = path.join(desk.folder, `.download-${entry.id}.pid`);
    const other = fork(path.join(import.meta.dirname, '../../src/engine/model-process.ts'), { silent: true });
    onTestFinished(() => void other.kill('SIGKILL'));
    writeFileSync(mark, String(other.pid));
    expect(await desk.load()).toMatchObject({
      phase: 'failed',
      message: expect.stringMatching(/another Lectern \(process \d+\) loads it already/),
    });
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(await desk.load()).toMatchObject({ phase: 'done' });
    expect(readdirSync(desk.folder)).toEqual([entry.id]);
  });

  it('is refused where the disk has no room', async () => {
    await expect(checkFreeDisk(temporaryFolder(), 1e18, 'Big')).rejects.toMatchObject({
      code: 'DOWNLOAD_FAILED',
      message: expect.stringMatching(/^No room on the disk: Big: it needs 1000000000\.0 GB in /),
    });
  });
});

function etagOf(desk: Desk): string {
  let etag = '';
  sendFile(
    { headers: {} } as never,
    {
      writeHead: (_status: number, headers: { etag: string }) => {
        etag = headers.etag;
      },
      end: () => {},
    } as never,
    model(desk),
  );
  return etag;
}

describe('a proxy', () => {
  it('is used for every connection', async () => {
    const desk = await open();
    const proxy = await startProxy();
    expect(await desk.load({ proxy: { http: proxy.url } })).toMatchObject({ phase: 'done' });
    expect(proxy.tunnels).toContain(new URL(desk.hub.origin).host);
  });

  it('is passed by for hosts that are excepted', async () => {
    const desk = await open();
    const proxy = await startProxy();
    expect(await desk.load({ proxy: { http: proxy.url, no: '127.0.0.1' } })).toMatchObject({ phase: 'done' });
    expect(proxy.tunnels).toEqual([]);
  });

  it('that refuses is told apart from the host', async () => {
    const desk = await open();
    const proxy = await startProxy(407);
    expect(await desk.load({ proxy: { http: proxy.url } })).toMatchObject({
      phase: 'failed',
      code: 'DOWNLOAD_FAILED',
      message: expect.stringMatching(/the proxy refuses to reach .* \(status 407\)/),
    });
  });
});

describe('a host that', () => {
  const other = (desk: Desk): Buffer => {
    const bytes = Buffer.from(model(desk));
    bytes[100]! ^= 1;
    return bytes;
  };

  const cases: {
    does: string;
    says: RegExp;
    play(desk: Desk): void;
  }[] = [
    {
      does: 'sends a web page instead of the file',
      says: /sent a web page instead of the file/,
      play: ({ hub }) => {
        hub.behave.file = (_request, response) => {
          response.setHeader('content-type', 'text/html; charset=utf-8');
          response.end('<!doctype html><title>Sign in</title>');
          return true;
        };
      },
    },
    {
      does: 'sends other bytes of the same length',
      says: /sent other bytes than it promised: the file was removed/,
      play: (desk) => {
        desk.hub.behave.file = (request, response) => {
          if (!isModel(request.url)) return false;
          sendFile(request, response, other(desk));
          return true;
        };
      },
    },
    {
      does: 'sends other bytes of a small file',
      says: /tokenizer_config\.json.*sent other bytes than it promised/,
      play: (desk) => {
        desk.hub.behave.file = (request, response) => {
          if (!request.url?.endsWith('tokenizer_config.json')) return false;
          sendFile(request, response, Buffer.from('[]'));
          return true;
        };
      },
    },
    {
      does: 'sends more than it promised',
      says: /sent more than the \d+ bytes/,
      play: (desk) => {
        desk.hub.behave.file = (request, response) => {
          if (!isModel(request.url)) return false;
          response.writeHead(200, { etag: '"x"' });
          response.end(Buffer.concat([model(desk), Buffer.from('more')]));
          return true;
        };
      },
    },
    {
      does: 'names another length',
      says: /has 7 bytes instead of the \d+ that it promised/,
      play: ({ hub }) => {
        hub.behave.file = (request, response) => {
          sendFile(request, response, Buffer.from('another'));
          return true;
        };
      },
    },
    {
      does: 'stops half-way, each time',
      says: /broke the connection off/,
      play: (desk) => {
        desk.hub.behave.file = (request, response) => {
          if (!isModel(request.url)) return false;
          breakAfter(request, response, model(desk), request.headers.range ? 0 : 1000);
          return true;
        };
      },
    },
    {
      does: 'ends early without a word',
      says: /stopped after 1000 of \d+ bytes/,
      play: (desk) => {
        desk.hub.behave.file = (request, response) => {
          if (!isModel(request.url)) return false;
          response.writeHead(200).end(model(desk).subarray(0, 1000));
          return true;
        };
      },
    },
    {
      does: 'sends nothing more',
      says: /sent nothing more for too long/,
      play: (desk) => {
        desk.hub.behave.file = (request, response) => {
          if (!isModel(request.url)) return false;
          response.writeHead(200, { 'content-length': model(desk).length });
          response.write(model(desk).subarray(0, 1000));
          return true;
        };
      },
    },
    {
      does: 'does not answer at all',
      says: /did not answer in time/,
      play: ({ hub }) => {
        hub.behave.listing = () => true;
      },
    },
    {
      does: 'sends another part than the one asked for',
      says: /sent another part/,
      play: (desk) => {
        desk.hub.behave.file = (request, response) => {
          if (!isModel(request.url)) return false;
          if (request.headers.range) {
            response.writeHead(206, { 'content-range': 'bytes 0-9/10' }).end('0123456789');
          } else breakAfter(request, response, model(desk), 1000);
          return true;
        };
      },
    },
    {
      does: 'compresses the file',
      says: /sent the file compressed/,
      play: ({ hub }) => {
        hub.behave.file = (_request, response) => {
          response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
          return true;
        };
      },
    },
    ...(
      [
        [401, /wants an account for it \(status 401\)/],
        [404, /does not have it \(status 404\)/],
        [429, /takes no more requests for now \(status 429\)/],
        [503, /answered with status 503/],
      ] as const
    ).map(([status, says]) => ({
      does: `answers with status ${status}`,
      says,
      play: ({ hub }: Desk) => {
        hub.behave.listing = (_request, response) => {
          response.writeHead(status, { 'retry-after': '3600' }).end();
          return true;
        };
      },
    })),
    {
      does: 'sends on to an open connection elsewhere',
      says: /sends to an address that is not safe/,
      play: ({ hub }) => {
        hub.behave.file = (_request, response) => {
          response.writeHead(302, { location: 'http://example.org/model.onnx' }).end();
          return true;
        };
      },
    },
    {
      does: 'sends round in a circle',
      says: /sends on and on to other addresses/,
      play: ({ hub }) => {
        hub.behave.file = (request, response) => {
          response.writeHead(302, { location: request.url }).end();
          return true;
        };
      },
    },
    {
      does: 'describes its files in HTML',
      says: /answered with something else than a list of files/,
      play: ({ hub }) => {
        hub.behave.listing = (_request, response) => {
          response.setHeader('content-type', 'text/html');
          response.end('<html>');
          return true;
        };
      },
    },
    {
      does: 'has another commit than the catalogue',
      says: /has the commit 0000000 instead of 614241f/,
      play: ({ hub }) => {
        hub.describe = (listing) => ({ ...listing, sha: '0'.repeat(40) });
      },
    },
    {
      does: 'lacks a file that the model needs',
      says: /has no file "onnx\/model\.onnx"/,
      play: ({ files }) => {
        files.delete('onnx/model.onnx');
      },
    },
    {
      does: 'promises no hash',
      says: /promises no hash for "onnx\/model\.onnx"/,
      play: ({ hub }) => {
        hub.describe = ({ sha, siblings }) => ({
          sha,
          siblings: siblings.map(({ rfilename, size }) => ({ rfilename, ...(size ? { size } : {}) })),
        });
      },
    },
    {
      does: 'has a model that reads files outside its folder',
      says: /reads from ".*secret"/,
      play: (desk) => {
        // An initializer whose data stands elsewhere: model.graph (7) → initializer (5) → external_data (13) → key (1), value (2).
        const field = (tag: number, ...parts: Buffer[]) => {
          const body = Buffer.concat(parts);
          return Buffer.concat([Buffer.from([tag, body.length]), body]);
        };
        const external = field(
          0x6a,
          field(0x0a, Buffer.from('location')),
          field(0x12, Buffer.from('../secret')),
        );
        const graph = field(0x3a, field(0x2a, external));
        desk.files.set('onnx/model.onnx', Buffer.concat([model(desk), graph]));
      },
    },
  ];

  it.each(cases)('$does: said in one line, nothing wrong left', async ({ says, play }) => {
    const desk = await open();
    play(desk);
    const last = await desk.load();
    expect(last).toMatchObject({
      phase: 'failed',
      code: expect.stringMatching(/^(DOWNLOAD_FAILED|MODEL_INVALID)$/),
    });
    expect(last.message).toMatch(says);
    expect(last.message).not.toContain('\n');
    expect(existsSync(path.join(desk.folder, entry.id))).toBe(false);
    // What is left is a beginning of the right bytes.
    const left = unfinished(desk, 'model.onnx.part');
    if (existsSync(left))
      expect(model(desk).subarray(0, statSync(left).size).equals(readFileSync(left))).toBe(true);
  });

  it('can’t be reached is named', async () => {
    const desk = await open();
    expect(await desk.load({ origin: 'http://127.0.0.1:9' })).toMatchObject({
      phase: 'failed',
      message: expect.stringMatching(/127\.0\.0\.1:9 refuses connections/),
    });
    expect(await desk.load({ origin: 'https://host.invalid' })).toMatchObject({
      phase: 'failed',
      message: expect.stringMatching(/host\.invalid can’t be found/),
    });
  });

  it('is out of breath for a moment is asked again', async () => {
    const desk = await open();
    let asked = 0;
    desk.hub.behave.listing = (_request, response) => {
      asked += 1;
      if (asked > 2) return false;
      response.writeHead(asked === 1 ? 429 : 502, { 'retry-after': '0' }).end();
      return true;
    };
    expect(await desk.load()).toMatchObject({ phase: 'done' });
    expect(asked).toBe(3);
  });
});
