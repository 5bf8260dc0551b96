import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, type Member, startAppForTest, type TestApp } from '../../../test/harness/index.ts';
import { Mailer } from '../../mail/index.ts';
import { recommendRotation, warnOfExpiringTokens } from './remind-owners.ts';

const it = createTest()
  .extend('mailer', { scope: 'file' }, ({ app }) => new Mailer(app.masterKey))
  .extend('remind', ({ app, mailer }) => async (): Promise<void> => {
    while ((await warnOfExpiringTokens(app.database, mailer)) || (await recommendRotation(app.database, mailer))) {
      // There are more.
    }
  })
  /** The mails to the owner about a token, oldest first. */
  .extend('told', ({ app, remind }) => async (owner: Member) => {
    await remind();
    return (await app.mailsTo(owner.email)).filter((mail) => mail.kind.startsWith('api-token-'));
  })
  .extend(
    'subjects',
    ({ told }) =>
      async (owner: Member) =>
        (await told(owner)).map((mail) => mail.subject),
  );

/** A token created this many days ago that expires in this many; null: never. */
async function createToken(app: TestApp, owner: Member, age: number, endsIn: number | null) {
  const input = { name: 'Nightly build', scopes: ['read:profile'], expires_at: null };
  const { data } = (await app.api.post('/v1/api-tokens', owner.accessToken, input)).body;
  await moveTo(app, data.id, age, endsIn);
  return data;
}

const moveTo = (app: TestApp, id: string, age: number, endsIn: number | null) =>
  execute(
    app.database,
    `update api_tokens set created_at = clock_timestamp() - $2::float8 * interval '1 day',
      expires_at = clock_timestamp() + $3::float8 * interval '1 day' where id = $1`,
    [id, age, endsIn],
  );

const IN_A_WEEK = 'Your API token "Nightly build" expires within 7 days';
const IN_A_DAY = 'Your API token "Nightly build" expires within 1 day';
const OLD = 'Your API token "Nightly build" is 90 days old';

describe('the owner of an API token', () => {
  it('gets one mail 7 days before the expiry and one the day before, with the name of the token but not its secret', async ({
    app,
    ada,
    told,
    subjects,
  }) => {
    const { id, token, prefix } = await createToken(app, ada, 30, 7.1);
    expect(await subjects(ada)).toEqual([]);
    await moveTo(app, id, 31, 6.9);
    expect(await subjects(ada)).toEqual([IN_A_WEEK]);
    expect(await subjects(ada)).toEqual([IN_A_WEEK]);
    await moveTo(app, id, 36, 0.9);
    expect(await subjects(ada)).toEqual([IN_A_WEEK, IN_A_DAY]);
    const text = JSON.stringify(await told(ada));
    expect(text).toContain(prefix);
    expect(text).not.toContain(token.slice(0, 14));
  });

  it('gets only the second mail if no job ran until the last day, and none after the expiry', async ({
    app,
    subjects,
  }) => {
    const [late, over] = [await app.register(), await app.register()];
    await createToken(app, late, 30, 0.5);
    await createToken(app, over, 30, -0.001);
    expect(await subjects(late)).toEqual([IN_A_DAY]);
    expect(await subjects(over)).toEqual([]);
  });

  it('gets only the second mail for a token of less than 7 days, and none for one of less than a day', async ({
    app,
    subjects,
  }) => {
    const [ada, grace] = [await app.register(), await app.register()];
    const { id } = await createToken(app, ada, 0.1, 6.8);
    expect(await subjects(ada)).toEqual([]);
    await moveTo(app, id, 6, 0.9);
    expect(await subjects(ada)).toEqual([IN_A_DAY]);
    await createToken(app, grace, 0.1, 0.8);
    expect(await subjects(grace)).toEqual([]);
  });

  it('is advised once to rotate a token that is 90 days old, unless it is about to expire or has expired', async ({
    app,
    subjects,
  }) => {
    const [ada, grace] = [await app.register(), await app.register()];
    const { id } = await createToken(app, ada, 89.9, null);
    expect(await subjects(ada)).toEqual([]);
    await moveTo(app, id, 90.1, 200);
    expect(await subjects(ada)).toEqual([OLD]);
    expect(await subjects(ada)).toEqual([OLD]);
    await createToken(app, grace, 90.1, 5);
    await createToken(app, grace, 200, -20);
    expect(await subjects(grace)).toEqual([IN_A_WEEK]);
  });

  it('gets no mail about a replaced or revoked token, or one in an organization that they left', async ({
    app,
    subjects,
  }) => {
    const owners = [await app.register(), await app.register(), await app.register()] as const;
    const [replaced, revoked] = [await createToken(app, owners[0], 91, 8), await createToken(app, owners[1], 91, 8)];
    await app.api.post(`/v1/api-tokens/${replaced.id}/rotate`, owners[0].accessToken, {});
    await app.api.call('DELETE', `/v1/api-tokens/${revoked.id}`, { token: owners[1].accessToken });
    await createToken(app, owners[2], 91, null);
    const expiring = await createToken(app, owners[2], 30, 5);
    await execute(app.database, 'delete from memberships where user_id = $1', [owners[2].userId]);
    for (const { id } of [replaced, revoked, expiring]) {
      await moveTo(app, id, 91, 5);
    }
    for (const owner of owners) {
      expect(await subjects(owner)).toEqual([]);
    }
  });

  it('gets one mail per token from two simultaneous processes, even for more than one batch of tokens', async ({
    app,
    mailer,
    subjects,
  }) => {
    const second = await startAppForTest({ beside: app });
    const owners = await Promise.all(Array.from({ length: 13 }, () => app.register()));
    for (const { organizationId, userId } of owners) {
      await execute(
        app.database,
        `insert into api_tokens (organization_id, id, user_id, name, prefix, scopes, created_at, expires_at)
        select $1, 'tok_many_' || n, $2, 'Nightly build', 'svc_live_abcd', '{read:org}',
          clock_timestamp() - interval '89 days', clock_timestamp() + interval '5 days' from generate_series(1, 10) n`,
        [organizationId, userId],
      );
    }
    const passes = [app, second].flatMap(({ database }) => [database, database]);
    await Promise.all(passes.map((database) => warnOfExpiringTokens(database, mailer)));
    for (const owner of owners) {
      expect(await subjects(owner)).toHaveLength(10);
    }
  });

  it('is reminded by the scheduled job', async ({ app, ada }) => {
    await createToken(app, ada, 91, null);
    await app.runJobs();
    const mails = await execute(app.database, 'select id from outgoing_mails where recipient = $1 and kind = $2', [
      ada.email,
      'api-token-old',
    ]);
    expect(mails).toHaveLength(1);
  });
});
