import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isWellFormedToken, TOKEN_PREFIXES } from '../../security/index.ts';

/** The prefixes of the two environments' parts of the cookie. */
export type CookiePrefix = (typeof COOKIE_PREFIXES)[number];

const COOKIE_PREFIXES = [TOKEN_PREFIXES.cookieLive, TOKEN_PREFIXES.cookieTest] as const;

/**
 * The cookie of browser sessions (contract §15). Production and the sandbox may be two ports of one host, and a browser
 * stores one cookie per name and host, regardless of the port. So the value has a part per environment, and each
 * changes only its own. See docs/decisions/0043.
 */
export class SessionCookies {
  readonly #origin: string;
  readonly #prefix: CookiePrefix;

  /** @param baseUrl is the public address of the environment: behind a proxy, the Host header may differ. */
  constructor(baseUrl: string, prefix: CookiePrefix) {
    this.#origin = new URL(baseUrl).origin;
    this.#prefix = prefix;
  }

  /** The prefix of the secrets of this environment's browser sessions. */
  get prefix(): CookiePrefix {
    return this.#prefix;
  }

  /**
   * The secret of a request sent by our own pages. The cookie of any other is ignored: sibling subdomains are the same
   * site, so SameSite alone would let them through. Safe methods have no Origin header.
   */
  read({ headers, method = '' }: Pick<IncomingMessage, 'headers' | 'method'>): string | undefined {
    const isOwn = headers['sec-fetch-site'] === SAME_ORIGIN && (SAFE.has(method) || headers.origin === this.#origin);
    return isOwn ? tokensInCookie(headers).find((token) => token.startsWith(this.#prefix)) : undefined;
  }

  /**
   * Whether a page of another origin may have sent this. A login checks this before it sets the cookie, because such a
   * page could log its visitor in to an account of its author. Browsers send Origin with every POST, so a request with
   * neither header comes from a program, not a browser.
   */
  isFromElsewhere({ 'sec-fetch-site': site = SAME_ORIGIN, origin = this.#origin }: IncomingHttpHeaders): boolean {
    return site !== SAME_ORIGIN || origin !== this.#origin;
  }

  /** The Set-Cookie header that gives this environment's part a new secret. */
  set(headers: IncomingHttpHeaders, token: string): Readonly<Record<string, string>> {
    return setCookie([token, ...this.#othersIn(headers)]);
  }

  /** The Set-Cookie header that removes this environment's part. */
  clear(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
    return setCookie(this.#othersIn(headers));
  }

  #othersIn(headers: IncomingHttpHeaders): string[] {
    return tokensInCookie(headers).filter((token) => !token.startsWith(this.#prefix));
  }
}

/** The secrets in the cookie of a request from anywhere: at most one per environment. */
export function tokensInCookie({ cookie = '' }: IncomingHttpHeaders): string[] {
  const values = cookie.split(';').flatMap((pair) => {
    // Only these two are white space here. Trimming more would accept other names as ours, without the guarantees of
    // its prefix.
    const [, name, value = ''] = /^[ \t]*([^=]*)=(.*?)[ \t]*$/.exec(pair) ?? [];
    return name === COOKIE_NAME ? [value] : [];
  });
  // If there are two with one name, at least one was not set by us.
  const tokens = values.length === 1 ? (values[0] ?? '').split('.', MAX_PARTS) : [];
  return COOKIE_PREFIXES.flatMap(
    (prefix) => tokens.find((token) => token.startsWith(prefix) && isWellFormedToken(token)) ?? [],
  );
}

/** Whether a token is a cookie's, which is valid nowhere else. */
export function isCookieToken(token: string): boolean {
  return COOKIE_PREFIXES.some((prefix) => token.startsWith(prefix));
}

function setCookie(tokens: readonly string[]): Readonly<Record<string, string>> {
  const maxAge = tokens.length === 0 ? 0 : MAX_AGE_SECONDS;
  const value = `${COOKIE_NAME}=${tokens.join('.')}; Path=/; Max-Age=${maxAge}; HttpOnly; Secure; SameSite=Strict`;
  return { 'set-cookie': value };
}

/** Browsers accept this prefix only from the host itself, over HTTPS: a sibling subdomain cannot set it. */
const COOKIE_NAME = '__Host-seathold';

/** The longest duration of any session; the server decides when it ends. */
const MAX_AGE_SECONDS = 90 * 86_400;
const MAX_PARTS = 4;
const SAME_ORIGIN = 'same-origin';
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
