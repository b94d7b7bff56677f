/** Who may talk to the browser shell? Only the browser that opened the launch address of this start. */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Launch code and session of one server; both are forgotten when it stops. */
export class Sessions {
  #launchCode: string | undefined = randomBytes(24).toString('base64url');
  readonly #session = randomBytes(32).toString('base64url');
  readonly #port: () => number;

  constructor(port: () => number) {
    this.#port = port;
  }

  /** The code that works once, or undefined after it was used. */
  get launchCode(): string | undefined {
    return this.#launchCode;
  }

  /** A fresh code, for opening another window. */
  renewLaunchCode(): string {
    this.#launchCode = randomBytes(24).toString('base64url');
    return this.#launchCode;
  }

  /** Exchanges the launch code for the value of Set-Cookie; undefined when it is wrong or used. */
  exchange(code: string): string | undefined {
    if (!this.#launchCode || !equal(code, this.#launchCode)) return undefined;
    this.#launchCode = undefined;
    // Cookies are shared by all ports of a host, so the name carries the port.
    return `${this.#cookieName()}=${this.#session}; Path=/; HttpOnly; SameSite=Strict`;
  }

  /** Host names this machine only: a page elsewhere that resolves to 127.0.0.1 has another Host. */
  isHostAllowed(request: IncomingMessage): boolean {
    return this.#hosts().includes(request.headers.host ?? '');
  }

  /** For upgrades, which browsers allow across origins. */
  isOriginAllowed(request: IncomingMessage): boolean {
    return this.#hosts().some((host) => request.headers.origin === `http://${host}`);
  }

  isSignedIn(request: IncomingMessage): boolean {
    const name = this.#cookieName();
    const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
    const session = cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
    return session !== undefined && equal(session, this.#session);
  }

  #hosts(): string[] {
    return [`127.0.0.1:${this.#port()}`, `localhost:${this.#port()}`];
  }

  #cookieName(): string {
    return `lectern-${this.#port()}`;
  }
}

function equal(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}
