import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeReceiverCertificate } from '../harness/tls-receiver.ts';
import { DashboardWorld, PASSWORD, type Person } from './dashboard-world.ts';
import { type EvilSite, startEvilSite } from './evil-site.ts';

/** The service is `app.seathold.test`. `evil.seathold.test` is a sibling, which browsers also send its cookies to. */
const HOSTS = ['evil.seathold.test', 'evil.test'] as const;

let world: DashboardWorld;
let evil: EvilSite;
let ada: Person;

beforeAll(async () => {
  world = await DashboardWorld.start({}, 'app.seathold.test');
  evil = await startEvilSite(await makeReceiverCertificate());
  ada = await world.register();
});
afterAll(async () => {
  evil.close();
  await world.close();
});
afterEach(async () => {
  await Promise.all(world.browser.contexts().map((context) => context.close()));
});

/** One of each kind of page that the service serves. */
const PAGES = [
  ...['/', '/login', '/api-keys', '/staff', '/payment-methods/card', '/accept-invitation', '/nowhere'],
  ...['/docs', '/oauth/forgot-password', '/oauth/staff-setup', '/oauth/authorize', '/portal', '/favicon.svg'],
];

/** Another tab, on a page of the attacker's. Browsers log what they refuse, so its console is ignored. */
async function lure(page: Page, host: string, html: string, headers: Record<string, string> = {}): Promise<Page> {
  const tab = await page.context().newPage();
  const query = new URLSearchParams({ html, headers: JSON.stringify(headers) });
  await tab.goto(`https://${host}:${evil.port}/?${query}`);
  return tab;
}

/** A self-submitting form. */
const form = (action: string, fields: Record<string, string>, enctype = 'application/x-www-form-urlencoded') =>
  `<form method="post" action="${action}" enctype="${enctype}">${Object.entries(fields)
    .map(([name, value]) => `<input name='${name}' value='${value}'>`)
    .join('')}</form>`;

const send = (tab: Page) => Promise.all([tab.waitForLoadState(), tab.evaluate('document.forms[0].submit()')]);

const projectsOf = async (person: Person): Promise<string[]> =>
  (await world.call('GET', '/v1/projects', person.accessToken)).map(({ name }: { name: string }) => name);

/** Sends a request as a script of the current page, and returns what the script could learn. */
const fetchFrom = (page: Page, method: string, path: string, body: unknown, type: string, mode = 'cors') =>
  page.evaluate(
    `fetch(${JSON.stringify(world.baseUrl + path)}, { method: '${method}', mode: '${mode}', credentials: 'include',
      headers: { 'content-type': '${type}' }, body: ${body === undefined ? 'undefined' : JSON.stringify(JSON.stringify(body))} })
      .then(async (answer) => answer.status + ' ' + (await answer.text()), (error) => 'refused ' + error.message)`,
  ) as Promise<string>;

const sessionCookie = async (page: Page) =>
  (await page.context().cookies(world.baseUrl)).find(({ name }) => name === '__Host-seathold');

describe('a session', () => {
  it('is a cookie that no script can read, no other host gets or sets, and no unencrypted connection carries', async () => {
    const page = await world.visitByForm('/', ada);
    expect(await sessionCookie(page)).toMatchObject({
      name: '__Host-seathold',
      domain: 'app.seathold.test',
      path: '/',
      httpOnly: true,
      secure: true,
      sameSite: 'Strict',
    });
    expect(await page.evaluate('document.cookie')).toBe('');
    evil.cookies.length = 0;
    await lure(page, 'evil.seathold.test', '');
    expect(evil.cookies.join()).not.toContain('seathold');
  });

  it('leaves no token in anything that a script can read', async () => {
    const page = await world.visitByForm('/account', ada);
    const kept =
      await page.evaluate(`(async () => JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage },
      location.href, document.documentElement.outerHTML, (await indexedDB.databases()).length, (await caches.keys()).length,
      (await navigator.serviceWorker.getRegistrations()).length, window.name, history.state]))()`);
    expect(kept).not.toMatch(/svc_|sct_/);
    expect(kept).toContain(',0,0,0,');
  });

  it('changes with a login, so that an attacker cannot fixate it', async () => {
    const mallory = await world.register('Mallory');
    const page = await world.visitByForm('/', mallory);
    const before = (await sessionCookie(page))?.value ?? '';
    // A sibling would have to set this cookie for the whole domain, which its name forbids.
    await lure(page, 'evil.seathold.test', '', {
      'set-cookie': `__Host-seathold=${before}; Domain=seathold.test; Path=/; Secure; SameSite=None`,
    });
    await page.context().clearCookies();
    await page.context().addCookies([
      {
        name: '__Host-seathold',
        value: before,
        url: world.baseUrl,
        secure: true,
        httpOnly: true,
        sameSite: 'Strict',
      },
    ]);
    // Someone else logs in, in a browser that already has a session which the attacker knows.
    await page.goto(`${world.baseUrl}/accept-invitation#code=svc_inv_x`);
    await page.getByRole('button', { name: 'Use a different account' }).click();
    await page.getByText('I have an account').click();
    await page.goto(`${world.baseUrl}/login`);
    await page.locator('input[name=email]').fill(ada.email);
    await page.locator('input[name=password]').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const after = (await sessionCookie(page))?.value ?? '';
    expect(after).not.toBe(before);
    const other = await world.newPage();
    await other.context().addCookies([
      {
        name: '__Host-seathold',
        value: before,
        url: world.baseUrl,
        secure: true,
        httpOnly: true,
        sameSite: 'Strict',
      },
    ]);
    await other.goto(world.baseUrl);
    await other.getByLabel('Email address').waitFor();
  });

  it('cannot be planted by a sibling, whatever domain its cookie names', async () => {
    const page = await world.newPage();
    for (const attributes of ['Domain=seathold.test; Path=/; Secure', 'Path=/; Secure', 'Domain=seathold.test']) {
      await lure(page, 'evil.seathold.test', '', { 'set-cookie': `__Host-seathold=svc_sct_planted; ${attributes}` });
    }
    expect(await sessionCookie(page)).toBeUndefined();
  });
});

