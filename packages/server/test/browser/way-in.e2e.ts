import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from './auth-world.ts';
import { DashboardWorld, PASSWORD, type Person } from './dashboard-world.ts';
import { judgeLooks } from './looks.ts';
import { mailedLink } from './mailed-link.ts';

let world: DashboardWorld;

beforeAll(async () => {
  world = await DashboardWorld.start();
});
afterAll(() => world.close());
afterEach(async () => {
  await Promise.all(world.browser.contexts().map((context) => context.close()));
  expect(world.complaints.splice(0)).toEqual([]);
});

const NEW_PASSWORD = 'a loom that weaves algebra';
let newcomers = 0;
const nextEmail = () => {
  newcomers += 1;
  return `newcomer-${newcomers}@example.com`;
};

/**
 * Moves with the Tab key to the field with this label, or to the button whose text ends with it, and checks that the
 * focus is visible.
 */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let steps = 0; steps < 60; steps += 1) {
    const [focused, outline, shadow] = (await page.evaluate(
      `(() => { const e = document.activeElement, s = getComputedStyle(e.type === 'radio' ? e.nextElementSibling ?? e : e);
        const label = e.labels?.[0]?.textContent?.trim() ?? e.getAttribute('aria-label') ?? e.textContent.trim();
        return [label, s.outlineStyle, s.borderColor + s.boxShadow]; })()`,
    )) as [string, string, string];
    if (focused.endsWith(name)) {
      expect(`${outline} ${shadow}`, `${name} shows its focus`).not.toBe('none none');
      return;
    }
    await page.keyboard.press('Tab');
  }
  throw new Error(`${name} was not reached with the Tab key`);
}

async function fillIn(page: Page, answers: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(answers)) {
    await page.locator(`input[name=${name}]`).fill(value);
  }
}

const overview = (page: Page) => page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();

async function invite(owner: Person, email: string): Promise<string> {
  await world.call('POST', `/v1/orgs/${owner.organizationId}/invitations`, owner.accessToken, {
    email,
    role: 'billing',
  });
  return mailedLink(world.folder, email, '/accept-invitation');
}

