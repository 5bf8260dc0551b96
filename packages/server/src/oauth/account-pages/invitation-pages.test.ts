import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, startAppForTest, type TestApp } from '../../../test/harness/index.ts';
import { inviteToOrganization } from '../../../test/harness/join-organization.ts';
import { type BrowserPage, ISSUER, PageBrowser } from '../../../test/harness/page-browser.ts';
import { codeAt, MovedClock, registerWithTwoFactor, wrongCode } from '../../../test/harness/two-factor.ts';

const clock = new MovedClock();

const it = createTest({ clock })
  .extend('owner', { scope: 'file' }, ({ app }) => app.register('Ada <b>Lovelace</b>'))
  .extend('roleOf', ({ app, owner }) => async (person: Member) => {
    const answer = await app.api.get(`/v1/orgs/${owner.organizationId}`, person.accessToken);
    return answer.status === 200 ? answer.body.data.role : answer.status;
  });

/** Submits the form of the page as this user. */
async function send(
  app: TestApp,
  person: Member,
  token: string,
  changes: Record<string, string> = {},
): Promise<BrowserPage> {
  const browser = new PageBrowser(app);
  const page = await browser.open(`${ISSUER}/accept-invitation`);
  const filled = { token, email: person.email, password: person.password, ...changes };
  return browser.submit(page, '/accept-invitation', filled);
}

/** Expects the form again, with an alert and the address but no secret. */
function expectRefusal(page: BrowserPage, alert: string, email: string, secrets: string[]): void {
  expect(page.status).toBe(400);
  expect(page.text).toMatch(new RegExp(`role="alert" id="alert">[^<]*${alert}`));
  expect(page.text).toContain(`value="${email}"`);
  expect(page.text).toContain('name="password"');
  expect(secrets.filter((secret) => page.text.includes(secret))).toEqual([]);
}

