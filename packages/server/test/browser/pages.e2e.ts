import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type App, AuthWorld, codeOf, type Visitor } from './auth-world.ts';
import { startChromium } from './chromium.ts';
import { judgeLooks } from './looks.ts';
import { type RedirectReceiver, startRedirectReceiver } from './redirect-receiver.ts';

let world: AuthWorld;
let browser: Browser;
let receiver: RedirectReceiver;
let visitor: Visitor;
let app: App;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  [world, browser, receiver] = await Promise.all([AuthWorld.start(), startChromium(), startRedirectReceiver()]);
  visitor = await world.registerWithTwoFactor('Ada <b>Lovelace</b> & “friends” with a rather long name of many words');
  app = await world.registerApp(
    visitor,
    receiver.redirectUri,
    true,
    'An <i>app</i> with averyveryverylongunbrokenname'.repeat(2),
  );
});
afterAll(async () => {
  receiver.close();
  await browser.close();
  await world.close();
});
afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
});

async function open(width: number): Promise<Page> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width, height: 640 } });
  contexts.push(context);
  const page = await context.newPage();
  page.on('console', (message) => violations.push(message.text()));
  page.on('pageerror', (error) => violations.push(error.message));
  return page;
}

/** What the browser itself complained about, above all violations of the Content-Security-Policy. */
const violations: string[] = [];

/** Visits all pages one after another, and calls `judge` on each. */
async function walk(page: Page, judge: (name: string) => Promise<void>): Promise<void> {
  await page.goto(authorizeUrl());
  await judge('login');
  await page.getByLabel('Email address').fill(visitor.email);
  await page.getByLabel('Password').fill('not the password at all');
  await page.getByRole('button', { name: 'Log in' }).click();
  await judge('login with an error');
  await page.getByLabel('Password').fill(visitor.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await judge('two-factor');
  await page.getByLabel('Code').fill('000000');
  await page.getByRole('button', { name: 'Continue' }).click();
  await judge('two-factor with an error');
  await page.getByLabel('Code').fill(await freshCode());
  await page.getByRole('button', { name: 'Continue' }).click();
  await judge('consent');
  await page.goto(`${authorizeUrl()}&redirect_uri=https%3A%2F%2Fevil.example`);
  await judge('error');
  for (const name of ['forgot-password', 'reset-password', 'verify-email', 'accept-invitation']) {
    await page.goto(`${world.issuer}/${name}`);
    await judge(name);
  }
  await page.goto(`${world.issuer}/accept-invitation`);
  await page.getByLabel('Code').fill('svc_inv_of_nobody');
  await page.getByLabel('Email address').fill(visitor.email);
  await page.getByLabel('Password').fill('not the password at all');
  await page.getByRole('button', { name: 'Accept' }).click();
  await judge('accept-invitation with an error');
  await page.getByLabel('Code').fill('svc_inv_of_nobody');
  await page.getByLabel('Password').fill(visitor.password);
  await page.getByRole('button', { name: 'Accept' }).click();
  await judge('accept-invitation, two-factor');
  await page.getByLabel('Code').fill(await freshCode());
  await page.getByRole('button', { name: 'Continue' }).click();
  await judge('accept-invitation, refused');
  await page.goto(`${world.issuer}/staff-setup`);
  await judge('staff-setup without a code');
  await page.goto(world.firstOwnerLink);
  await judge('staff-setup');
  await fillSetup(page, '000000');
  await judge('staff-setup with an error');
}

/** Fills in the form for the first owner, and submits it. */
async function fillSetup(page: Page, code: string): Promise<void> {
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByLabel('Email address').fill('ada@example.com');
  await page.getByLabel('New password').fill('a loom that weaves algebra');
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Finish setup' }).click();
}

/** Each time step can be used only once, so walks after the first use recovery codes. */
const recoveryCodes: string[] = [];
async function freshCode(): Promise<string> {
  if (recoveryCodes.length === 0) {
    const renewed = await world.call('POST', '/v1/auth/2fa/recovery-codes', visitor.accessToken, {
      password: visitor.password,
      code: codeOf(visitor.totpSecret ?? '', 1),
    });
    recoveryCodes.push(...renewed.recovery_codes);
  }
  return recoveryCodes.pop() ?? '';
}

describe('every page of the authorization server', () => {
  it('has no axe violations, and scrolls only one way', async () => {
    const page = await open(1280);
    const faults: string[] = [];
    await walk(page, async (name) => {
      faults.push(...(await judgeLooks(page, `oauth-${name}`)));
    });
    expect(faults).toEqual([]);
    expect(violations.splice(0).filter((text) => !text.includes('a status of 400'))).toEqual([]);
  });

  it('can be used with the keyboard alone: the focus is visible, and nothing traps it', async () => {
    const page = await open(800);
    await page.goto(authorizeUrl());
    const typed = async (label: string, text: string) => {
      for (let steps = 0; steps < 20; steps += 1) {
        const focused = await page.evaluate(
          'document.activeElement?.labels?.[0]?.textContent ?? document.activeElement?.textContent',
        );
        if (focused === label) {
          const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
          expect(outline, `${label} shows its focus`).not.toBe('none');
          await page.keyboard.type(text);
          return;
        }
        await page.keyboard.press('Tab');
      }
      throw new Error(`${label} was not reached with the Tab key`);
    };
    await typed('Email address', visitor.email);
    await typed('Password', visitor.password);
    await page.keyboard.press('Enter');
    await page.getByLabel('Code').waitFor();
    await typed('Code', await freshCode());
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    await typed('Allow', '');
    await page.keyboard.press('Enter');

    expect((await receiver.next()).searchParams.get('code')).toMatch(/^svc_oac_/);
  });

  it('creates the first owner with the code that an app reads from the key, and shows recovery codes', async () => {
    const page = await open(1280);
    await page.goto(world.firstOwnerLink);
    const key = (await page.locator('code').first().innerText()).replaceAll(' ', '');
    await fillSetup(page, codeOf(key, 0));
    await page.getByText('Keep these codes in a safe place').waitFor();
    expect(await page.locator('.codes li').count()).toBe(10);
    expect(await judgeLooks(page, 'oauth-staff-ready')).toEqual([]);
    await page.goto(world.firstOwnerLink);
    await page.getByRole('alert').waitFor();
  });

  it('runs no script and loads nothing from other sites, whatever an app calls itself', async () => {
    const page = await open(800);
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(world.baseUrl)) {
        foreign.push(request.url());
      }
    });
    const response = await page.goto(authorizeUrl());
    const policy = response?.headers()['content-security-policy'] ?? '';

    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe-inline');
    expect(policy).not.toContain('script-src');
    expect(await page.locator('script, i, b').count()).toBe(0);
    expect(foreign).toEqual([]);
  });
});

function authorizeUrl(): string {
  const query = {
    client_id: app.clientId,
    redirect_uri: receiver.redirectUri,
    response_type: 'code',
    scope: 'read:profile read:org',
  };
  return `${world.issuer}/authorize?${new URLSearchParams(query)}&prompt=consent+login`;
}
