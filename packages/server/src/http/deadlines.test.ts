import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, type Member, startTestApp, type TestApp } from '../../test/harness/index.ts';
import { credentialsOf, makeOauthApp, type OauthApp } from '../../test/harness/oauth-world.ts';

let patient: TestApp;
/** Another process on the same database, with a short deadline. */
let test: TestApp;
let ada: Member;
let app: OauthApp;

beforeAll(async () => {
  patient = await startTestApp();
  ada = await patient.register('Ada Lovelace');
  app = await makeOauthApp(patient, ada);
});
beforeEach(async () => {
  test = await startTestApp({ beside: patient, answeredWithinMs: 300 });
  return () => test.close();
});
afterAll(() => patient.close());

const createProject = (to: TestApp, key: string) =>
  to.api.post('/v1/projects', ada.accessToken, { name: key }, { 'idempotency-key': key });
const countProjects = async (name: string) =>
  (await execute(patient.database, 'select id from projects where name = $1', [name])).length;

/** Locks a table against all other transactions until `work` is done. */
function whileLocked<T>(table: string, work: () => Promise<T>): Promise<T> {
  return patient.database.transaction(async (tx) => {
    await tx.execute({ name: '', text: `lock table ${table} in access exclusive mode` }, []);
    return work();
  });
}

describe('a request that exceeds its deadline', () => {
  it('gets a 503 like any other, and its repetition gets the outcome', async () => {
    const answer = await whileLocked('projects', () => createProject(test, 'waited'));
    expect(answer).toMatchObject({
      status: 503,
      body: { error: { code: 'service_unavailable', message: expect.stringMatching(/may still take effect/) } },
    });
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(answer.headers.get('x-ratelimit-limit')).not.toBeNull();
    expect(answer.headers.get('x-request-id')).toBe(answer.body.meta.request_id);
    await expect.poll(() => countProjects('waited')).toBe(1);
    expect((await createProject(patient, 'waited')).status).toBe(201);
    expect(await countProjects('waited')).toBe(1);
  });

  it('is not said to take effect if it only reads', async () => {
    const answer = await whileLocked('projects', () => test.api.get('/v1/projects', ada.accessToken));
    expect(answer).toMatchObject({
      status: 503,
      body: { error: { message: expect.stringMatching(/took too long\. Try/) } },
    });
  });

  it('changes nothing if it was not admitted by then', async () => {
    const answer = await whileLocked('login_sessions', () => createProject(test, 'late'));
    expect(answer.status).toBe(503);
    // When a later request of its caller is done, all earlier ones are, too.
    expect((await createProject(patient, 'later')).status).toBe(201);
    await expect.poll(() => test.logLines.filter((line) => line.includes('took too long')).length).toBe(2);
    expect(await countProjects('late')).toBe(0);
  });

  it('gets a 503 in the OAuth format from an OAuth endpoint', async () => {
    const form = { grant_type: 'client_credentials', scope: 'read:profile', ...credentialsOf(app) };
    const answer = await whileLocked('oauth_apps', () =>
      fetch(`${test.api.baseUrl}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) }),
    );
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ error: 'temporarily_unavailable' });
  });

  it('does not exist for routes that wait for the payment provider or move a clock', () => {
    const exempt = test.service.routes.filter((route) => route.hasOwnBound).map((route) => route.operationId);
    expect(exempt.toSorted()).toEqual([
      'advanceSandboxClock',
      'attachPaymentMethod',
      'createSubscription',
      'payInvoice',
      'updateSubscription',
    ]);
  });
});
