import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeReceiverCertificate } from '../harness/tls-receiver.ts';
import { DashboardWorld, PASSWORD, type Person } from './dashboard-world.ts';
import { type EvilSite, startEvilSite } from './evil-site.ts';
import { mailedLink } from './mailed-link.ts';

/** The service is `app.seathold.test`. `evil.seathold.test` is a sibling, to which browsers send its cookies too. */
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

/** A tab beside this one, at a page of the attacker's. Browsers tell what they refuse, so nobody listens to its console. */
async function lure(page: Page, host: string, html: string, headers: Record<string, string> = {}): Promise<Page> {
  const tab = await page.context().newPage();
  const query = new URLSearchParams({ html, headers: JSON.stringify(headers) });
  await tab.goto(`https://${host}:${evil.port}/?${query}`);
  return tab;
}

/** A form that sends itself, as a page without script of ours can. */
const form = (action: string, fields: Record<string, string>, enctype = 'application/x-www-form-urlencoded') =>
  `<form method="post" action="${action}" enctype="${enctype}">${Object.entries(fields)
    .map(([name, value]) => `<input name='${name}' value='${value}'>`)
    .join('')}</form>`;

const send = (tab: Page) => Promise.all([tab.waitForLoadState(), tab.evaluate('document.forms[0].submit()')]);

const projectsOf = async (person: Person): Promise<string[]> =>
  (await world.call('GET', '/v1/projects', person.accessToken)).map(({ name }: { name: string }) => name);

/** Asks the service as a script of the page that is shown, and says what it could learn. */
const fetchFrom = (page: Page, method: string, path: string, body: unknown, type: string, mode = 'cors') =>
  page.evaluate(
    `fetch(${JSON.stringify(world.baseUrl + path)}, { method: '${method}', mode: '${mode}', credentials: 'include',
      headers: { 'content-type': '${type}' }, body: ${body === undefined ? 'undefined' : JSON.stringify(JSON.stringify(body))} })
      .then(async (answer) => answer.status + ' ' + (await answer.text()), (error) => 'refused ' + error.message)`,
  ) as Promise<string>;

const sessionCookie = async (page: Page) =>
  (await page.context().cookies(world.baseUrl)).find(({ name }) => name === '__Host-seathold');

