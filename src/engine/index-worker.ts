/** What does a parse worker do? Reads one file: parse, chunk, words for the keyword index. JavaScript and WebAssembly only. */
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { isNamed } from '../api/member-path.ts';
import type { DocumentKind } from '../api/types.ts';
import { createChunker } from './chunk/chunk-document.ts';
import { indexing, parse as limits } from './config.ts';
import { type DocumentMetadata, ParseFailure, type Part, type Similarity } from './document.ts';
import { hashFile } from './files/hash-file.ts';
import { readWhole } from './files/read-whole.ts';
import { BatchSender, batchBuffers, EngineChannel, PartSender } from './index-channel.ts';
import { chunkTerms, DocumentFacts } from './index-facts.ts';
import { toParseFailure } from './index-failures.ts';
import { chunkFeatures, WorkerFeatures } from './index-features.ts';
import { MemberSender, writeMember } from './index-member-sender.ts';
import type {
  ExtractReply,
  ExtractTask,
  FailedReply,
  IndexReply,
  IndexTask,
  ReadBatch,
  UnpackReply,
  UnpackTask,
  ViewReply,
  ViewTask,
} from './index-messages.ts';
import { ReadClock } from './index-timings.ts';
import { createStemmer } from './language/stem.ts';
import { kindOf, parseAs, parseDocument } from './parse/parse-document.ts';
import { recognisedPath } from './recognised-pages.ts';
import { packBatch } from './store/pack-batch.ts';
import type { DocumentBatch } from './store/types.ts';

export { recognise } from './recognise-pages.ts';

// A library that prints would break the command line's JSON, which shares the process's standard output.
process.stdout.write = () => true;

/** Cancelling ends the thread, so nothing inside it ever hears a signal. */
const never = new AbortController().signal;
/** One per worker: its memory of stems is what makes it fast. */
const stemmer = createStemmer();
const features = new WorkerFeatures(stemmer);

/** Reads one file into batches for the store. */
export async function index(task: IndexTask): Promise<IndexReply> {
  const channel = new EngineChannel(task.port);
  const clock = new ReadClock();
  let contentHash: string | undefined;
  const facts = new DocumentFacts(task.file.name);
  try {
    // 1. Is it a document at all? Asked before anything large is hashed, so that films never are.
    const whole =
      task.file.sizeBytes <= indexing.wholeFileBytes
        ? readWhole(task.file.path, indexing.wholeFileBytes)
        : undefined;
    contentHash = whole?.contentHash;
    const file = whole ? { ...task.file, bytes: whole.bytes } : { ...task.file };
    const kind = await kindOf(file);
    facts.metadata.kind = kind;
    // 2. Is its content new? Hashed before it is read: a file that changes meanwhile then differs at the next run.
    contentHash ??= await hashFile(file.path);
    if (contentHash === task.knownHash) return { type: 'unchanged' };
    if (task.recognisedFolder) file.recognisedPath = recognisedPath(task.recognisedFolder, contentHash);
    // 3. Parse, chunk, find the words and the features, send.
    const reader = await features.reader(task.features);
    const pack = (batch: DocumentBatch): ReadBatch => ({
      packed: packBatch(batch),
      ...(reader ? { features: chunkFeatures(reader, facts.title(), batch.chunks) } : {}),
    });
    const sender = new BatchSender(channel, pack);
    const members = new MemberSender(channel, task.members);
    const { failure, rest } = await readInto({
      sender,
      members,
      facts,
      task: { ...task, file },
      kind,
      channel,
      clock,
    });
    // 4. Say what it is.
    const read = {
      type: 'read',
      chunks: sender.chunks,
      timings: clock.timings,
      ...(rest ? { rest } : {}),
    } as const;
    if (isNoText(facts, failure)) return { ...read, document: waiting(facts, contentHash, failure) };
    // A mailbox has no words of its own; what is in it has.
    const isEmpty = facts.visibleBlocks === 0 && (members.count === 0 || failure !== undefined);
    if (isEmpty) return emptyReply(facts, contentHash, failure);
    if (failure) facts.take({ type: 'warning', warning: { code: failure.reason, message: failure.message } });
    return handOver({ ...read, document: { ...described(facts, contentHash), state: 'indexed' } });
  } catch (error) {
    const failure = toParseFailure(task.file.name, error);
    return failedReply(failure, facts.metadata, contentHash ?? (await hashOfSmall(task, failure)));
  } finally {
    channel.close();
  }
}