describe('the invitation page', () => {
  it('makes a user who logs in with the invited address a member, and names the organization and the role', async ({
    app,
    owner,
    roleOf,
  }) => {
    const guest = await app.register('Grace');
    const token = await inviteToOrganization(app, owner, 'billing', guest.email);
    const mail = (await app.mailsTo(guest.email)).findLast((each) => each.kind === 'invitation');
    const acceptance = new URLSearchParams({ code: token, email: guest.email });
    expect(mail?.link?.url).toBe(`https://api.test/accept-invitation#${acceptance}`);
    const page = await send(app, guest, ` ${token}\n`, { email: ` ${guest.email.toUpperCase()} ` });
    expect(page.status).toBe(200);
    expect(page.text).toContain('<strong>Ada &lt;b&gt;Lovelace&lt;/b&gt;</strong>');
    expect(page.text).toContain('<strong>billing</strong>');
    expect(page.url.search).toBe('');
    expect(await roleOf(guest)).toBe('billing');
    const log = await app.api.get(`/v1/audit-log?actor_user_id=${guest.userId}`, owner.accessToken);
    const actions = log.body.data.map((each: { action: string }) => each.action);
    expect(actions).toEqual(['login.succeeded', 'member.joined', 'invitation.accepted']);
    const own = await app.api.get('/v1/audit-log?action=login.succeeded', guest.accessToken);
    expect(own.body.data[0]).toMatchObject({ after: { method: 'password', via: 'invitation' } });
    const [event] = (await app.api.get('/v1/events?type=org.member.joined', owner.accessToken)).body.data;
    expect(event.data.object).toMatchObject({ user_id: guest.userId, avatar_url: 'https://api.test/avatar.svg' });
  });

  it('400: a wrong password or an unknown address, which do not use up the token', async ({ app, owner, roleOf }) => {
    const guest = await app.register();
    const token = await inviteToOrganization(app, owner, 'member', guest.email);
    const wrong = await send(app, guest, token, { password: 'not the password' });
    expectRefusal(wrong, 'password is incorrect', guest.email, [token, 'not the password']);
    const unknown = await send(app, guest, token, { email: 'nobody@example.com' });
    expectRefusal(unknown, 'password is incorrect', 'nobody@example.com', [token, guest.password]);
    expect((await send(app, guest, '')).status).toBe(400);
    expect((await send(app, guest, token, { email: '', password: '' })).status).toBe(400);
    expect(await roleOf(guest)).toBe(404);
    expect((await send(app, guest, token)).status).toBe(200);
  });

  it('400: unknown, malformed, revoked, used and expired tokens', async ({ app, owner }) => {
    const guest = await app.register();
    const token = await inviteToOrganization(app, owner, 'member', guest.email);
    for (const bad of ['nonsense\0', owner.accessToken, `${token.slice(0, -1)}_`]) {
      expectRefusal(await send(app, guest, bad), 'it was revoked', guest.email, [token, guest.password]);
    }
    const expire = (by: string) =>
      execute(app.database, 'update invitations set expires_at = clock_timestamp() + $2::interval where email = $1', [
        guest.email,
        by,
      ]);
    await expire('-1 second');
    expectRefusal(await send(app, guest, token), 'has expired', guest.email, [token, guest.password]);
    await expire('1 day');
    expect((await send(app, guest, token)).status).toBe(200);
    expectRefusal(await send(app, guest, token), 'already accepted', guest.email, [token, guest.password]);
    const other = await app.register();
    const revoked = await inviteToOrganization(app, owner, 'member', other.email);
    await execute(app.database, 'update invitations set revoked_at = clock_timestamp() where email = $1', [
      other.email,
    ]);
    expectRefusal(await send(app, other, revoked), 'revoked', other.email, [revoked, other.password]);
  });

  it('400: an address other than the invited one, which it does not reveal; the token stays valid', async ({
    app,
    owner,
    roleOf,
  }) => {
    const [guest, thief] = [await app.register(), await app.register()];
    const token = await inviteToOrganization(app, owner, 'admin', guest.email);
    const refused = await send(app, thief, token);
    expectRefusal(refused, 'a different email address', thief.email, [token, thief.password, guest.email]);
    expect(await roleOf(thief)).toBe(404);
    expect((await send(app, guest, token)).status).toBe(200);
    expect(await roleOf(guest)).toBe('admin');
  });

  it('400: already a member; the token stays valid', async ({ app, owner, roleOf }) => {
    const guest = await app.register();
    const token = await inviteToOrganization(app, owner, 'member', guest.email);
    const values = [owner.organizationId, guest.userId];
    await execute(
      app.database,
      `insert into memberships (organization_id, user_id, user_name, role, created_at)
        values ($1, $2, 'Test', 'billing', clock_timestamp())`,
      values,
    );
    expectRefusal(await send(app, guest, token), 'already a member of this organization', guest.email, [token]);
    await execute(app.database, 'delete from memberships where organization_id = $1 and user_id = $2', values);
    expect((await send(app, guest, token)).status).toBe(200);
    expect(await roleOf(guest)).toBe('member');
  });

  it('400: already in a hundred organizations; the token stays valid', async ({ app, owner }) => {
    const guest = await app.register();
    const token = await inviteToOrganization(app, owner, 'member', guest.email);
    await execute(
      app.database,
      `with made as (
          insert into organizations (id, name, slug, member_count, created_at, updated_at)
          select 'org_' || lpad(n::text, 26, '0'), 'Full', 'full-' || n, 1, clock_timestamp(), clock_timestamp()
          from generate_series(1, 99) n returning id
        )
        insert into memberships (organization_id, user_id, user_name, role, created_at)
        select id, $1, 'Test', 'member', clock_timestamp() from made`,
      [guest.userId],
    );
    expectRefusal(await send(app, guest, token), 'already a member of 100 organizations', guest.email, [token]);
    const byApi = await app.api.post('/v1/invitations/accept', guest.accessToken, { token });
    expect([byApi.status, byApi.body.error.code]).toEqual([409, 'conflict']);
    await execute(app.database, `delete from memberships where user_id = $1 and organization_id like 'org_%01'`, [
      guest.userId,
    ]);
    expect((await send(app, guest, token)).status).toBe(200);
  });

  it('403 from another site, and 405 for another method', async ({ app }) => {
    const browser = new PageBrowser(app);
    for (const path of ['accept-invitation', 'accept-invitation/code']) {
      const foreign = { method: 'POST', body: new URLSearchParams(), headers: { 'sec-fetch-site': 'cross-site' } };
      expect((await browser.open(`${ISSUER}/${path}`, foreign)).status).toBe(403);
      expect((await browser.open(`${ISSUER}/${path}`, { method: 'DELETE' })).status).toBe(405);
    }
  });

  it('429: shares the counters of the account and of the address with POST /v1/auth/login', async () => {
    const app = await startAppForTest({ settings: { SEATHOLD_RATE_LIMITS: '{"tiers":{"free":{"minute":500}}}' } });
    const ada = await app.register();
    const browser = new PageBrowser(app);
    const page = await browser.open(`${ISSUER}/accept-invitation`);
    for (let attempt = 0; attempt < 9; attempt += 1) {
      await app.api.post('/v1/auth/login', undefined, { email: ada.email, password: 'wrong password' });
    }
    const filled = { token: 'x', email: ` ${ada.email}`, password: 'wrong password' };
    const tenth = await browser.submit(page, '/accept-invitation', filled);
    expect(tenth.headers.get('ratelimit-policy')).toContain('"login-account"');
    expect(tenth.status).toBe(400);
    const refused = await browser.submit(page, '/accept-invitation', { ...filled, password: ada.password });
    expect([refused.status, refused.text.includes('Too many attempts')]).toEqual([429, true]);
  });
});

