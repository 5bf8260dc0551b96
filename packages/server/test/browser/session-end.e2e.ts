import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DashboardWorld, PASSWORD, type Person } from './dashboard-world.ts';
import { settle } from './looks.ts';
import { mailedLink } from './mailed-link.ts';

let world: DashboardWorld;
let ada: Person;

beforeAll(async () => {
  world = await DashboardWorld.start();
  ada = await world.register();
});
afterAll(() => world.close());
afterEach(async () => {
  await Promise.all(world.browser.contexts().map((context) => context.close()));
});

describe('a person who is logged in', () => {
  const account = (page: Page) => page.getByRole('heading', { name: 'Your account' }).waitFor();
  const logOut = async (page: Page) => {
    await page.getByRole('button', { name: /Account menu/ }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
  };

  it('leaves nothing for the back button after logging out, even if the browser has cached the page', async () => {
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

  it('is logged out in every tab at the same time', async () => {
    const page = await world.visit('/account', ada);
    const other = await page.context().newPage();
    await other.goto(`${world.baseUrl}/`);
    await other.getByRole('heading', { name: 'Overview' }).waitFor();
    await logOut(page);
    await other.getByLabel('Email address').waitFor();
    expect(await other.getByText('Ada').count()).toBe(0);
  });

  it('may log out in two tabs simultaneously', async () => {
    const page = await world.visit('/account', ada);
    const other = await page.context().newPage();
    await other.goto(`${world.baseUrl}/account`);
    await account(other);
    for (const tab of [page, other]) {
      await tab.getByRole('button', { name: /Account menu/ }).click();
      await tab.getByRole('menuitem', { name: 'Log out' }).waitFor();
    }
    // The second tab may already be logged out, and have no menu.
    await Promise.all(
      [page, other].map((tab) => tab.evaluate(`[...document.querySelectorAll('[role=menuitem]')].at(-1)?.click()`)),
    );
    await Promise.all([page, other].map((tab) => tab.getByLabel('Email address').waitFor()));
  });

  it('stays logged in if two tabs reload simultaneously', async () => {
    const page = await world.visit('/account', ada);
    const other = await page.context().newPage();
    await other.goto(`${world.baseUrl}/account`);
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([page.reload(), other.reload()]);
      await Promise.all([account(page), account(other)]);
    }
  });

  it('sees the login page as soon as the session has been ended elsewhere', async () => {
    const person = await world.register();
    const page = await world.visit('/account', person);
    const logins = await world.call('GET', '/v1/auth/sessions', person.accessToken);
    const own = logins.find(({ is_current: isCurrent }: { is_current: boolean }) => !isCurrent);
    await world.call('DELETE', `/v1/auth/sessions/${own.id}`, person.accessToken);
    // The stream of events may end before the click. Otherwise the next request shows it.
    const click = page.getByRole('link', { name: 'Licenses' }).click({ timeout: 3_000 });
    await click.catch(() => undefined);
    await page.getByLabel('Email address').waitFor();
    expect(['/account', '/licenses']).toContain(new URL(page.url()).searchParams.get('next'));
  });
});

it('a tab that showed one person’s dashboard never shows another’s', async () => {
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

it('a member who opens an admin’s link sees and can do nothing that the role does not allow', async () => {
  const [owner, member] = [await world.register('Owner'), await world.register('Member')];
  await world.call('POST', '/v1/projects', owner.accessToken, { name: 'Known to all', slug: 'known' });
  const endpoint = { url: 'https://seathold.invalid/', events: ['*'] };
  await world.call('POST', '/v1/webhooks', owner.accessToken, endpoint);
  const invited = { email: member.email, role: 'member' };
  await world.call('POST', `/v1/orgs/${owner.organizationId}/invitations`, owner.accessToken, invited);
  const page = await world.visit('/', member);
  await page.goto(await mailedLink(world.folder, member.email, '/accept-invitation'));
  await page.getByRole('button', { name: 'Accept invitation' }).click();
  await page.getByRole('button', { name: 'Organization: Owner' }).waitFor();
  const acts = /Invite|Add endpoint|Remove|Revoke|Replay|Pay now|Suspend/;
  for (const path of ADMIN_SCREENS) {
    await page.goto(world.baseUrl + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settle(page);
    expect(await page.locator('main').getByRole('button', { name: acts }).count(), path).toBe(0);
    expect(await page.getByText('seathold.invalid').count(), path).toBe(0);
  }
});

const ADMIN_SCREENS = [
  ...['/members', '/audit-log', '/webhooks', '/events', '/invoices', '/subscriptions/new'],
  ...['/staff', '/staff/customers'],
];

describe('the dashboard', () => {
  it('gives browsers and proxies nothing personal to keep: its page is the same for everyone, and API responses are not stored', async () => {
    const page = await world.visit('/', ada);
    const answers =
      await page.evaluate(`Promise.all(['/', '/v1/me', '/v1/licenses', '/dashboard.json'].map(async (path) => {
      const answer = await fetch(path, { cache: 'no-store' });
      return [path, answer.headers.get('cache-control'), (await answer.text()).includes('${ada.email}')]; }))`);
    expect(answers).toEqual([
      ['/', 'no-store', false],
      ['/v1/me', expect.stringContaining('no-store'), true],
      ['/v1/licenses', expect.stringContaining('no-store'), false],
      ['/dashboard.json', 'no-store', false],
    ]);
  });

  it('redirects after a login only to its own addresses, however others are disguised', async () => {
    for (const next of [
      '//evil.test/',
      '/\\evil.test/',
      '/\t/evil.test/',
      '/.//evil.test/',
      'https://evil.test',
      'javascript:alert(1)',
    ]) {
      const page = await world.visitByForm(`/login?${new URLSearchParams({ next })}`, ada);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      // The same if the person is already logged in, and the login would be skipped.
      await page.goto(`${world.baseUrl}/login?${new URLSearchParams({ next })}`);
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      expect(new URL(page.url()).origin).toBe(world.baseUrl);
    }
  });
});
