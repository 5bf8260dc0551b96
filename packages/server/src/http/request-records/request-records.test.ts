import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { execute, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { makeOperatorToken } from '../../../test/usage/usage-world.ts';

const it = createTest({ settings: { SEATHOLD_REQUEST_SAMPLE: '1' } }).extend(
  'operator',
  { scope: 'file' },
  async ({ app }) => (await makeOperatorToken(app)).token,
);

const recordOf = async (app: TestApp, operator: string, requestId: string) => {
  await app.runJob('http.write-request-records');
  return app.api.get(`/v1/operator/requests/${requestId}`, operator);
};

describe('the record of a request', () => {
  it('shows an error with its caller and its endpoint, but no content of the request', async ({
    app,
    ada,
    operator,
  }) => {
    const before = Date.now();
    const path = '/v1/licenses/lic_secret?x=secret';
    const refused = await app.api.get(path, ada.accessToken);
    const answer = await recordOf(app, operator, refused.body.meta.request_id);
    expect(answer.body.data).toEqual({
      id: refused.body.meta.request_id,
      at: expect.any(String),
      method: 'GET',
      route: '/v1/licenses/{license_id}',
      status: 400,
      code: 'invalid_request',
      duration_ms: expect.any(Number),
      organization_id: ada.organizationId,
      user_id: ada.userId,
    });
    expect(Date.parse(answer.body.data.at)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(answer.body.data.at)).toBeLessThanOrEqual(Date.now());
  });

  it('shows a sampled success', async ({ app, ada, operator }) => {
    const { body } = await app.api.get('/v1/licenses', ada.accessToken);
    expect((await recordOf(app, operator, body.meta.request_id)).body.data).toMatchObject({ status: 200, code: null });
  });

  it('shows a request without a token, and one to a path that does not exist', async ({ app, operator }) => {
    for (const [path, expected] of [
      ['/v1/licenses', { status: 401, code: 'invalid_token', route: '/v1/licenses', user_id: null }],
      ['/v1/nowhere', { status: 404, code: 'not_found', route: null }],
    ] as const) {
      const { body } = await app.api.get(path);
      expect((await recordOf(app, operator, body.meta.request_id)).body.data).toMatchObject(expected);
    }
  });

  it('is not found if there is none', async ({ app, operator }) => {
    const answer = await recordOf(app, operator, 'req_01kagt2m8xg3q9wz5r7e6b4c1d');
    expect(answer.body.error).toMatchObject({ code: 'not_found', details: { resource: 'request' } });
  });

  it('is not_found for customers', async ({ app, ada }) => {
    const { body } = await app.api.get('/v1/licenses/lic_missing', ada.accessToken);
    expect((await recordOf(app, ada.accessToken, body.meta.request_id)).status).toBe(403);
  });

  it('is written when the process stops', async ({ app, ada, operator }) => {
    const stopping = await startTestApp({ beside: app });
    const { body } = await stopping.api.get('/v1/licenses/lic_missing', ada.accessToken);
    await stopping.close();
    const answer = await app.api.get(`/v1/operator/requests/${body.meta.request_id}`, operator);
    expect(answer.body.data).toMatchObject({ id: body.meta.request_id, code: 'not_found' });
  });

  it('is deleted after its retention', async ({ app, ada, operator }) => {
    const { body } = await app.api.get('/v1/licenses/lic_missing', ada.accessToken);
    const kept = body.meta.request_id;
    // From 2020: the first characters are the time.
    const old = 'req_01dxf6dt00e4bt3q6r7s8t9vwx';
    await recordOf(app, operator, kept);
    await execute(
      app.database,
      'insert into request_records select $2, at, method, route, status, code, duration_ms from request_records where id = $1',
      [kept, old],
    );
    await app.runJob('http.delete-old-request-records');
    expect((await recordOf(app, operator, old)).status).toBe(404);
    expect((await recordOf(app, operator, kept)).status).toBe(200);
  });
});
