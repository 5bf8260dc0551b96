import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AuthWorld, codeOf } from './auth-world.ts';
import { startChromium } from './chromium.ts';
import { countRequests, judgeLooks, settle } from './looks.ts';

let world: AuthWorld;
let browser: Browser;
const contexts: BrowserContext[] = [];
/** What the browser itself complained about, above all violations of the Content-Security-Policy. */
const complaints: string[] = [];

beforeAll(async () => {
  [world, browser] = await Promise.all([AuthWorld.start(), startChromium()]);
});
afterAll(async () => {
  await browser.close();
  await world.close();
});
afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
  expect(complaints.splice(0)).toEqual([]);
});

async function visit(locale = 'en'): Promise<Page> {
  const viewport = { width: 1280, height: 800 };
  const options = { ignoreHTTPSErrors: true, viewport, locale, reducedMotion: 'reduce' as const };
  const context = await browser.newContext(options);
  contexts.push(context);
  const page = await context.newPage();
  countRequests(page);
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${world.baseUrl}/`);
  return page;
}

const PASSWORD = 'an engine that weaves patterns';
let visitors = 0;

/** Registers like anyone would, and ends on the overview. */
async function register(page: Page): Promise<string> {
  visitors += 1;
  const email = `dashboard-${visitors}@example.com`;
  await page.getByRole('link', { name: 'Create an account' }).click();
  await page.getByLabel('Your name').fill('Ada <b>Lovelace</b>');
  await page.getByLabel('Email address').fill(email);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  return email;
}

async function logIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
}

async function logOut(page: Page): Promise<void> {
  // A request in flight would get a 401 after the logout, which Chromium reports as an error.
  await settle(page);
  await page.getByRole('button', { name: /Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByLabel('Email address').waitFor();
}

describe('the dashboard', () => {
  it('registers people, logs them out, and after the next login continues where they wanted to go', async () => {
    const page = await visit();
    const email = await register(page);
    await logOut(page);
    await page.goto(`${world.baseUrl}/api-keys`);
    await logIn(page, email);
    await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor();
  });

  it('asks for the second factor that was enabled with the QR code’s secret', async () => {
    const page = await visit();
    const email = await register(page);
    await page.goto(`${world.baseUrl}/account`);
    await page.getByRole('button', { name: 'Turn on' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
    const secret = (await dialog.locator('code').first().textContent()) ?? '';
    await dialog.getByLabel('Code from the app').fill(codeOf(secret, 0));
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    const codes = page.getByRole('dialog', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    const [recovery = ''] = await codes.allTextContents();
    expect(await codes.count()).toBe(10);
    await page.getByRole('button', { name: 'I have saved them' }).last().click();
    await logOut(page);
    await logIn(page, email);
    await page.getByLabel('Code').fill(recovery);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
  });

  it('leaves nothing in the browser that a script could steal', async () => {
    const page = await visit();
    await register(page);
    const kept = await page.evaluate(
      'JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, location.href])',
    );
    expect(kept).not.toMatch(/svc_/);
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: '__Host-seathold', httpOnly: true, secure: true, sameSite: 'Strict' });
  });

  it('shows nothing of a person after they have logged out, not even with the back button', async () => {
    const page = await visit();
    await register(page);
    await page.goto(`${world.baseUrl}/account`);
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    await logOut(page);
    await page.goBack();
    await page.getByLabel('Email address').waitFor();
    expect(await page.getByText('Ada').count()).toBe(0);
  });
});

describe('a customer', () => {
  it('creates an API key that works, and sees it once', async () => {
    const page = await visit();
    await register(page);
    await page.goto(`${world.baseUrl}/api-keys`);
    await page.getByRole('button', { name: 'Create API key' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Build server');
    await dialog.getByLabel('read:profile').check();
    await dialog.getByRole('button', { name: 'Create API key' }).click();
    const secret = (await page.getByTestId('secret').textContent()) ?? '';
    expect(secret).toMatch(/^svc_live_/);
    expect(await world.statusOf('/v1/me', secret)).toBe(200);
    await page.getByRole('button', { name: 'Done' }).last().click();
    await page.reload();
    await page.getByText('Build server').waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('heading', { name: 'No API keys yet' }).waitFor();
    expect(await world.statusOf('/v1/me', secret)).toBe(401);
  });

  it('is refused a private address with the request ID, adds an endpoint, and sees the attempt of a test event', async () => {
    const page = await visit();
    await register(page);
    await page.goto(`${world.baseUrl}/webhooks`);
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByRole('textbox', { name: 'URL' }).fill('https://192.0.2.1/hooks');
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByRole('alert').getByText('Request ID').waitFor();
    // Chromium itself reports the 422 response.
    expect(complaints.splice(0)).toHaveLength(1);
    await page.getByRole('textbox', { name: 'URL' }).fill('https://seathold.invalid/hooks');
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
    expect(await page.getByTestId('secret').textContent()).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'Done' }).last().click();
    await page.getByRole('link', { name: 'https://seathold.invalid/hooks' }).click();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send test event' }).click();
    await page.getByRole('cell', { name: 'dns_error' }).waitFor();
    await page.getByRole('region', { name: 'Deliveries' }).getByRole('link').click();
    await page.getByText('Attempt 1').waitFor();
  });

  it('invites someone', async () => {
    const page = await visit();
    await register(page);
    await page.goto(`${world.baseUrl}/members`);
    await page.getByRole('button', { name: 'Invite member' }).click();
    await page.getByRole('dialog').getByLabel('Email address').fill('grace@example.com');
    await page.getByRole('dialog').getByRole('button', { name: 'Invite member' }).click();
    await page.getByRole('cell', { name: 'grace@example.com' }).waitFor();
  });

  it('creates a project, archives and deletes it, and finds all three in the audit log', async () => {
    const page = await visit();
    await register(page);
    await page.getByRole('link', { name: 'Projects' }).click();
    await page.getByRole('button', { name: 'Create project' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('<img src=x onerror=alert(1)>');
    await page.getByRole('dialog').getByLabel('Slug').fill('engine');
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: '<img src=x onerror=alert(1)>' }).waitFor();
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByRole('button', { name: 'Reactivate' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No projects yet' }).waitFor();
    await page.getByRole('link', { name: 'Audit log' }).click();
    for (const action of ['project.created', 'project.archived', 'project.deleted']) {
      await page.getByRole('cell', { name: action }).waitFor();
    }
    await page.getByLabel('Action').fill('project.created');
    await page.keyboard.press('Enter');
    await page.getByRole('cell', { name: 'project.deleted' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('dialog').getByText('"slug": "engine"').waitFor();
  });

  it('can use the dashboard in German', async () => {
    const page = await visit('de-DE');
    await page.getByRole('heading', { name: 'Bei Seathold anmelden' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('de');
  });
});

const SCREENS = [
  '/',
  '/licenses',
  '/api-keys',
  '/webhooks',
  '/events',
  '/projects',
  '/audit-log',
  '/invoices',
  '/members',
  '/account',
];

it('the screens of the dashboard have no axe violations, and do not scroll sideways', async () => {
  const page = await visit();
  await page.getByLabel('Email address').waitFor();
  const found = await judgeLooks(page, 'login');
  await register(page);
  for (const path of SCREENS) {
    await page.goto(world.baseUrl + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    found.push(...(await judgeLooks(page, `newcomer${path.replaceAll('/', '-')}`)));
  }
  expect(found).toEqual([]);
});

it('the dashboard loads less than 200 KB before the first screen', async () => {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  contexts.push(context);
  const page = await context.newPage();
  countRequests(page);
  const network = await context.newCDPSession(page);
  let bytes = 0;
  await network.send('Network.enable');
  network.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(`${world.baseUrl}/`);
  await page.getByLabel('Email address').waitFor();
  await settle(page);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(200_000);
});
