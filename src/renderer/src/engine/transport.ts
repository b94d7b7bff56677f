/** How does a message reach the engine: a socket in the browser, a port on the desktop? */
import type { ClientContext, ClientLink } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import type { DesktopBridge, DesktopMessage } from '../../../api/desktop.ts';
import { desktop } from '../shell/platform.ts';
import { Connection } from './connection.ts';
import type { Session } from './session.ts';

export function openSocket(url: string): Session {
  const socket = new WebSocket(url);
  const opened = new Promise<void>((resolve) => {
    socket.addEventListener('open', () => resolve(), { once: true });
  });
  // Heard before the link hears it: what waits must end as "gone", not as whatever the link makes of it.
  const closed = new Promise<void>((resolve) => {
    socket.addEventListener('close', () => resolve(), { once: true });
  });
  const link = new SocketLink({ websocket: socket });
  return {
    link: () => link,
    opened,
    closed,
    close: () => socket.close(),
  };
}

/** How long the desktop shell may take to hand over a port, in milliseconds; it starts the engine meanwhile. */
const portTimeoutMs = 15_000;

export function openPort(desktop: DesktopBridge): Session {
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  let link: ClientLink<ClientContext> | undefined;
  let port: MessagePort | undefined;
  const timer = setTimeout(() => closed.resolve(), portTimeoutMs);
  const receive = (event: MessageEvent): void => {
    if (event.source !== window) return;
    const { type } = (event.data ?? {}) as Partial<DesktopMessage>;
    if (type === 'lectern:engine-gone') closed.resolve();
    if (type !== 'lectern:port' || port !== undefined || event.ports[0] === undefined) return;
    clearTimeout(timer);
    port = event.ports[0];
    port.addEventListener('close', () => closed.resolve(), { once: true });
    link = new PortLink({ port });
    port.start();
    opened.resolve();
  };
  window.addEventListener('message', receive);
  void closed.promise.then(() => window.removeEventListener('message', receive));
  desktop.openPort();
  return {
    link: () => {
      if (link === undefined) throw new Error('The port was used before it came.');
      return link;
    },
    opened: opened.promise,
    closed: closed.promise,
    close: () => {
      port?.close();
      closed.resolve();
    },
  };
}

/** The connection of the shell that this page runs in. */
export function openConnection(): Connection {
  const shell = desktop();
  if (shell !== undefined) return new Connection(() => openPort(shell));
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return new Connection(() => openSocket(`${scheme}://${location.host}/rpc`));
}
