import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { type BrowserPage, ISSUER, PageBrowser } from '../../../test/harness/page-browser.ts';
import { registerStaff } from '../../../test/harness/staff.ts';
import { codeAt, MovedClock, wrongCode } from '../../../test/harness/two-factor.ts';
import { createFirstOwnerLink } from '../../operator/create-first-owner-link.ts';

const clock = new MovedClock();
const it = createTest({ clock }).extend('owner', async ({ app }) => {
  await execute(app.database, 'delete from staff_members');
  return registerStaff(app, clock, 'owner');
});

const PASSWORD = 'a loom that weaves algebra';
let people = 0;

/** Adds a staff member without an account. Returns the link in their mail. */
async function invite(app: TestApp, owner: Member, role = 'support') {
  people += 1;
  const email = `new.colleague.${people}@example.com`;
  const added = await app.api.post('/v1/operator/staff', owner.accessToken, { email, role });
  expect(added.status).toBe(201);
  const mail = (await app.mailsTo(email)).findLast((each) => each.kind === 'staff-setup');
  return { email, userId: added.body.data.user_id as string, url: mail?.link?.url ?? '', token: mail?.code ?? '' };
}

/** The key as shown beside the QR code. */
function keyOn(app: TestApp, page: BrowserPage): string {
  const key = /Key: <code>([A-Z2-7 ]+)<\/code>/.exec(page.text)?.[1]?.replaceAll(' ', '') ?? '';
  app.api.secrets.note('a TOTP key', key);
  return key;
}

function codesOn(app: TestApp, page: BrowserPage): string[] {
  const codes = [...page.text.matchAll(/<li><code>([0-9A-Z]{5}-[0-9A-Z]{5})<\/code>/g)].map(([, code = '']) => code);
  for (const code of codes) {
    app.api.secrets.note('a recovery code', code);
  }
  return codes;
}

async function logIn(app: TestApp, email: string, code: string) {
  const login = await app.api.post('/v1/auth/login', undefined, { email, password: PASSWORD });
  const { challenge_token } = login.body.data;
  return (await app.api.post('/v1/auth/2fa/verify', undefined, { challenge_token, code })).body.data;
}

describe('the setup link of a new staff member', () => {
  it('sets the password and two-factor on one form, shows the recovery codes, and works once', async ({
    app,
    owner,
  }) => {
    const { email, url, token } = await invite(app, owner);
    const browser = new PageBrowser(app);
    const page = await browser.open(url);
    const again = await browser.open(url);
    expect([page.status, page.text.includes(email), page.text.includes('<svg'), page.text.includes('<script')]).toEqual(
      [200, true, true, false],
    );
    const key = keyOn(app, page);
    expect([key.length, keyOn(app, again)]).toEqual([32, key]);
    const done = await browser.submit(page, '/staff-setup', { token, password: PASSWORD, code: codeAt(clock, key) });
    const codes = codesOn(app, done);
    expect([done.status, codes.length]).toEqual([200, 10]);
    clock.nextStep();
    const login = await logIn(app, email, codeAt(clock, key));
    const me = (await app.api.get('/v1/me', login.access_token)).body.data;
    expect(me).toMatchObject({ email, email_verified: true, two_factor_enabled: true, staff: { role: 'support' } });
    expect((await app.api.get('/v1/operator/staff', login.access_token)).status).toBe(200);
    expect((await logIn(app, email, codes[0] ?? '')).access_token).toBeDefined();
    clock.nextStep();
    const used = await browser.submit(page, '/staff-setup', { token, password: PASSWORD, code: codeAt(clock, key) });
    expect([used.status, used.text.includes('already used'), (await browser.open(url)).status]).toEqual([
      400,
      true,
      400,
    ]);
    const log = await execute(
      app.database,
      `select after from audit_entries where organization_id = 'installation' and action = 'staff.set_up' order by id desc`,
    );
    expect(log[0]).toEqual({ after: { email, role: 'support' } });
  });

  it('stays valid after a wrong code and a weak password, which are reported next to the form', async ({
    app,
    owner,
  }) => {
    const { email, url, token } = await invite(app, owner);
    const browser = new PageBrowser(app);
    const page = await browser.open(url);
    const key = keyOn(app, page);
    for (const [typed, alert] of [
      [{ password: PASSWORD, code: wrongCode(clock, key) }, 'The code is incorrect'],
      [{ password: PASSWORD, code: '' }, 'The code is incorrect'],
      [{ password: 'short', code: codeAt(clock, key) }, '10 to 256'],
      [{ password: 'password123', code: codeAt(clock, key) }, 'too common'],
      [{ password: email, code: codeAt(clock, key) }, 'your name or email'],
    ] as const) {
      const refused = await browser.submit(page, '/staff-setup', { token, ...typed });
      expect([refused.status, refused.text.includes(alert), keyOn(app, refused)]).toEqual([400, true, key]);
      expect(refused.text).not.toContain(`"${typed.password}"`);
    }
    const done = await browser.submit(page, '/staff-setup', { token, password: PASSWORD, code: codeAt(clock, key) });
    expect([done.status, codesOn(app, done).length]).toEqual([200, 10]);
  });

  it('is used up once, however many forms use it simultaneously', async ({ app, owner }) => {
    const { url, token } = await invite(app, owner);
    const browser = new PageBrowser(app);
    const page = await browser.open(url);
    const form = { token, password: PASSWORD, code: codeAt(clock, keyOn(app, page)) };
    const pages = await Promise.all(Array.from({ length: 8 }, () => browser.submit(page, '/staff-setup', form)));
    expect(pages.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(400)]);
    for (const each of pages) {
      codesOn(app, each);
    }
  });

  it('expires after 30 minutes, when a newer link is sent, and when the person leaves the staff', async ({
    app,
    owner,
  }) => {
    const browser = new PageBrowser(app);
    const late = await invite(app, owner);
    await execute(app.database, `update staff_setup_links set expires_at = created_at where user_id = $1`, [
      late.userId,
    ]);
    const expired = await browser.open(late.url);
    expect([expired.status, expired.text.includes('expired')]).toEqual([400, true]);
    const superseded = await invite(app, owner);
    const again = { email: superseded.email, role: 'support' };
    await app.api.post('/v1/operator/staff', owner.accessToken, again);
    expect((await browser.open(superseded.url)).status).toBe(400);
    const removed = await invite(app, owner);
    const path = `/v1/operator/staff/${removed.userId}`;
    await app.api.call('DELETE', path, { token: owner.accessToken });
    expect((await browser.open(removed.url)).status).toBe(400);
    const lifetime = await execute<{ seconds: number }>(
      app.database,
      'select extract(epoch from expires_at - created_at)::int as seconds from staff_setup_links where user_id = $1',
      [removed.userId],
    );
    expect(lifetime).toEqual([{ seconds: 1_800 }]);
  });

  it('is asked for if the page is opened without it, and is refused if malformed', async ({ app, owner }) => {
    const browser = new PageBrowser(app);
    const page = await browser.open(`${ISSUER}/staff-setup`);
    expect([page.status, page.text.includes('name="token"')]).toEqual([200, true]);
    for (const token of ['nonsense', '%00', '%22%3E%3Cscript%3E', 'a'.repeat(2_000)]) {
      const refused = await browser.open(`${ISSUER}/staff-setup?token=${token}`);
      expect([refused.status, refused.text.includes('<script')]).toEqual([400, false]);
    }
    const { token } = await invite(app, owner);
    const foreign = {
      method: 'POST',
      body: new URLSearchParams({ token, password: PASSWORD, code: '000000' }),
      headers: { 'sec-fetch-site': 'cross-site' },
    };
    expect((await browser.open(`${ISSUER}/staff-setup`, foreign)).status).toBe(403);
  });

  it('is the only way into the account, whose password is unknown before', async ({ app, owner }) => {
    const { email } = await invite(app, owner);
    for (const password of ['', 'password', email]) {
      const login = await app.api.post('/v1/auth/login', undefined, { email, password: password || ' ' });
      expect(login.body.error.code).toBe('invalid_credentials');
    }
  });
});

