import type { TestApp } from './index.ts';

/** Where the service listens, and the watch over its secrets. */
interface Place {
  api: { baseUrl: string; secrets?: TestApp['api']['secrets'] };
}

/** The last response to a browser, after the redirects that it followed by itself. */
export interface BrowserPage {
  status: number;
  url: URL;
  headers: Headers;
  text: string;
}

/** A page's form: its address and its initial values. */
export interface PageForm {
  method: string;
  action: string;
  fields: Record<string, string>;
}

/**
 * A browser without scripts: it keeps cookies by path, follows redirects within the service and fills in forms. A
 * redirect to an app is not followed: its address counts as the page.
 */
export class PageBrowser {
  readonly #test: Place;
  readonly #ask: typeof fetch;
  readonly #cookies = new Map<string, { path: string; value: string }>();
  /** The headers of every response, redirects included. */
  readonly answers: Array<{ url: string; status: number; headers: Headers }> = [];

  /** @param ask the fetch function. Another one can trust other authorities. */
  constructor(test: Place, ask: typeof fetch = fetch) {
    this.#test = test;
    this.#ask = ask;
  }

  /** Every Set-Cookie header seen, for tests of its attributes. */
  readonly setCookies: string[] = [];

  get cookieNames(): string[] {
    return [...this.#cookies.keys()];
  }

  /** The Cookie header of a request to this path. */
  cookiesFor(pathname: string): string {
    const cookies = [...this.#cookies].filter(([, { path }]) => isBelow(pathname, path));
    return cookies.map(([key, { value }]) => `${key.split(' ')[0]}=${value}`).join('; ');
  }

  async open(address: string | URL, init: RequestInit = {}): Promise<BrowserPage> {
    let url = new URL(address, ISSUER);
    let request: RequestInit = init;
    for (let redirects = 0; redirects < 10; redirects += 1) {
      const response = await this.#fetch(url, request);
      const location = response.headers.get('location');
      if (location === null) {
        return { status: response.status, url, headers: response.headers, text: await response.text() };
      }
      await response.arrayBuffer();
      url = new URL(location, url);
      request = {};
      if (url.origin !== new URL(ISSUER).origin) {
        return { status: response.status, url, headers: response.headers, text: '' };
      }
    }
    throw new Error('too many redirects');
  }

  /** Submits the form of a page whose action ends like this, with its initial values and the given fields. */
  async submit(page: BrowserPage, actionEnds: string, filled: Record<string, string> = {}): Promise<BrowserPage> {
    const form = formsOf(page).find((each) => new URL(each.action, page.url).pathname.endsWith(actionEnds));
    if (form === undefined) {
      throw new Error(`no form ends at ${actionEnds} on: ${page.text}`);
    }
    const fields = new URLSearchParams({ ...form.fields, ...filled });
    const action = new URL(form.action, page.url);
    if (form.method === 'get') {
      return this.open(new URL(`?${fields}`, action));
    }
    return this.open(action, {
      method: 'POST',
      body: fields,
      headers: { origin: 'null', 'sec-fetch-site': 'same-origin' },
    });
  }

  async #fetch(url: URL, init: RequestInit): Promise<Response> {
    const response = await this.#ask(this.#test.api.baseUrl + url.pathname + url.search, {
      ...init,
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        cookie: this.cookiesFor(url.pathname),
        ...init.headers,
      },
    });
    this.answers.push({ url: url.pathname, status: response.status, headers: response.headers });
    for (const line of response.headers.getSetCookie()) {
      this.#keep(line, url);
    }
    return response;
  }

  #keep(line: string, url: URL): void {
    this.setCookies.push(line);
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    const path = attributes.find((each) => each.startsWith('path='))?.slice('path='.length) ?? url.pathname;
    // Signatures are not secrets: they contain only what can be computed with the key.
    if (!name.endsWith('.sig')) {
      this.#test.api.secrets?.note(`the cookie ${name}`, value);
    }
    if (value === '') {
      this.#cookies.delete(`${name} ${path}`);
    } else {
      this.#cookies.set(`${name} ${path}`, { path, value });
    }
  }
}

/** The issuer of a test app, as its settings name it. */
export const ISSUER = 'https://api.test/oauth';

/** The forms of a page, read from its HTML. */
export function formsOf(page: BrowserPage): PageForm[] {
  return [...page.text.matchAll(/<form method="(\w+)" action="([^"]*)">(.*?)<\/form>/gs)].map(
    ([, method = '', action = '', inner = '']) => ({
      method,
      action,
      fields: Object.fromEntries(
        [...inner.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
          ([, name = '', value = '']) => [name, value],
        ),
      ),
    }),
  );
}

function isBelow(pathname: string, path: string): boolean {
  return path === '/' || pathname === path || pathname.startsWith(`${path}/`);
}