describe('the account flow', () => {
  it('works by keyboard alone: register, verify with the mailed link, log out, log in', async () => {
    const page = await world.newPage();
    const email = nextEmail();
    await page.goto(`${world.baseUrl}/`);
    await page.getByLabel('Email address').waitFor();
    await tabTo(page, 'Create an account');
    await page.keyboard.press('Enter');
    await page.getByLabel('Your name').waitFor();
    for (const [label, text] of [
      ['Your name', 'Grace Hopper'],
      ['Email address', email],
      ['Password', PASSWORD],
    ] as const) {
      await tabTo(page, label);
      await page.keyboard.type(text);
    }
    await page.keyboard.press('Enter');
    await overview(page);
    await page.getByText(`We sent a link to ${email}.`).waitFor();

    await page.goto(await mailedLink(world.folder, email, '/verify-email'));
    await page.getByRole('heading', { name: 'Email address verified' }).waitFor();
    expect(page.url()).toBe(`${world.baseUrl}/verify-email`);
    await tabTo(page, 'Go to the dashboard');
    await page.keyboard.press('Enter');
    await overview(page);
    expect(await page.getByText('We sent a link').count()).toBe(0);

    await tabTo(page, 'Account menu of Grace Hopper');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Log out' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByLabel('Email address').waitFor();
    await tabTo(page, 'Email address');
    await page.keyboard.type(email);
    await tabTo(page, 'Password');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await overview(page);
  });

  it('verifies with one press if nobody is logged in, because programs that scan mails follow links', async () => {
    const person = await world.register();
    const link = await mailedLink(world.folder, person.email, '/verify-email');
    const page = await world.newPage();
    await page.goto(link);
    await page.getByText('Confirm that this is your email address.').waitFor();
    expect((await world.call('GET', '/v1/me', person.accessToken)).email_verified).toBe(false);
    await page.getByRole('button', { name: 'Verify email address' }).click();
    await page.getByRole('heading', { name: 'Email address verified' }).waitFor();
    expect((await world.call('GET', '/v1/me', person.accessToken)).email_verified).toBe(true);
    // The link works once, and says so.
    const again = await world.newPage();
    await again.goto(link);
    await again.getByRole('button', { name: 'Verify email address' }).click();
    await again.getByRole('alert').waitFor();
    expect(world.complaints.splice(0)).toHaveLength(1);
  });

  it('verifies with the code in the mail', async () => {
    const person = await world.register();
    const link = new URL(await mailedLink(world.folder, person.email, '/verify-email'));
    const page = await world.visit('/', person);
    await page.getByRole('link', { name: 'Enter the code instead' }).click();
    await page.getByLabel('Code').fill(` ${link.hash.replace('#code=', '')} `);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Email address verified' }).waitFor();
  });

  it('resets a forgotten password with the mailed link, and accepts the new one', async () => {
    const person = await world.register();
    const page = await world.newPage();
    await page.goto(`${world.baseUrl}/login`);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    // The previous screen has a field of the same name.
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor();
    await page.getByLabel('Email address').fill(person.email);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    await page.getByText('data/mail').waitFor();
    await page.goto(await mailedLink(world.folder, person.email, '/reset-password'));
    await page.locator('input[name=password]').fill(NEW_PASSWORD);
    expect(page.url()).toBe(`${world.baseUrl}/reset-password`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Password changed' }).waitFor();
    await page.getByRole('link', { name: 'Log in' }).click();
    await fillIn(page, { email: person.email, password: NEW_PASSWORD });
    await page.keyboard.press('Enter');
    await overview(page);
  });

  it('continues immediately if the person is already logged in', async () => {
    const person = await world.register();
    const page = await world.visit('/', person);
    await page.goto(`${world.baseUrl}/login?next=%2Fapi-keys`);
    await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor();
  });

  it('gives new recovery codes, which replace the old ones', async () => {
    const page = await world.visit('/account', await world.register());
    await page.getByRole('button', { name: 'Turn on' }).click();
    const secret = (await page.getByRole('dialog').locator('code').first().textContent()) ?? '';
    await page.getByLabel('Code from the app').fill(codeOf(secret, 0));
    await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click();
    const codes = page.getByRole('dialog', { name: 'Recovery codes', exact: true }).getByRole('listitem');
    await codes.first().waitFor();
    const old = await codes.allTextContents();
    await page.getByRole('button', { name: 'I have saved them' }).last().click();
    await page.getByRole('button', { name: 'New recovery codes' }).click();
    await fillIn(page, { password: PASSWORD, code: old[0] ?? '' });
    await page.locator('input[name=password]').last().fill(PASSWORD);
    await page.getByRole('dialog').getByRole('button', { name: 'New recovery codes' }).click();
    await codes.first().waitFor();
    const renewed = await codes.allTextContents();
    expect(renewed).toHaveLength(10);
    expect(renewed.filter((code) => old.includes(code))).toEqual([]);
  });
});

describe('an invitation', () => {
  it('is accepted by a person without an account, who registers and joins in one form', async () => {
    const owner = await world.register();
    const page = await world.newPage();
    await page.goto(await invite(owner, nextEmail()));
    await fillIn(page, { name: 'Grace Hopper', password: PASSWORD });
    expect(page.url()).toBe(`${world.baseUrl}/accept-invitation`);
    await page.getByRole('button', { name: 'Create account and join' }).click();
    await overview(page);
    await page.getByText('You are now a member of').waitFor();
    await page.getByRole('button', { name: 'Organization: Ada <b>Lovelace</b>' }).click();
    // Their own organization and the one that they joined.
    await page.getByRole('menuitem', { name: 'Grace Hopper' }).click();
    await page.getByRole('button', { name: 'Organization: Grace Hopper' }).waitFor();
  });

  it('is accepted in one step by a person who is logged in', async () => {
    const [owner, guest] = [await world.register(), await world.register()];
    const page = await world.visit('/', guest);
    await page.goto(await invite(owner, guest.email));
    await page.getByText(`You are logged in as ${guest.email}.`).waitFor();
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await overview(page);
    await page.getByText('You are now a member of').waitFor();
  });

  it('is accepted by a person who logs in with a second factor', async () => {
    const [owner, guest] = [await world.register(), await world.register()];
    const { secret } = await world.call('POST', '/v1/auth/2fa/setup', guest.accessToken, {});
    const enabled = await world.call('POST', '/v1/auth/2fa/enable', guest.accessToken, { code: codeOf(secret, 0) });
    const page = await world.newPage();
    await page.goto(await invite(owner, guest.email));
    await page.getByText('I have an account').click();
    await fillIn(page, { password: PASSWORD });
    await page.getByRole('button', { name: 'Log in and join' }).click();
    await page.getByLabel('Code').fill(enabled.recovery_codes[0]);
    await page.keyboard.press('Enter');
    await overview(page);
    await page.getByText('You are now a member of').waitFor();
  });

  it('warns a person with another address, and lets them switch accounts', async () => {
    const [owner, guest, other] = [await world.register(), await world.register(), await world.register()];
    const page = await world.visit('/', other);
    await page.goto(await invite(owner, guest.email));
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await page.getByRole('alert').getByText('different email address').waitFor();
    expect(world.complaints.splice(0)).toHaveLength(1);
    await page.getByRole('button', { name: 'Use a different account' }).click();
    await page.getByText('I have an account').click();
    expect(await page.getByLabel('Email address').inputValue()).toBe(guest.email);
    await fillIn(page, { password: PASSWORD });
    await page.getByRole('button', { name: 'Log in and join' }).click();
    await overview(page);
    await page.getByText('You are now a member of').waitFor();
  });
});

it('a person creates another organization, starts in it, and switches back', async () => {
  const page = await world.visit('/', await world.register());
  await page.getByRole('button', { name: /^Organization/ }).click();
  await page.getByRole('menuitem', { name: 'Create organization' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('<img src=x onerror=alert(1)>');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Organization: <img src=x onerror=alert(1)>' }).click();
  await page.getByRole('menuitem', { name: 'Ada <b>Lovelace</b>' }).click();
  await page.getByRole('button', { name: 'Organization: Ada <b>Lovelace</b>' }).waitFor();
});

it.each(['en', 'de'])(
  'the screens for sign-up and login have no axe violations, and scroll only one way, in the language %s',
  async (locale) => {
    const faults: string[] = [];
    const page = await world.newPage({ locale });
    const hash = `#${new URLSearchParams({ code: 'svc_inv_of_nobody', email: 'grace@example.com' })}`;
    for (const path of [
      ...['/login', '/register', '/forgot-password', '/reset-password', '/verify-email', '/accept-invitation'],
      ...[`/reset-password${hash}`, `/verify-email${hash}`, `/accept-invitation${hash}`],
    ]) {
      await page.goto('about:blank');
      await page.goto(world.baseUrl + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      faults.push(...(await judgeLooks(page, `${path.replace(/#.*/, '-with-code').slice(1)}-${locale}`)));
    }
    expect(faults).toEqual([]);
  },
);