describe('the setup link of a new installation', () => {
  it('creates the first owner, once', async ({ app }) => {
    const fresh = await startTestApp({ clock });
    try {
      await execute(
        fresh.database,
        `insert into installation (id, key_check, created_at) values ('this', '', clock_timestamp())
          on conflict (id) do nothing`,
      );
      const tools = { database: fresh.database, authUrl: ISSUER };
      const url = await createFirstOwnerLink(tools);
      expect(await createFirstOwnerLink(tools)).toBeUndefined();
      const token = new URL(url ?? '').searchParams.get('token') ?? '';
      fresh.api.secrets.note('the link for the first owner', token);
      const browser = new PageBrowser(fresh);
      const page = await browser.open(url ?? '');
      const key = keyOn(app, page);
      fresh.api.secrets.note('a TOTP key', key);
      const typed = { token, name: 'Ada <b>', password: PASSWORD, code: codeAt(clock, key) };
      const wrong = await browser.submit(page, '/staff-setup', { ...typed, email: 'nobody' });
      expect([wrong.status, wrong.text.includes('value="Ada &lt;b&gt;"')]).toEqual([400, true]);
      const done = await browser.submit(page, '/staff-setup', { ...typed, email: 'Ada@Example.com' });
      expect([done.status, done.text.includes('ada@example.com'), codesOn(app, done).length]).toEqual([200, true, 10]);
      const [row] = await execute(
        fresh.database,
        'select u.email, s.role from staff_members s join users u on u.id = s.user_id',
      );
      expect(row).toEqual({ email: 'ada@example.com', role: 'owner' });
      expect((await fresh.mailsTo('ada@example.com')).map((mail) => mail.kind)).toContain('verify-email');
    } finally {
      await fresh.close();
    }
  });

  it('is not created if users exist', async ({ app }) => {
    await app.register();
    expect(await createFirstOwnerLink({ database: app.database, authUrl: ISSUER })).toBeUndefined();
  });

  it('no longer works once staff exist', async ({ app }) => {
    await registerStaff(app, clock, 'owner');
    const token = 'svc_stf_planted';
    await execute(
      app.database,
      `insert into staff_setup_links (token_hash, created_at, expires_at)
        values (sha256($1), clock_timestamp(), clock_timestamp() + interval '1 hour')`,
      [Buffer.from(token)],
    );
    const browser = new PageBrowser(app);
    const page = await browser.open(`${ISSUER}/staff-setup?token=${token}`);
    const code = codeAt(clock, keyOn(app, page));
    const typed = { token, name: 'Eve', email: 'eve@example.com', password: PASSWORD, code };
    expect((await browser.submit(page, '/staff-setup', typed)).status).toBe(400);
    expect((await app.api.post('/v1/auth/login', undefined, typed)).status).toBe(400);
  });
});
