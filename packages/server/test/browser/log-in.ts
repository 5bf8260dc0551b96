import type { BrowserContext, Page } from 'playwright-core';
import type { HttpsClient } from '../torture/https-client.ts';

/** What a person types to log in. */
export interface Credentials {
  email: string;
  password: string;
}

/** Where a person logs in: at the API, which browsers may know under another name. */
export interface Place {
  client: HttpsClient;
  apiUrl: string;
  baseUrl: string;
}

/** Logs a browser in without loading a page, which is much faster than the form. */
export async function logInDirectly(
  context: BrowserContext,
  { client, apiUrl, baseUrl }: Place,
  { email, password }: Credentials,
): Promise<void> {
  const outcome = await client.call('POST', `${apiUrl}/v1/auth/login`, { takesCookie: true }, { email, password });
  const header = outcome.kind === 'answer' ? String(outcome.headers['set-cookie']) : '';
  const [, name, value] = /^([^=]+)=([^;]+);/.exec(header) ?? [];
  if (name === undefined || value === undefined) {
    throw new Error(`the login gave no cookie: ${JSON.stringify(outcome)}`);
  }
  await context.addCookies([{ name, value, url: baseUrl, secure: true, httpOnly: true, sameSite: 'Strict' }]);
}

/** Fills in the form that the page shows. */
export async function logInByForm(page: Page, { email, password }: Credentials): Promise<void> {
  await page.locator('input[name=email]').fill(email);
  await page.locator('input[name=password]').fill(password);
  await page.keyboard.press('Enter');
}
