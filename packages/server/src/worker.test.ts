import { describe, expect, it } from 'vitest';
import { execute, startAppForTest } from '../test/harness/index.ts';
import { KeyHolder, Standing } from './database/index.ts';
import { type Job, Nudge } from './jobs/index.ts';
import { createLogger } from './log/index.ts';
import { startWork } from './worker.ts';

describe('a process that only works in the background', () => {
  it('knows that writes do not finish, and does not report that the service is alive', async () => {
    const test = await startAppForTest();
    await execute(test.database, `update service_clock set alive_at = '2026-01-01T00:00:00Z', away_ms = 0`);
    const now = { ms: 0 };
    const standing = new Standing({ now: () => now.ms });
    const tools = { jobs: [], log: createLogger('silent'), holder: new KeyHolder(test.masterKey), standing };
    const work = await test.database.transaction(async (tx) => {
      await tx.execute({ name: '', text: 'select id from service_clock for update' }, []);
      const started = startWork(test.database, tools, 'worker');
      now.ms = 4_001;
      await expect.poll(() => standing.whyNotReady()).toBe('writes do not finish');
      return started;
    });
    await expect.poll(() => standing.whyNotReady()).toBeUndefined();
    await work.stop();
    const clock = `select alive_at = '2026-01-01T00:00:00Z' as is_still, away_ms from service_clock`;
    expect(await execute(test.database, clock)).toEqual([{ is_still: true, away_ms: 0 }]);
  });
});

describe('a process that only answers requests', () => {
  it('writes the in-memory records of its own requests, and does no other work', async () => {
    const test = await startAppForTest();
    const { accessToken } = await test.register();
    const { token, id } = (await test.api.post('/v1/api-tokens', accessToken, { name: 'ci', scopes: ['read:profile'] }))
      .body.data;
    expect((await test.api.get('/v1/me', token)).status).toBe(200);
    const ran: string[] = [];
    const jobs = test.service.jobs.map((job) => ({
      ...job,
      run: (stopping?: AbortSignal) => {
        ran.push(job.name);
        return job.run(stopping);
      },
    }));
    const holder = new KeyHolder(test.masterKey);
    // Each job runs once at its start, and stopping waits for it.
    const tools = { jobs, log: createLogger('silent'), holder, standing: new Standing() };
    await startWork(test.database, tools, 'api').stop();
    expect(ran).toEqual([
      'auth.write-last-use',
      'auth.renew-browser-sessions',
      'licensing.write-refusals',
      'http.write-request-records',
    ]);
    const used = 'select last_used_at is not null as is_used from api_tokens where id = $1';
    expect(await execute(test.database, used, [id])).toEqual([{ is_used: true }]);
  });

  it('passes nudges of jobs that it does not run to the process that does, combining simultaneous ones', async () => {
    const test = await startAppForTest();
    const [nudge, rung] = [new Nudge(), [] as string[]];
    const job: Job = { name: 'test.deliver', everyMs: 3_600_000, nudge, run: () => Promise.resolve(false) };
    const tools = { log: createLogger('silent'), holder: new KeyHolder(test.masterKey), standing: new Standing() };
    const work = startWork(test.database, { ...tools, jobs: [job], ring: (name) => rung.push(name) }, 'api');
    nudge.ring();
    nudge.ring();
    expect(rung).toEqual(['test.deliver']);
    // A second ring at the same moment is passed on afterwards, because the first may have come too early.
    await expect.poll(() => rung.length).toBe(2);
    nudge.ring();
    await expect.poll(() => rung.length).toBe(3);
    await work.stop();
    nudge.ring();
    expect(rung).toHaveLength(3);
  });
});
