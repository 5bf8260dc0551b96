import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DashboardWorld, type Person } from './dashboard-world.ts';
import { judgeLooks, NARROW, WIDE } from './looks.ts';

let world: DashboardWorld;
const pages: Page[] = [];

beforeAll(async () => {
  world = await DashboardWorld.start();
});
afterAll(() => world.close());
afterEach(async () => {
  await Promise.all(pages.splice(0).map((page) => page.context().close()));
  expect(world.complaints.splice(0)).toEqual([]);
});

async function visit(path: string, person: Person, look = {}): Promise<Page> {
  const page = await world.visit(path, person, look);
  pages.push(page);
  return page;
}

describe('OAuth apps', () => {
  it('are registered, shown with their secret once, changed, rotated, and deleted', async () => {
    const person = await world.register();
    const page = await visit('/oauth-apps', person);
    await page.getByRole('heading', { name: 'No OAuth apps yet' }).waitFor();
    await page.getByRole('button', { name: 'Register app' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Render farm <i>console</i>');
    await dialog
      .getByLabel('Redirect URIs')
      .fill('https://console.example.com/callback\nhttp://localhost:3000/callback');
    await dialog.getByLabel('manage:licenses').uncheck();
    await dialog.getByRole('button', { name: 'Register app' }).click();
    const secret = (await page.getByTestId('secret').textContent()) ?? '';
    expect(secret).toMatch(/^svc_ocs_/);
    await page.getByRole('button', { name: 'Done' }).last().click();
    await page.getByRole('heading', { level: 1, name: 'Render farm <i>console</i>' }).waitFor();
    const [app] = await world.call('GET', '/v1/oauth-apps', person.accessToken);
    expect(app).toMatchObject({
      redirect_uris: ['https://console.example.com/callback', 'http://localhost:3000/callback'],
      scopes: ['read:profile', 'read:licenses'],
      confidential: true,
    });
    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Name').fill('Console');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Console' }).waitFor();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await dialog.getByLabel('The current secret works for another').selectOption('7 days');
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    expect(await page.getByTestId('secret').textContent()).not.toBe(secret);
    await page.getByRole('button', { name: 'Done' }).last().click();
    await page.getByText('Works until').waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No OAuth apps yet' }).waitFor();
  });

  it('with a refused redirect URI get an error that names it, with the request ID', async () => {
    const page = await visit('/oauth-apps', await world.register());
    await page.getByRole('button', { name: 'Register app' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Console');
    await dialog.getByLabel('Redirect URIs').fill('http://console.example.com/callback');
    await dialog.getByRole('button', { name: 'Register app' }).click();
    await page.getByRole('alert').getByText('Request ID').waitFor();
    // Chromium itself reports the 422 response.
    expect(world.complaints.splice(0)).toHaveLength(1);
  });

  it('are registered without a secret if they are public', async () => {
    const page = await visit('/oauth-apps', await world.register());
    await page.getByRole('button', { name: 'Register app' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Desktop');
    await dialog.getByRole('radio', { name: /Public/ }).check();
    await dialog.getByLabel('Redirect URIs').fill('com.example.desktop:/callback');
    await dialog.getByRole('button', { name: 'Register app' }).click();
    await page.getByRole('heading', { level: 1, name: 'Desktop' }).waitFor();
    expect(await page.getByTestId('secret').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Rotate secret' }).count()).toBe(0);
  });
});

describe('connected apps', () => {
  it('are shown with what they may do, and disconnected', async () => {
    const person = await world.register();
    const { client_id: id } = await world.call('POST', '/v1/oauth-apps', person.accessToken, {
      name: 'Console',
      redirect_uris: [`${world.baseUrl}/nowhere`],
      scopes: ['read:profile'],
      confidential: false,
    });
    const page = await visit('/connected-apps', person);
    await page.getByRole('heading', { name: 'No connected apps' }).waitFor();
    await page.goto(`${world.baseUrl}/oauth/authorize?${authorizationOf(id, `${world.baseUrl}/nowhere`)}`);
    await page.locator('input[name=email]').fill(person.email);
    await page.locator('input[name=password]').fill('an engine that weaves patterns');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(/nowhere\?/);
    await page.goto(`${world.baseUrl}/connected-apps`);
    await page.getByRole('cell', { name: 'read:profile' }).waitFor();
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('heading', { name: 'No connected apps' }).waitFor();
    expect(await world.call('GET', '/v1/auth/grants', person.accessToken)).toEqual([]);
  });
});

/** A request for authorization, with the challenge of RFC 7636's example. */
function authorizationOf(clientId: string, redirectUri: string): URLSearchParams {
  return new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'read:profile',
    state: 'a-state-of-its-own',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  });
}

describe('the settings of an organization', () => {
  it('change its name and slug, and show both elsewhere', async () => {
    const page = await visit('/settings', await world.register());
    await page.getByLabel('Name').fill('Analytical Engines');
    await page.getByLabel('Slug').fill('analytical-engines');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Organization: Analytical Engines' }).waitFor();
    await page.reload();
    expect(await page.getByLabel('Slug').inputValue()).toBe('analytical-engines');
  });

  it('delete it only once its name has been typed', async () => {
    const person = await world.register();
    const page = await visit('/settings', person);
    await page.getByRole('button', { name: 'Delete organization' }).click();
    const dialog = page.getByRole('dialog');
    const submit = dialog.getByRole('button', { name: 'Delete organization' });
    await dialog.getByLabel('Name of the organization').fill('Ada');
    expect(await submit.isDisabled()).toBe(true);
    await dialog.getByLabel('Name of the organization').fill('Ada <b>Lovelace</b>');
    await submit.click();
    await page.getByLabel('Email address').waitFor();
    await expect(world.call('GET', '/v1/me', person.accessToken)).rejects.toThrow('401');
    // Chromium itself reports the 401 response that ended the session.
    expect(world.complaints.splice(0)).toHaveLength(1);
  });
});

describe('API keys', () => {
  it('are rotated, and the old key keeps working for the chosen time', async () => {
    const person = await world.register();
    const page = await visit('/api-keys', person);
    await page.getByRole('button', { name: 'Create API key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Build server');
    await dialog.getByLabel('read:profile').check();
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    const first = (await page.getByTestId('secret').textContent()) ?? '';
    await page.getByRole('button', { name: 'Done' }).last().click();
    await page.getByRole('button', { name: 'Rotate' }).click();
    await dialog.getByLabel('The old key works for another').selectOption('no time: it stops at once');
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await expect.poll(() => page.getByTestId('secret').textContent()).not.toBe(first);
    const second = (await page.getByTestId('secret').textContent()) ?? '';
    await world.call('GET', '/v1/me', second);
    await expect(world.call('GET', '/v1/me', first)).rejects.toThrow('401');
  });
});

describe('webhooks', () => {
  it("show replayed events, and the endpoint's statistics", async () => {
    const person = await world.register();
    const { id } = await world.call('POST', '/v1/webhooks', person.accessToken, {
      url: 'https://seathold.invalid/hooks',
      events: ['*'],
    });
    const invitation = { email: 'grace@example.com', role: 'member' };
    await world.call('POST', `/v1/orgs/${person.organizationId}/invitations`, person.accessToken, invitation);
    const page = await visit(`/webhooks/${id}`, person);
    await page.getByRole('cell', { name: 'dns_error' }).first().waitFor();
    await page.getByRole('button', { name: 'Replay' }).click();
    const dialog = page.getByRole('dialog');
    const found = await judgeLooks(page, 'replay-dialog');
    await dialog.getByLabel('Also replay deliveries that succeeded').check();
    await dialog.getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('progressbar', { name: 'Progress of the replay' }).waitFor();
    await page.getByText('Last failure').waitFor();
    found.push(...(await judgeLooks(page, 'replays')));
    expect(found).toEqual([]);
  });
});

it.each([
  ['en', WIDE],
  ['de-DE', NARROW],
])('the screens of apps and settings in the language %s have no axe violations', async (locale, looks) => {
  const person = await world.register();
  const { id } = await world.call('POST', '/v1/oauth-apps', person.accessToken, {
    name: 'Render farm console with a name that is rather long',
    redirect_uris: ['https://console.example.com/oauth/callback?tenant=a-long-one', 'http://localhost:3000/callback'],
    scopes: ['read:profile', 'read:licenses', 'manage:licenses'],
    confidential: true,
  });
  const page = await visit('/', person, { locale });
  const found: string[] = [];
  for (const path of ['oauth-apps', `oauth-apps/${id}`, 'connected-apps', 'settings']) {
    await page.goto(`${world.baseUrl}/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    found.push(...(await judgeLooks(page, `apps-${path.replaceAll(/\W+/g, '-').slice(0, 16)}`, looks)));
  }
  await page.goto(`${world.baseUrl}/oauth-apps`);
  await page.getByRole('button', { name: /Register app|App registrieren/ }).click();
  await page.getByRole('dialog').waitFor();
  found.push(...(await judgeLooks(page, 'apps-register', looks)));
  expect(found).toEqual([]);
});
