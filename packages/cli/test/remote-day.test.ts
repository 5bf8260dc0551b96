import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { execute } from '../../server/test/harness/index.ts';
import { plantInvoice } from '../../server/test/harness/plant-invoice.ts';
import { createRemoteTest } from './remote-world.ts';

const it = createRemoteTest();
const HARDWARE = `hw_${'a'.repeat(32)}`;

describe("a vendor's day", () => {
  it('issues a license, sees it used, explains a refusal, adds seats, and finds it all in the audit log', async ({
    app,
    ask,
    remote,
  }) => {
    const [ada, grace] = [await app.register('Ada'), await app.register('Grace')];
    await ask('product', 'set', 'studio', '--feature', 'ai_assistance', 'projects=number:Projects');
    const license = await ask(
      ...['license', 'issue', '--organization', ada.organizationId, '--product', 'studio', '--seats', '1'],
      ...['--perpetual', '--feature', 'projects=20', '--policy', 'session_timeout=900', '--metadata', 'region=north'],
    );
    expect(license).toMatchObject({
      max_seats: 1,
      expires_at: null,
      features: { projects: 20 },
      metadata: { region: 'north' },
      policy_overrides: { session_timeout: 900 },
    });
    const acquire = (hardware: string) =>
      app.api.post('/v1/licenses/acquire', ada.accessToken, { license_key: license.key, hardware_id: hardware });
    expect((await acquire(HARDWARE)).status).toBe(201);
    expect((await acquire(HARDWARE.replaceAll('a', 'b'))).status).toBe(409);
    await app.runJobs();
    const explained = await remote(['explain', '--email', ada.email, '--key', license.key]);
    expect(explained.stdout).toContain(`Ada <${ada.email}> cannot get a seat of studio`);
    expect(explained.stdout).toMatch(/no_seats_available: .*\n\nSeats are held by:\nUSER +MACHINE +SINCE/);
    expect(explained.stdout).toContain(ada.email);
    const refusals = await remote(['refusals', '--license', license.id]);
    expect(refusals.stdout).toMatch(/^LAST +TIMES +CODE +LICENSE.*\n[\d -]+:\d\d +1 {2}no_seats_available {2}lic_/);
    const demand = await remote(['demand', license.key]);
    expect(demand.stdout).toContain('2 seats would have been enough; the license has 1.');
    await ask('license', 'update', license.id, '--seats', '2');
    expect((await acquire(HARDWARE.replaceAll('a', 'b'))).status).toBe(201);
    expect((await ask('explain', '--email', grace.email, '--license', license.id)).can_acquire).toBe(false);
    const actions = (await ask('audit', '--organization', ada.organizationId, '--actor-type', 'operator_token')).map(
      ({ action }: { action: string }) => action,
    );
    expect(actions).toEqual(['license.updated', 'license.issued']);
  });

  it('releases a seat that a program left behind, and the customer sees who did it', async ({
    app,
    ask,
    remote,
    ada,
  }) => {
    const license = await app.issueLicense(ada.organizationId, { maxSeats: 1 });
    const acquired = await app.api.post('/v1/licenses/acquire', ada.accessToken, {
      license_key: license.key,
      hardware_id: HARDWARE,
    });
    const { session_id: session } = acquired.body.data;
    const held = await remote(['seat', 'list', license.key]);
    expect(held.stdout).toMatch(new RegExp(`^SEAT +USER.*\\n +1 +${ada.email} .*${session}`));
    expect(await ask('seat', 'release', session, '--license', license.id)).toMatchObject({ status: 'released' });
    expect((await ask('seat', 'list', license.id)).map((seat: { session: unknown }) => seat.session)).toEqual([null]);
    const log = await app.api.get('/v1/audit-log?action=license.seat.released', ada.accessToken);
    expect(log.body.data).toMatchObject([{ actor: { type: 'operator_token' }, target: { id: session } }]);
  });

  it('finds a user who is locked out, and unlocks the account', async ({ app, ask, remote, ada }) => {
    await execute(
      app.database,
      "update users set locked_until = clock_timestamp() + interval '15 minutes' where id = $1",
      [ada.userId],
    );
    const locked = await remote(['user', 'list', '--locked']);
    expect(locked.stdout).toContain(ada.email);
    expect(await ask('user', 'unlock', ada.email.toUpperCase())).toMatchObject({ id: ada.userId, is_locked: false });
    expect((await remote(['user', 'list', '--locked'])).stdout).toBe('No users.\n');
    const nobody = await remote(['user', 'show', ada.email.slice(0, -1)]);
    expect([nobody.code, nobody.stderr.includes('There is no user')]).toEqual([4, true]);
  });

  it('shows how the business is doing', async ({ app, remote, ada }) => {
    await app.issueLicense(ada.organizationId, { maxSeats: 7 });
    const { stdout } = await remote(['status']);
    expect(stdout).toMatch(/^Now:\n {2}Revenue a month +-\n {2}Subscriptions +0 active, 0 trialing, 0 past due\n/);
    expect(stdout).toMatch(/\n {2}Seats +\d+ of \d+ in use\n {2}Mails waiting +\d+\n {2}Late jobs +/);
    expect(stdout).toMatch(/UTC:\n {2}Subscriptions +0 began, 0 ended\n {2}Seats +at most \d+ in use\n {2}Refusals /);
  });

  it("sets a product's policy without touching the rest of the product", async ({ ask, remote }) => {
    await ask('product', 'set', 'kiosk', '--feature', 'printing', '--policy', 'activation=key', 'session_timeout=900');
    const changed = await ask('product', 'set', 'kiosk', '--policy', 'session_timeout=', 'max_activations=3');
    expect(changed).toMatchObject({ features: { printing: { type: 'boolean' } } });
    expect(changed.policy).toEqual({ activation: 'key', max_activations: 3 });
    const refused = await remote(['product', 'set', 'kiosk', '--policy', 'allowed_users=usr_1']);
    expect([refused.code, refused.stderr.includes('only a license can name users')]).toEqual([2, true]);
  });

  it('suspends a customer with a reason that they see, and reinstates them', async ({ app, ask, remote, ada }) => {
    const suspended = await ask('org', 'suspend', ada.organizationId, '--reason', 'Shares its keys');
    expect(suspended).toMatchObject({ status: 'suspended', suspension_reason: 'Shares its keys' });
    const refused = await app.api.get('/v1/licenses', ada.accessToken);
    expect(refused.body.error.code).toBe('organization_suspended');
    expect((await remote(['org', 'suspend', ada.organizationId])).code).toBe(2);
    expect(await ask('org', 'reinstate', ada.organizationId)).toMatchObject({ status: 'active' });
    expect((await app.api.get('/v1/licenses', ada.accessToken)).status).toBe(200);
  });

  it('needs a reason to take a license away', async ({ app, remote, ada, ask }) => {
    const { id } = await app.issueLicense(ada.organizationId);
    const refused = await remote(['license', 'revoke', id]);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('--reason');
    expect(await ask('license', 'revoke', id, '--reason', 'Fraud')).toMatchObject({ status: 'revoked' });
    const again = await remote(['license', 'reinstate', id]);
    expect([again.code, again.stderr.includes('conflict, request req_')]).toEqual([5, true]);
  });
});

