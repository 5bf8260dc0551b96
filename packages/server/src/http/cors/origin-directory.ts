import type { Clock } from '../../clock/index.ts';
import type { Principal } from '../principal.ts';

/** The origins of OAuth apps, known to the room that owns them; injected by app.ts. */
export interface AppOrigins {
  /** Whether any app has a redirect URI with this origin. */
  isOfSomeApp(origin: string): Promise<boolean>;
  /** Whether the app that this principal's token was made for has one. */
  isOfAppOf(principal: Principal, origin: string): Promise<boolean>;
}

/** Which origins may send requests and read responses, by the settings and by the OAuth apps. */
export class OriginDirectory {
  readonly #allowed: ReadonlySet<string>;
  readonly #apps: AppOrigins;
  readonly #clock: Clock;
  /** Origins of known apps with the time until which each is cached, oldest first. */
  readonly #ofSomeApp = new Map<string, number>();

  constructor(allowed: readonly string[], apps: AppOrigins, clock: Clock) {
    this.#allowed = new Set(allowed);
    this.#apps = apps;
    this.#clock = clock;
  }

  /** Whether a script of this origin may send a request with any token, because a preflight does not contain one. */
  async mayAsk(origin: string): Promise<boolean> {
    if (this.mayAskAsFarAsKnown(origin)) {
      return true;
    }
    const isOfSomeApp = ORIGIN.test(origin) && (await this.#apps.isOfSomeApp(origin));
    if (isOfSomeApp) {
      this.#remember(origin);
    }
    return isOfSomeApp;
  }

  /** The same, only from the cache: false if unknown. */
  mayAskAsFarAsKnown(origin: string): boolean {
    return this.#allowed.has(origin) || (this.#ofSomeApp.get(origin) ?? 0) > this.#clock.nowMs();
  }

  /** Whether a script of this origin may read responses to this principal. */
  async mayRead(origin: string, principal: Principal): Promise<boolean> {
    if (this.#allowed.has(origin)) {
      return true;
    }
    return principal.tokenKind === 'oauth' && ORIGIN.test(origin) && this.#apps.isOfAppOf(principal, origin);
  }

  #remember(origin: string): void {
    this.#ofSomeApp.delete(origin);
    this.#ofSomeApp.set(origin, this.#clock.nowMs() + BELIEVED_MS);
    const [oldest] = this.#ofSomeApp.keys();
    if (this.#ofSomeApp.size > MAX_KNOWN && oldest !== undefined) {
      this.#ofSomeApp.delete(oldest);
    }
  }
}

/** How long a deleted app's origin still passes preflights. Its tokens are invalid, so that is all it learns. */
const BELIEVED_MS = 60_000;
const MAX_KNOWN = 1_000;

/** An origin as browsers write it (RFC 6454 section 6.2), of a scheme that redirect URIs of web pages can have. */
const ORIGIN = /^https?:\/\/[a-z0-9.:[\]-]{1,255}$/;