describe.each(HOSTS)('a page at %s', (host) => {
  it('changes nothing in the name of a person who is logged in, by form or by script', async () => {
    const victim = await world.register('Victim');
    const page = await world.visitByForm('/', victim);
    const slug = `by-${host.replaceAll('.', '-')}`;
    const body = { name: 'Planted', slug };
    await send(await lure(page, host, form(`${world.baseUrl}/v1/projects`, body)));
    // JSON from a form: a field whose name and value form an object together.
    const json = { [`{"name":"Planted","slug":"${slug}","x":"`]: '"}' };
    await send(await lure(page, host, form(`${world.baseUrl}/v1/projects`, json, 'text/plain')));
    const tab = await lure(page, host, '');
    for (const [type, mode] of [
      ['text/plain', 'no-cors'],
      ['text/plain', 'cors'],
      ['application/json', 'cors'],
    ] as const) {
      expect(await fetchFrom(tab, 'POST', '/v1/projects', body, type, mode)).not.toMatch(/^2\d\d/);
    }
    expect(await fetchFrom(tab, 'DELETE', '/v1/me', { password: PASSWORD }, 'application/json')).toMatch(/^refused/);
    expect(await projectsOf(victim)).toEqual([]);
    // The same from the service's own page does work, so it is the origin that was refused.
    expect(await fetchFrom(page, 'POST', '/v1/projects', body, 'application/json')).toMatch(/^201/);
    expect(await projectsOf(victim)).toEqual(['Planted']);
  });

  it('reads no data of a person who is logged in', async () => {
    const page = await world.visitByForm('/', ada);
    const tab = await lure(page, host, '');
    for (const path of ['/v1/me', '/v1/api-tokens', '/dashboard.json', '/', '/v1/events/stream']) {
      expect(await fetchFrom(tab, 'GET', path, undefined, 'text/plain'), path).toMatch(/^refused/);
      expect(await fetchFrom(tab, 'GET', path, undefined, 'text/plain', 'no-cors'), path).toMatch(/^0 $|^refused/);
    }
    // Nor as a script, an image or a stylesheet, whose loading would reveal something.
    const loaded =
      await tab.evaluate(`Promise.all(['/v1/me', '/avatar.svg', '/assets/x.js'].map((path) => new Promise((done) => {
      const element = Object.assign(document.createElement('script'), { src: '${world.baseUrl}' + path });
      element.onload = () => done('loaded ' + path); element.onerror = () => done('');
      document.head.append(element); })))`);
    expect(loaded).toEqual(['', '', '']);
    // A window that it opened reveals nothing either: the two share no browsing context group.
    const opener = await lure(page, host, `<button onclick="shown = window.open('${world.baseUrl}/')">Open</button>`);
    const [shown] = await Promise.all([page.context().waitForEvent('page'), opener.getByRole('button').click()]);
    await shown.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await opener.evaluate('[shown.closed, shown.length]')).toEqual([true, 0]);
  });

  it('logs no one in as the attacker', async () => {
    const mallory = await world.register('Mallory');
    const page = await world.visitByForm('/', ada);
    const credentials = { email: mallory.email, password: PASSWORD };
    await send(await lure(page, host, form(`${world.baseUrl}/v1/auth/login`, credentials)));
    const json = { [`{"email":"${mallory.email}","password":"${PASSWORD}","x":"`]: '"}' };
    await send(await lure(page, host, form(`${world.baseUrl}/v1/auth/login`, json, 'text/plain')));
    const tab = await lure(page, host, '');
    await tab.evaluate(`fetch('${world.baseUrl}/v1/auth/login', { method: 'POST', credentials: 'include', mode: 'cors',
      headers: { 'content-type': 'application/json', 'x-session-transport': 'cookie' },
      body: ${JSON.stringify(JSON.stringify(credentials))} }).catch(() => undefined)`);
    await page.reload();
    await page.getByRole('button', { name: 'Account menu of Ada' }).waitFor();
    // In a browser where nobody is logged in, nobody is logged in afterwards.
    const fresh = await world.newPage();
    await send(await lure(fresh, host, form(`${world.baseUrl}/v1/auth/login`, json, 'text/plain')));
    expect(await sessionCookie(fresh)).toBeUndefined();
  });

  it('cannot frame any page of ours', async () => {
    const page = await world.newPage();
    for (const path of PAGES) {
      const answer = await page.goto(world.baseUrl + path);
      expect(answer?.headers()['content-security-policy'], path).toContain("frame-ancestors 'none'");
    }
    const frames = PAGES.map((path) => `<iframe src="${world.baseUrl}${path}"></iframe>`).join('');
    const tab = await lure(page, host, frames);
    const shown = () =>
      tab
        .frames()
        .slice(1)
        .map((frame) => frame.url().slice(0, 13));
    await expect.poll(shown).toEqual(PAGES.map(() => 'chrome-error:'));
  });
});
