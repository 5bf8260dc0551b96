import type { ApiAnswer, ApiClient, CallOptions } from './api-client.ts';

/** The origin of the pages of the apps under test. */
const OWN_ORIGIN = 'https://api.test';

/**
 * Calls the API like a page in a browser: with the browser's cookie, and the headers in which a browser states the
 * page's origin. Without `page`, the page is our own.
 */
export class ApiBrowser {
  /** The value of the cookie as it would be sent, or empty if there is none. */
  cookie = '';
  /** The Set-Cookie header of the last response that had one. */
  lastSet = '';

  async call(
    api: ApiClient,
    method: string,
    path: string,
    { page = OWN_PAGE, ...options }: CallOptions & { page?: Readonly<Record<string, string>> } = {},
  ): Promise<ApiAnswer> {
    const { origin, ...site } = page;
    const headers = {
      ...site,
      ...(method === 'GET' || origin === undefined ? {} : { origin }),
      ...(this.cookie === '' ? {} : { cookie: `theme=dark; __Host-seathold=${this.cookie}` }),
      ...options.headers,
    };
    const answer = await api.call(method, path, { ...options, headers });
    this.#keep(api, answer.headers.get('set-cookie'));
    return answer;
  }

  get(api: ApiClient, path: string, headers: Readonly<Record<string, string>> = {}): Promise<ApiAnswer> {
    return this.call(api, 'GET', path, { headers });
  }

  post(
    api: ApiClient,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ApiAnswer> {
    return this.call(api, 'POST', path, { body, headers });
  }

  logIn(api: ApiClient, { email, password }: { email: string; password: string }): Promise<ApiAnswer> {
    return this.post(api, '/v1/auth/login', { email, password }, BY_COOKIE);
  }

  #keep(api: ApiClient, header: string | null): void {
    if (header === null) {
      return;
    }
    this.lastSet = header;
    this.cookie = /^__Host-seathold=([^;]*)/.exec(header)?.[1] ?? '';
    for (const part of this.cookie.split('.')) {
      api.secrets.note('a cookie', part);
    }
  }
}

/** Asks for a cookie instead of tokens. */
export const BY_COOKIE = { 'x-session-transport': 'cookie' };

const OWN_PAGE = { 'sec-fetch-site': 'same-origin', origin: OWN_ORIGIN };