describe('the invitation page with two-factor on', () => {
  it('asks for a code without secrets in the URL, and accepts the invitation with it', async ({
    app,
    owner,
    roleOf,
  }) => {
    const guest = await registerWithTwoFactor(app, clock);
    const token = await inviteToOrganization(app, owner, 'member', guest.email);
    const asked = await send(app, guest, token);
    expect([asked.status, asked.url.search]).toEqual([200, '']);
    expect(asked.text).toContain('autocomplete="one-time-code"');
    expect(asked.text).not.toContain(guest.password);
    expect(await roleOf(guest)).toBe(404);
    const browser = new PageBrowser(app);
    const wrong = await browser.submit(asked, '/code', { code: wrongCode(clock, guest.secret) });
    expect([wrong.status, wrong.text.includes('role="alert"')]).toEqual([400, true]);
    const done = await browser.submit(wrong, '/code', { code: ` ${codeAt(clock, guest.secret)} ` });
    expect([done.status, done.text.includes('Invitation accepted'), done.url.search]).toEqual([200, true, '']);
    expect(await roleOf(guest)).toBe('member');
    const again = await browser.submit(asked, '/code', { code: guest.recoveryCodes[0] ?? '' });
    expectRefusal(again, 'Log in again', guest.email, [token, guest.secret]);
  });

  it('uses up a correct code, whatever is wrong with the invitation', async ({ app, owner, roleOf }) => {
    const guest = await registerWithTwoFactor(app, clock);
    const browser = new PageBrowser(app);
    const code = guest.recoveryCodes[0] ?? '';
    const refused = await browser.submit(await send(app, guest, 'nonsense'), '/code', { code });
    expectRefusal(refused, 'it was revoked', guest.email, [guest.password]);
    const token = await inviteToOrganization(app, owner, 'member', guest.email);
    const asked = await send(app, guest, token);
    expect((await browser.submit(asked, '/code', { code })).status).toBe(400);
    expect(await roleOf(guest)).toBe(404);
    expect((await browser.submit(asked, '/code', { code: guest.recoveryCodes[1] ?? '' })).status).toBe(200);
  });

  it('returns to the form if the page for the code is opened directly', async ({ app }) => {
    const page = await new PageBrowser(app).open(`${ISSUER}/accept-invitation/code`);
    expect([page.status, page.url.pathname]).toEqual([200, '/oauth/accept-invitation']);
  });
});
