import { expect } from 'vitest';
import { DEVICE_GRANT } from '../../src/oauth/device-grant.ts';
import { execute, type Member, type TestApp } from '../harness/index.ts';
import {
  createOauthTest,
  credentialsOf,
  makeOauthApp,
  type OauthAnswer,
  type OauthApp,
  postForm,
} from '../harness/oauth-world.ts';
import { type BrowserPage, ISSUER, PageBrowser } from '../harness/page-browser.ts';

/** Vitest's `it` with two apps that may use the device flow. */
export function createDeviceTest() {
  return createOauthTest()
    .extend('console', { scope: 'file' }, ({ app, admin }) =>
      makeOauthApp(app, admin, { name: 'Render node', confidential: false, redirect_uris: [], device_flow: true }),
    )
    .extend('confidential', { scope: 'file' }, ({ app, admin }) => makeOauthApp(app, admin, { device_flow: true }));
}

/** The scopes that the tests' devices ask for. */
export const SCOPE = 'read:profile read:org';

/** The codes of a device and its user. */
interface Codes {
  device: string;
  user: string;
}

/** Gets codes for a device. */
export async function start(
  test: TestApp,
  app: OauthApp,
  form: Record<string, string> = { scope: SCOPE },
): Promise<Codes> {
  const { status, body } = await postForm(test, 'device_authorization', { ...credentialsOf(app), ...form });
  expect([status, body.error]).toEqual([200, undefined]);
  return { device: body.device_code, user: body.user_code };
}

/** Asks for tokens. The device has waited long enough, unless it is impatient. */
export async function poll(test: TestApp, app: OauthApp, { device }: Codes, patient = true): Promise<OauthAnswer> {
  if (patient) {
    await execute(
      test.database,
      `update oauth_artifacts set polled_at = polled_at - interval '1 hour' where model = $1`,
      ['DeviceCode'],
    );
  }
  return postForm(test, 'token', { grant_type: DEVICE_GRANT, device_code: device, ...credentialsOf(app) });
}

/** Types a code. */
export async function enter(browser: PageBrowser, userCode: string): Promise<BrowserPage> {
  return browser.submit(await browser.open(`${ISSUER}/device`), '/device', { user_code: userCode });
}

type Person = Pick<Member, 'email' | 'password'>;

/** Reaches the consent page. */
export async function logIn(browser: PageBrowser, userCode: string, { email, password }: Person): Promise<BrowserPage> {
  return browser.submit(await enter(browser, userCode), '/login', { email, password });
}

/** Does everything that a user does to approve a device. */
export async function allow(test: TestApp, { user }: Codes, person: Person): Promise<BrowserPage> {
  const browser = new PageBrowser(test);
  return browser.submit(await logIn(browser, user, person), '/allow');
}

/** The status and code of a refusal. */
export const errorOf = ({ status, body }: OauthAnswer) => [status, body.error];
