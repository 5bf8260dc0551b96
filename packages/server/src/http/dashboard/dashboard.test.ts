import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { createTest, it } from '../../../test/harness/fixtures.ts';
import type { TestApp } from '../../../test/harness/index.ts';
import { loadDashboard } from './dashboard-files.ts';
import { dashboardHeaders } from './page-headers.ts';

const branded = createTest({ settings: { SEATHOLD_BRAND: JSON.stringify({ name: '<b>"Acme" & Sons</b> %NONCE%' }) } });

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

async function get(app: TestApp, path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; type: string; headers: Record<string, unknown>; body: string }>((done, fail) => {
    const asked = request(app.api.baseUrl + path, { method, headers }, async (answer) => {
      const body = Buffer.concat(await answer.toArray()).toString();
      const type = answer.headers['content-type'] ?? '';
      done({ status: answer.statusCode ?? 0, type, headers: answer.headers, body });
    });
    asked.on('error', fail).end();
  });
}

describe('the dashboard’s page', () => {
  it.for(['/', '/licenses', '/licenses/lic_1?tab=seats', '/some/thing/else'])(
    'is served at %s to a browser, with a policy that allows no inline script',
    async (path, { app }) => {
      const { type, headers, body } = await get(app, path, HTML);
      expect(type).toBe('text/html; charset=utf-8');
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-/,
      );
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'cross-origin-opener-policy': 'same-origin',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
      });
      expect(body).not.toMatch(/<script(?![^>]*\bsrc=)/);
      expect(headers['x-request-id']).toMatch(/^req_/);
    },
  );

  it('has a different nonce each time', async ({ app }) => {
    const [one, other] = await Promise.all([get(app, '/', HTML), get(app, '/', HTML)]);
    expect(one.headers['content-security-policy']).not.toBe(other.headers['content-security-policy']);
  });

  it.for(['/v1/nothing', '/oauth/nothing', '/docs/nothing', '/.well-known/nothing', '/assets/nothing.js'])(
    'is not served at %s, even to a browser',
    async (path, { app }) => {
      expect(await get(app, path, HTML)).toMatchObject({ status: 404, type: expect.stringContaining('json') });
    },
  );

  it('is not returned to a program that requests JSON at an unknown path, or for a POST', async ({ app }) => {
    expect((await get(app, '/licenses', { accept: 'application/json' })).status).toBe(404);
    expect((await get(app, '/licenses', HTML, 'POST')).status).toBe(404);
    expect((await get(app, '/', HTML, 'POST')).status).toBe(405);
  });

  it('states what is known before the login, so that its scripts need not ask', async ({ app }) => {
    const { body } = await get(app, '/', HTML);
    const [, content = ''] = /<meta name="facts" content="([^"]*)">/.exec(body) ?? [];
    const facts = JSON.parse(content.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&'));
    expect(facts).toEqual(JSON.parse((await get(app, '/dashboard.json')).body));
    expect(body).not.toMatch(/%[A-Z]+%/);
  });

  it('shows the frame of the screens, and preloads it, only for people who are logged in', async ({ app }) => {
    const cookie = '__Host-seathold=svc_scl_x';
    const FRAME = /class="first-frame"|rel="modulepreload"/;
    expect((await get(app, '/licenses', { ...HTML, cookie })).body).toMatch(FRAME);
    expect((await get(app, '/licenses', HTML)).body).not.toMatch(FRAME);
    const acting = '/act-for/org_01jb8x2v5r7m3n9q4t6w8y0zac';
    for (const path of ['/login', '/accept-invitation?code=1', '/portal', acting, `${acting}/licenses`]) {
      expect((await get(app, path, { ...HTML, cookie })).body, path).not.toMatch(FRAME);
    }
  });

  it('returns no body for HEAD', async ({ app }) => {
    expect(await get(app, '/', HTML, 'HEAD')).toMatchObject({ type: 'text/html; charset=utf-8', body: '' });
  });

  it('does not count against the API limits of the address', async ({ app }) => {
    const before = await get(app, '/v1/plans');
    await Promise.all(Array.from({ length: 20 }, () => get(app, '/', HTML)));
    const after = await get(app, '/v1/plans');
    const left = ({ headers }: typeof before) => Number(headers['x-ratelimit-remaining']);
    expect(left(before) - left(after)).toBe(1);
  });
});

describe('/dashboard.json', () => {
  it('contains the environment, the brand, and whether the browser has a session', async ({ app }) => {
    const { body, headers } = await get(app, '/dashboard.json');
    expect(JSON.parse(body)).toMatchObject({
      environment: 'production',
      brand: { name: 'Seathold', logo_url: '', color: '#1d4ed8', support_email: '' },
      has_session: false,
    });
    expect(headers['cache-control']).toBe('no-store');
    const again = await get(app, '/dashboard.json', { cookie: 'a=b; __Host-seathold=svc_scl_x' });
    expect(JSON.parse(again.body)).toMatchObject({ has_session: true });
  });
});

describe('loadDashboard', () => {
  it('finds no files in a missing folder', async () => {
    expect(await loadDashboard('/nowhere/at/all')).toBeUndefined();
  });

  it('caches hashed files for a year, and serves nothing else', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'seathold-dashboard-'));
    try {
      await mkdir(join(folder, 'assets'));
      await writeFile(join(folder, 'index.html'), '<!doctype html>');
      await writeFile(join(folder, 'assets', 'index-1.js'), 'export {}');
      await writeFile(join(folder, 'assets', 'index-1.js.map'), '{}');
      const files = (await loadDashboard(folder))?.files;
      expect([...(files?.keys() ?? [])]).toEqual(['/assets/index-1.js']);
      expect(files?.get('/assets/index-1.js')?.description).toMatchObject({
        maxAgeSeconds: 31_536_000,
        isImmutable: true,
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('dashboardHeaders', () => {
  it('allows images only from the site that hosts the brand’s logo', () => {
    const logoUrl = 'https://acme.example/logo.png';
    const policy = dashboardHeaders({ nonce: 'n', logoUrl, ancestors: [], hasCardForm: false })[
      'content-security-policy'
    ];
    expect(policy).toContain("img-src 'self' data: https://acme.example;");
  });
});

describe('the brand on the page', () => {
  branded('is escaped as text', async ({ app }) => {
    const { body } = await get(app, '/', { ...HTML, cookie: '__Host-seathold=svc_scl_x' });
    expect(body).toContain('>&lt;b>&quot;Acme&quot; &amp; Sons&lt;/b> %NONCE%</strong>');
    expect(body).not.toContain('<b>');
  });
});