describe('a list', () => {
  it('shows the requested number of rows, and that there are more', async ({ app, remote, ask, ada }) => {
    for (const name of ['first', 'second', 'third']) {
      await app.issueLicense(ada.organizationId, { product: name });
    }
    const words = ['license', 'list', '--organization', ada.organizationId];
    const two = await remote([...words, '--limit', '2']);
    expect(two.stdout.split('\n')).toHaveLength(4);
    expect(two.stderr).toBe('There are more: use --limit or --all.\n');
    expect(await remote([...words, '--limit', '3'])).toMatchObject({ stderr: '' });
    const all = await ask(...words, '--all');
    expect(all.map(({ product }: { product: string }) => product)).toEqual(['third', 'second', 'first']);
    expect((await remote([...words, '--all', '--limit', '2'])).code).toBe(2);
    expect((await remote([...words, '--limit', '0'])).code).toBe(2);
  });

  it('continues with further pages', async ({ app, ask, ada }) => {
    await execute(
      app.database,
      `insert into audit_entries (id, organization_id, action, target_type, target_id, credential_kind, created_at)
       select 'audit_' || lpad(n::text, 26, '0'), $1, 'license.updated', 'license', 'lic_' || n, 'operator',
         clock_timestamp() + n * interval '1 millisecond'
       from generate_series(1, 250) n`,
      [ada.organizationId],
    );
    const words = ['audit', '--organization', ada.organizationId, '--action', 'license.updated'];
    const targets = async (...more: string[]) =>
      (await ask(...words, ...more)).map(({ target }: { target: { id: string } }) => target.id);
    const expected = Array.from({ length: 250 }, (_, index) => `lic_${250 - index}`);
    expect(await targets('--all')).toEqual(expected);
    expect(await targets('--limit', '130')).toEqual(expected.slice(0, 130));
  });

  it('is repeated by --watch until Ctrl-C', async ({ world, ownerToken }) => {
    const env = { SEATHOLD_URL: world.baseUrl, SEATHOLD_OPERATOR_TOKEN: ownerToken };
    const running = world.start(['refusals', '--organization', 'org_nothing', '--watch', '1'], { env });
    await running.until('No refusals.', 2);
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 0 });
  });
});