/** The buffers go over instead of being copied. */
function handOver(reply: Extract<IndexReply, { type: 'read' }>): IndexReply {
  if (!reply.rest) return reply;
  const transferable = { [transferableSymbol]: batchBuffers(reply.rest), [valueSymbol]: reply };
  return move(transferable as unknown as ArrayBuffer) as unknown as IndexReply;
}

/** All parts of one file, as they are. */
export async function extract(task: ExtractTask): Promise<ExtractReply> {
  const channel = new EngineChannel(task.port);
  try {
    const sender = new PartSender(channel);
    for await (const part of parseDocument(task.file, never)) {
      // A member's bytes are read here or not at all.
      if (part.type !== 'member') await sender.add(part);
    }
    await sender.end();
    return { type: 'extracted' };
  } catch (error) {
    return failedReply(toParseFailure(task.file.name, error));
  } finally {
    channel.close();
  }
}

/** Writes one member of a file, by its name. */
export async function unpack(task: UnpackTask): Promise<UnpackReply> {
  const { file, member, target, maxBytes } = task;
  try {
    for await (const part of parseDocument(file, never)) {
      if (part.type !== 'member' || !isNamed(part.member.name, member)) continue;
      return { type: 'unpacked', ...(await writeMember(part.member, target, maxBytes)) };
    }
    throw new ParseFailure(
      'gone',
      `Opening failed: ${member}: it is no longer in ${file.name}; read its folder again.`,
    );
  } catch (error) {
    return failedReply(toParseFailure(member, error));
  } finally {
    task.port.close();
  }
}

/** The form of a file that the page shows. */
export async function view(task: ViewTask): Promise<ViewReply> {
  try {
    const { makeView } = await import('./parse/make-view.ts');
    const made = await makeView(task.kind, task.file, never);
    if (made) return { type: 'view', bytes: made.bytes, contentType: made.type };
    return {
      type: 'failed',
      failure: {
        reason: 'unsupported',
        message: `Preparing a view failed: ${task.file.name}: files of kind ${task.kind} are shown as they are.`,
      },
    };
  } catch (error) {
    return failedReply(toParseFailure(task.file.name, error));
  } finally {
    task.port.close();
  }
}

interface Reading {
  task: IndexTask;
  kind: DocumentKind;
  channel: EngineChannel;
  sender: BatchSender;
  members: MemberSender;
  facts: DocumentFacts;
  clock: ReadClock;
}

/** Sends what can be read and returns the rest. A failure in the middle is returned: what came before it stays, as far as that makes sense. */
async function readInto(
  reading: Reading,
): Promise<{ failure: ParseFailure | undefined; rest: ReadBatch | undefined }> {
  const { task, kind, sender, members, facts, clock } = reading;
  const chunker = createChunker(task.hasSimilarity ? { similarity: timedSimilarity(reading) } : {});
  const addChunks = async (chunks: Awaited<ReturnType<typeof chunker.end>>) => {
    for (const chunk of chunks) {
      const terms = chunkTerms(chunk, facts, stemmer);
      clock.enter('send');
      await sender.addChunk(chunk, terms);
      clock.enter('chunk');
    }
  };
  clock.enter('parse');
  const failure = await untilFailure(task, kind, async (part) => {
    clock.enter('send');
    facts.take(part);
    if (part.type === 'member') {
      const warning = await members.send(part.member);
      if (warning) facts.take({ type: 'warning', warning });
    }
    if (part.type === 'table') await sender.addTable(part.table);
    if (part.type === 'block') await sender.addBlock(part.block);
    clock.enter('chunk');
    await addChunks(await chunker.push(part));
    clock.enter('parse');
  });
  clock.enter('chunk');
  // The file itself can't be trusted to be there; a half of it would pass for the whole.
  const isLost = failure?.reason === 'gone' || failure?.reason === 'unreadable';
  if (failure && (isLost || facts.visibleBlocks === 0)) {
    if (failure.reason === 'no-text') return { failure, rest: undefined };
    throw failure;
  }
  await addChunks(await chunker.end());
  clock.enter('send');
  const rest = await sender.end();
  clock.enter('check');
  return { failure, rest };
}

