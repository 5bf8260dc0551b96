import * as openid from 'openid-client';
import type { Browser, Page } from 'playwright-core';
import { Agent, fetch as undiciFetch } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuthWorld, codeOf, type Visitor } from './auth-world.ts';
import { startChromium } from './chromium.ts';
import { judgeLooks } from './looks.ts';

let world: AuthWorld;
let browser: Browser;
let visitor: Visitor;
let config: openid.Configuration;
const recoveryCodes: string[] = [];

beforeAll(async () => {
  [world, browser] = await Promise.all([AuthWorld.start(), startChromium()]);
  visitor = await world.registerWithTwoFactor('Grace Hopper');
  // Enabling two-factor spent the current time step. With recovery codes, no time has to pass between logins.
  const proof = { password: visitor.password, code: codeOf(visitor.totpSecret ?? '', 1) };
  const renewed = await world.call('POST', '/v1/auth/2fa/recovery-codes', visitor.accessToken, proof);
  recoveryCodes.push(...renewed.recovery_codes);
  const app = await world.registerDeviceApp(visitor, 'Render node');
  const dispatcher = new Agent({ connect: { ca: world.authority } });
  config = await openid.discovery(new URL(world.issuer), app.clientId, undefined, openid.None(), {
    algorithm: 'oauth2',
    // The library calls it like the global fetch. undici's own fetch also trusts the local certificate authority.
    [openid.customFetch]: (url, options) =>
      undiciFetch(url, { ...options, dispatcher } as object) as unknown as Promise<Response>,
  });
});
afterAll(async () => {
  await browser.close();
  const { faults } = world;
  await world.close();
  expect(faults).toEqual([]);
});

/** What the browser itself complained about. */
const violations: string[] = [];

async function open(width: number, javaScriptEnabled = true): Promise<Page> {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    viewport: { width, height: 640 },
    javaScriptEnabled,
  });
  const page = await context.newPage();
  page.on('console', (message) => violations.push(message.text()));
  return page;
}

/** Reaches the consent page by typing the code. */
async function enterCode(page: Page, userCode: string): Promise<void> {
  await page.getByLabel('Code').fill(userCode);
  await page.getByRole('button', { name: 'Continue' }).click();
}

async function logIn(page: Page): Promise<void> {
  await page.getByLabel('Email address').fill(visitor.email);
  await page.getByLabel('Password').fill(visitor.password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByLabel('Code').fill(recoveryCodes.pop() ?? '');
  await page.getByRole('button', { name: 'Continue' }).click();
}

describe('a program without a browser', () => {
  it('gets its tokens from a person elsewhere, who has two-factor enabled and a browser without JavaScript', async () => {
    const codes = await openid.initiateDeviceAuthorization(config, { scope: 'read:profile read:org' });
    const page = await open(800, false);
    await page.goto(codes.verification_uri);
    await enterCode(page, codes.user_code.toLowerCase());
    await logIn(page);
    expect(await page.locator('.device-code').textContent()).toBe(codes.user_code);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('Device connected').waitFor();

    const tokens = await openid.pollDeviceAuthorizationGrant(config, { ...codes, interval: 1 });
    expect(await world.call('GET', '/v1/me', tokens.access_token)).toMatchObject({ email: visitor.email });
    const refreshed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    await openid.tokenRevocation(config, refreshed.access_token);
    expect(await world.statusOf('/v1/me', refreshed.access_token)).toBe(401);
  });

  it('shows pages that fit the screen, break no accessibility rule, and load nothing from other sites', async () => {
    const found: string[] = [];
    for (const decision of ['Deny', 'Allow']) {
      const page = await open(1000);
      const judge = async (name: string) => found.push(...(await judgeLooks(page, `device-${name}`)));
      const codes = await openid.initiateDeviceAuthorization(config, { scope: 'read:profile' });
      await page.goto(codes.verification_uri);
      await judge('code');
      await enterCode(page, 'BCDF-GHJK');
      await judge('wrong-code');
      await page.goto(codes.verification_uri_complete ?? '');
      expect(await page.getByLabel('Code').inputValue()).toBe(codes.user_code);
      await judge('filled-in');
      await page.getByRole('button', { name: 'Continue' }).click();
      await logIn(page);
      await judge('consent');
      await page.getByRole('button', { name: decision }).click();
      await page.getByRole('status').waitFor();
      await judge(decision);
    }
    expect(found).toEqual([]);
    expect(violations.filter((text) => !text.includes('a status of 400'))).toEqual([]);
  });
});
