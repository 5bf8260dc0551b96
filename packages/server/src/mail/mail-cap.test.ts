import { describe, expect } from 'vitest';
import { execute } from '../../test/harness/index.ts';
import { createMailTest } from '../../test/mail/mail-fixtures.ts';

const it = createMailTest().extend('mails', ({ world }) => {
  const queue = (kind: string, recipient = 'ada@example.com') =>
    world.test.database.transaction((tx) =>
      world.mailer.queue(tx, { kind, recipient, content: { subject: 'Told', paragraphs: ['Something happened.'] } }),
    );
  const queueMany = async (kind: string, times: number) => {
    const queued: boolean[] = [];
    for (let each = 0; each < times; each += 1) {
      queued.push(await queue(kind));
    }
    return queued;
  };
  /** Moves the counted mails into the past. */
  const age = (seconds: number) =>
    execute(
      world.test.database,
      `update mail_counts set last_queued_at = last_queued_at - $1 * interval '1 second',
      queued_at = array(select q.t - $1 * interval '1 second' from unnest(queued_at) with ordinality as q (t, place) order by place)`,
      [seconds],
    );
  const countRows = () => execute(world.test.database, 'select 1 from mail_counts');
  return { queue, queueMany, age, countRows };
});

describe('mails of one kind to one recipient', () => {
  it('are limited to ten an hour; the eleventh is dropped, and the drop is logged', async ({ world, mails }) => {
    const lines = world.test.logLines.length;
    expect(await mails.queueMany('password-changed', 12)).toEqual([...Array(10).fill(true), false, false]);
    expect(await world.listRows()).toHaveLength(10);
    expect(world.test.logLines).toHaveLength(lines);
  });

  it('are counted even after they were sent', async ({ world, mails }) => {
    await mails.queueMany('password-changed', 10);
    await world.openWorker().send();
    expect(await world.listRows()).toEqual([]);
    expect(await mails.queue('password-changed')).toBe(false);
  });

  it('are limited to ten if thirty are queued simultaneously', async ({ world, mails }) => {
    const queued = await Promise.all(Array.from({ length: 30 }, () => mails.queue('password-changed')));
    expect(queued.filter((each) => each)).toHaveLength(10);
    expect(await world.listRows()).toHaveLength(10);
  });

  it('do not count against another kind or another recipient', async ({ mails }) => {
    await mails.queueMany('password-changed', 10);
    expect(await mails.queue('two-factor-enabled')).toBe(true);
    expect(await mails.queue('password-changed', 'bob@example.com')).toBe(true);
  });

  it('are limited to ten within any hour', async ({ mails }) => {
    await mails.queueMany('password-changed', 4);
    await mails.age(1800);
    await mails.queueMany('password-changed', 6);
    await mails.age(1790);
    expect(await mails.queue('password-changed')).toBe(false);
    await mails.age(20);
    expect(await mails.queueMany('password-changed', 5)).toEqual([true, true, true, true, false]);
  });

  it.for(['reset-password', 'invitation'])(
    'are never dropped if a user waits for the code: %s',
    async (kind, { mails }) => {
      expect(await mails.queueMany(kind, 12)).toEqual(Array(12).fill(true));
      expect(await mails.countRows()).toEqual([]);
    },
  );

  it('are not counted if their transaction is rolled back', async ({ world, mails }) => {
    const content = { subject: 'Told', paragraphs: ['Something happened.'] };
    const failing = world.test.database.transaction(async (tx) => {
      await world.mailer.queue(tx, { kind: 'password-changed', recipient: 'ada@example.com', content });
      throw new Error('refused');
    });
    await expect(failing).rejects.toThrow('refused');
    expect(await mails.countRows()).toEqual([]);
  });

  it('are no longer counted an hour after the last', async ({ world, mails }) => {
    await mails.queue('password-changed');
    const { forget } = world.openWorker();
    await mails.age(3590);
    await forget();
    expect(await mails.countRows()).toHaveLength(1);
    await mails.age(20);
    await forget();
    expect(await mails.countRows()).toEqual([]);
  });
});