/** The wait for the encoder is none of the chunker's time. */
function timedSimilarity({ channel, clock }: Reading): Similarity {
  return async (sentences) => {
    clock.enter('embed');
    try {
      return await channel.similarity(sentences);
    } finally {
      clock.enter('chunk');
    }
  };
}

async function untilFailure(
  task: IndexTask,
  kind: DocumentKind,
  take: (part: Part) => Promise<void>,
): Promise<ParseFailure | undefined> {
  try {
    for await (const part of parseAs(kind, task.file, never)) await take(part);
    return undefined;
  } catch (error) {
    return toParseFailure(task.file.name, error);
  }
}

/** Pages without a letter need recognition; they are known, not failed. */
function isNoText(facts: DocumentFacts, failure: ParseFailure | undefined): boolean {
  if (facts.visibleBlocks > 0) return false;
  return failure?.reason === 'no-text' || facts.warnings.some((warning) => warning.code === 'no-text');
}

function described(facts: DocumentFacts, contentHash: string) {
  const { metadata, warnings } = facts;
  return {
    metadata: {
      ...metadata,
      kind: metadata.kind ?? 'text',
      title: facts.title(),
      language: facts.language(),
    },
    contentHash,
    warnings,
  } as const;
}

function waiting(facts: DocumentFacts, contentHash: string, failure: ParseFailure | undefined) {
  const message =
    failure?.message ??
    facts.warnings.find((warning) => warning.code === 'no-text')?.message ??
    'Its pages are pictures without text.';
  return { ...described(facts, contentHash), state: 'waiting', reason: 'no-text', message } as const;
}

function emptyReply(
  facts: DocumentFacts,
  contentHash: string,
  failure: ParseFailure | undefined,
): FailedReply {
  if (failure) return failedReply(failure, facts.metadata, contentHash);
  return {
    type: 'failed',
    failure: {
      reason: 'empty',
      message: `Nothing to read: ${facts.title()}: there is no text in it.`,
      contentHash,
      ...(facts.metadata.kind ? { kind: facts.metadata.kind } : {}),
    },
  };
}

function failedReply(
  failure: ParseFailure,
  metadata: DocumentMetadata = {},
  contentHash?: string,
): FailedReply {
  return {
    type: 'failed',
    failure: {
      reason: failure.reason,
      message: failure.message,
      // What lies outside the content is no reason to skip the same content later.
      ...(contentHash === undefined || !isOfContent(failure) ? {} : { contentHash }),
      ...(metadata.kind === undefined ? {} : { kind: metadata.kind }),
    },
  };
}

function isOfContent({ reason }: ParseFailure): boolean {
  return reason !== 'gone' && reason !== 'unreadable';
}

/** What no parser reads is remembered by its content too, unless hashing it would cost more than looking at it again. */
async function hashOfSmall(task: IndexTask, failure: ParseFailure): Promise<string | undefined> {
  if (!isOfContent(failure) || task.file.sizeBytes > limits.maxFailedHashBytes) return undefined;
  return hashFile(task.file.path).catch(() => undefined);
}