describe('seathold export', () => {
  it('writes a complete file, or nothing if the service refuses', async ({ app, ada, remote, createToken, world }) => {
    const { number } = await plantInvoice(app, ada.organizationId, { number: 'EXPORT-000001' });
    const done = await remote(['export', 'invoices', '-o', 'all.csv']);
    expect(done).toEqual({ code: 0, stdout: '', stderr: '' });
    const file = await readFile(join(world.folder, 'all.csv'), 'utf8');
    expect(file).toContain(`,${number},paid,${ada.organizationId},`);
    const streamed = await remote(['export', 'invoices', '--format', 'jsonl']);
    expect(JSON.parse(streamed.stdout.split('\n')[0] ?? '')).toMatchObject({ number });
    const viewer = { SEATHOLD_OPERATOR_TOKEN: await createToken('viewer') };
    expect((await remote(['export', 'invoices'], viewer)).stdout).toContain(`,${number},paid,`);
    const unknown = { SEATHOLD_OPERATOR_TOKEN: `svc_opt_${'x'.repeat(42)}` };
    expect((await remote(['export', 'invoices', '-o', 'none.csv'], unknown)).code).toBe(3);
    for (const name of ['none.csv', 'none.csv.part', 'all.csv.part']) {
      await expect(stat(join(world.folder, name))).rejects.toThrow('ENOENT');
    }
    const nowhere = await remote(['export', 'invoices', '-o', 'no-such-folder/all.csv']);
    expect([nowhere.code, nowhere.stderr.includes('no-such-folder')]).toEqual([2, true]);
  });
});

describe('a misspelled word', () => {
  it.for([
    [['licence', 'list'], 'license'],
    [['license', 'lst'], 'list'],
    [['license', 'list', '--stauts', 'active'], '--status'],
  ] as const)('in %j gets the closest word as a suggestion', async ([words, nearest], { world }) => {
    const { code, stderr } = await world.run(words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`(Did you mean ${nearest}?)`)]);
  });
});

describe('a pipe that closes early', () => {
  it('ends a command without an error message', async ({ app, world, ownerToken, ada }) => {
    await app.issueLicense(ada.organizationId);
    const env = { SEATHOLD_URL: world.baseUrl, SEATHOLD_OPERATOR_TOKEN: ownerToken };
    const { child, ended } = world.start(['license', 'list', '--all', '--json'], { env });
    child.stdout?.destroy();
    expect((await ended).stderr).toBe('');
  });
});
