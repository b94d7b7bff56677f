/** How does a message reach the engine: a socket in the browser, a port on the desktop? */
import type { ClientContext, ClientLink } from '@orpc/client';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import { RPCLink as SocketLink } from '@orpc/client/websocket';
import type { LecternDesktop } from '../shell/platform.ts';

/** One connection from its opening to its end; it is never opened twice. */
export interface Session {
  /** Usable once `opened` is resolved. */
  link(): ClientLink<ClientContext>;
  opened: Promise<void>;
  /** Resolves, never rejects, also when the opening failed. */
  closed: Promise<void>;
  close(): void;
}

export type OpenSession = () => Session;

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

export function openPort(desktop: LecternDesktop): Session {
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  let link: ClientLink<ClientContext> | undefined;
  let port: MessagePort | undefined;
  const timer = setTimeout(() => closed.resolve(), portTimeoutMs);
  const receive = (event: MessageEvent): void => {
    if (event.source !== window || event.data !== 'lectern:port' || event.ports[0] === undefined) return;
    window.removeEventListener('message', receive);
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
