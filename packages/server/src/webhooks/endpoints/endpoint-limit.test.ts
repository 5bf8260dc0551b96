import { describe, expect } from 'vitest';
import { createTest } from '../../../test/harness/fixtures.ts';
import { type Member, startAppForTest, type TestApp } from '../../../test/harness/index.ts';
import { plantEndpoint } from '../../../test/harness/plant-endpoint.ts';
import { MAX_ENDPOINTS } from './endpoint-rules.ts';

const URL = 'https://93.184.216.34/hooks';
const create = (app: TestApp, owner: Member) =>
  app.api.post('/v1/webhooks', owner.accessToken, { url: URL, events: ['*'] });

const it = createTest().extend('plantEndpoints', ({ app, ada }) => async (count: number) => {
  for (let each = 0; each < count; each += 1) {
    await plantEndpoint(app, ada.organizationId, URL);
  }
});

describe('an organization', () => {
  it('has at most 50 endpoints, even from simultaneous requests on two processes', async ({
    app,
    second,
    ada,
    plantEndpoints,
  }) => {
    await plantEndpoints(MAX_ENDPOINTS - 1);
    await Promise.all(
      [app, second].flatMap((each) => Array.from({ length: 10 }, () => each.api.get('/v1/me', ada.accessToken))),
    );
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => create(index % 2 === 0 ? app : second, ada)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, body } of answers.filter((each) => each.status !== 201)) {
      expect([status, body.error.code]).toEqual([409, 'conflict']);
    }
    const { data } = (await app.api.get('/v1/webhooks?limit=100', ada.accessToken)).body;
    expect(data).toHaveLength(MAX_ENDPOINTS);
  });

  it('can create another one immediately after one is deleted', async ({ app, second, ada, plantEndpoints }) => {
    await plantEndpoints(MAX_ENDPOINTS);
    expect((await create(app, ada)).status).toBe(409);
    const [{ id }] = (await app.api.get('/v1/webhooks', ada.accessToken)).body.data;
    await app.api.call('DELETE', `/v1/webhooks/${id}`, { token: ada.accessToken });
    expect((await create(second, ada)).status).toBe(201);
  });

  it('can create ten endpoints an hour', async ({ app, ada }) => {
    const limited = await startAppForTest({ beside: app, settings: { SEATHOLD_RATE_LIMITS: 'on' } });
    const answers = [];
    for (let each = 0; each < 11; each += 1) {
      answers.push(await create(limited, ada));
    }
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
    expect(answers.at(-1)?.body.error).toMatchObject({ code: 'rate_limit_exceeded', details: { limit: 10 } });
  });
});