describe('a session', () => {
  it('is a cookie that no script reads, no other host gets or sets, and no plain connection carries', async () => {
    const page = await world.visit('/', ada);
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
    const page = await world.visit('/account', ada);
    const kept =
      await page.evaluate(`(async () => JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage },
      location.href, document.documentElement.outerHTML, (await indexedDB.databases()).length, (await caches.keys()).length,
      (await navigator.serviceWorker.getRegistrations()).length, window.name, history.state]))()`);
    expect(kept).not.toMatch(/svc_|sct_/);
    expect(kept).toContain(',0,0,0,');
  });

  it('is another one after a login than before it, so that nobody fixes it beforehand', async () => {
    const mallory = await world.register('Mallory');
    const page = await world.visit('/', mallory);
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
    // Somebody else logs in, in a browser that already has a session which the attacker knows.
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

  it('cannot be planted by a sibling, whatever it calls its cookie’s domain', async () => {
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
    const page = await world.visit('/', victim);
    const slug = `by-${host.replaceAll('.', '-')}`;
    const body = { name: 'Planted', slug };
    await send(await lure(page, host, form(`${world.baseUrl}/v1/projects`, body)));
    // JSON by a form: a field whose name and value make an object of what stands between them.
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

  it('reads nothing of a person who is logged in', async () => {
    const page = await world.visit('/', ada);
    const tab = await lure(page, host, '');
    for (const path of ['/v1/me', '/v1/api-tokens', '/dashboard.json', '/', '/v1/events/stream']) {
      expect(await fetchFrom(tab, 'GET', path, undefined, 'text/plain'), path).toMatch(/^refused/);
      expect(await fetchFrom(tab, 'GET', path, undefined, 'text/plain', 'no-cors'), path).toMatch(/^0 $|^refused/);
    }
    // Nor as a script, a picture or a style, whose load would tell something.
    const loaded =
      await tab.evaluate(`Promise.all(['/v1/me', '/avatar.svg', '/assets/x.js'].map((path) => new Promise((done) => {
      const element = Object.assign(document.createElement('script'), { src: '${world.baseUrl}' + path });
      element.onload = () => done('loaded ' + path); element.onerror = () => done('');
      document.head.append(element); })))`);
    expect(loaded).toEqual(['', '', '']);
    // A window that it opened says nothing either: the two share no group.
    const opener = await lure(page, host, `<button onclick="shown = window.open('${world.baseUrl}/')">Open</button>`);
    const [shown] = await Promise.all([page.context().waitForEvent('page'), opener.getByRole('button').click()]);
    await shown.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await opener.evaluate('[shown.closed, shown.length]')).toEqual([true, 0]);
  });

  it('logs nobody in as the attacker', async () => {
    const mallory = await world.register('Mallory');
    const page = await world.visit('/', ada);
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
    // In a browser where nobody is logged in, somebody still is not.
    const fresh = await world.newPage();
    await send(await lure(fresh, host, form(`${world.baseUrl}/v1/auth/login`, json, 'text/plain')));
    expect(await sessionCookie(fresh)).toBeUndefined();
  });

  it.each([
    ...['/', '/login', '/api-keys', '/staff', '/payment-methods/card', '/accept-invitation', '/nowhere'],
    ...['/docs', '/oauth/forgot-password', '/oauth/staff-setup', '/oauth/authorize', '/portal', '/favicon.svg'],
  ])('cannot show %s in a frame', async (path) => {
    const page = await world.newPage();
    const answer = await page.goto(world.baseUrl + path);
    expect(answer?.headers()['content-security-policy']).toContain("frame-ancestors 'none'");
    const tab = await lure(page, host, `<iframe src="${world.baseUrl}${path}"></iframe>`);
    await expect.poll(() => tab.frames()[1]?.url()).toMatch(/^chrome-error:/);
  });
});

describe('a person who logs out', () => {
  const account = (page: Page) => page.getByRole('heading', { name: 'Your account' }).waitFor();
  const logOut = async (page: Page) => {
    await page.getByRole('button', { name: /Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
  };

  it('leaves nothing to the back button, also where the browser kept the page as it was', async () => {
    const page = await world.visit('/account', ada);
    await page.goto(`${world.baseUrl}/docs`);
    const other = await page.context().newPage();
    await other.goto(`${world.baseUrl}/api-keys`);
    await other.goto(`${world.baseUrl}/account`);
    await account(other);
    await logOut(other);
    await other.getByLabel('Email address').waitFor();
    for (const tab of [page, other]) {
      await tab.goBack();
      await tab.getByLabel('Email address').waitFor();
      expect(await tab.getByText('Ada').count()).toBe(0);
    }
  });

  it('is logged out in every tab at once', async () => {
    const page = await world.visit('/account', ada);
    const other = await page.context().newPage();
    await other.goto(`${world.baseUrl}/`);
    await other.getByRole('heading', { name: 'Overview' }).waitFor();
    await logOut(page);
    await other.getByLabel('Email address').waitFor();
    expect(await other.getByText('Ada').count()).toBe(0);
  });

  it('may do so in two tabs at the same moment', async () => {
    const page = await world.visit('/account', ada);
    const other = await page.context().newPage();
    await other.goto(`${world.baseUrl}/account`);
    await account(other);
    for (const tab of [page, other]) {
      await tab.getByRole('button', { name: /Account menu/ }).click();
      await tab.getByRole('menuitem', { name: 'Log out' }).waitFor();
    }
    await Promise.all(
      [page, other].map((tab) => tab.evaluate(`[...document.querySelectorAll('[role=menuitem]')].at(-1).click()`)),
    );
    await Promise.all([page, other].map((tab) => tab.getByLabel('Email address').waitFor()));
  });

  it('stays logged in while two tabs reload at the same moment', async () => {
    const page = await world.visit('/account', ada);
    const other = await page.context().newPage();
    await other.goto(`${world.baseUrl}/account`);
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([page.reload(), other.reload()]);
      await Promise.all([account(page), account(other)]);
    }
  });

  it('sees the way in as soon as the session was ended elsewhere', async () => {
    const person = await world.register();
    const page = await world.visit('/account', person);
    const logins = await world.call('GET', '/v1/auth/sessions', person.accessToken);
    const own = logins.find(({ is_current: isCurrent }: { is_current: boolean }) => !isCurrent);
    await world.call('DELETE', `/v1/auth/sessions/${own.id}`, person.accessToken);
    await page.getByRole('link', { name: 'Licenses' }).click();
    await page.getByLabel('Email address').waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toBe('/licenses');
  });
});

it('shows another person’s dashboard in no tab that showed somebody else', async () => {
  const grace = await world.register('Grace Hopper');
  const page = await world.visit('/', ada);
  const other = await page.context().newPage();
  await other.goto(`${world.baseUrl}/accept-invitation`);
  await other.getByRole('button', { name: 'Use a different account' }).click();
  await page.getByLabel('Email address').waitFor();
  await page.locator('input[name=email]').fill(grace.email);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Account menu of Grace Hopper' }).waitFor();
});

describe('a member who opens an admin’s link', () => {
  it.each([
    '/members',
    '/audit-log',
    '/webhooks',
    '/events',
    '/invoices',
    '/subscriptions/new',
    '/staff',
    '/staff/customers',
  ])('sees and does nothing at %s that the role does not allow', async (path) => {
    const [owner, member] = [await world.register('Owner'), await world.register('Member')];
    await world.call('POST', '/v1/projects', owner.accessToken, { name: 'Known to all', slug: 'known' });
    const invited = { email: member.email, role: 'member' };
    await world.call('POST', `/v1/orgs/${owner.organizationId}/invitations`, owner.accessToken, invited);
    const page = await world.visit('/', member);
    await page.goto(await mailedLink(world.folder, member.email, '/accept-invitation'));
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await page.getByRole('button', { name: 'Organization: Owner' }).waitFor();
    await page.goto(world.baseUrl + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const acts = /Invite|Add endpoint|Remove|Revoke|Replay|Pay now|Suspend/;
    expect(await page.locator('main').getByRole('button', { name: acts }).count()).toBe(0);
    expect(await page.getByText(ada.email).count()).toBe(0);
  });
});

describe('what browsers and proxies keep', () => {
  it('is nothing of a person: the page is the same for all, and answers of the API are not stored', async () => {
    const page = await world.visit('/', ada);
    const answers =
      await page.evaluate(`Promise.all(['/', '/v1/me', '/v1/licenses', '/dashboard.json'].map(async (path) => {
      const answer = await fetch(path, { cache: 'no-store' });
      return [path, answer.headers.get('cache-control'), (await answer.text()).includes('${ada.email}')]; }))`);
    expect(answers).toEqual([
      ['/', 'no-cache', false],
      ['/v1/me', expect.stringContaining('no-store'), true],
      ['/v1/licenses', expect.stringContaining('no-store'), false],
      ['/dashboard.json', 'no-store', false],
    ]);
  });

  it('goes on only to addresses of the dashboard, however they are disguised', async () => {
    for (const next of [
      '//evil.test/',
      '/\\evil.test/',
      '/\t/evil.test/',
      '/.//evil.test/',
      'https://evil.test',
      'javascript:alert(1)',
    ]) {
      const page = await world.visit(`/login?${new URLSearchParams({ next })}`, ada);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      // Again where the person is logged in already, and the login would be passed over.
      await page.goto(`${world.baseUrl}/login?${new URLSearchParams({ next })}`);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      expect(new URL(page.url()).origin).toBe(world.baseUrl);
    }
  });
});
