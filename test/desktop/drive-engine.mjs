/** Plays Electron's part for the bundled engine process under plain Node: the same messages, ports with the same habits. */
import { EventEmitter } from 'node:events';
import { MessageChannel } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';

const [bundle, start, folder, question] = process.argv.slice(2);
const parent = new EventEmitter();
const replies = [];
parent.postMessage = (reply) => {
  replies.push(reply);
  parent.emit('reply');
};
process.parentPort = parent;
await import(bundle);
parent.emit('message', { data: JSON.parse(start), ports: [] });

const { port1, port2 } = new MessageChannel();
// Electron's MessagePortMain hands its listeners an event that carries the data.
const main = {
  on: (event, listener) => port1.on(event, (data) => listener({ data })),
  postMessage: (data) => port1.postMessage(data),
  start: () => port1.start(),
};
parent.emit('message', { data: { type: 'port' }, ports: [main] });
port2.start();
const client = createORPCClient(new RPCLink({ port: port2 }));
const added = await client.folders.add({ path: folder });
const summary = await client.folders.index({ id: added.id });
const { hits } = await client.search({ question, limit: 3 });
const { rows } = await client.documents.list({});
const replied = new Promise((resolve) => parent.once('reply', resolve));
parent.emit('message', { data: { type: 'open', request: 1, id: rows[0].id, part: 'original' }, ports: [] });
await replied;
process.stdout.write(JSON.stringify({ summary, hits, rows, replies }));
parent.emit('message', { data: { type: 'close' }, ports: [] });
