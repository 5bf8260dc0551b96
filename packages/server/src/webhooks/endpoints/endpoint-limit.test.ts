import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Member, startTestApp, type TestApp } from '../../../test/harness/index.ts';
import { plantEndpoint } from '../../../test/harness/webhook-world.ts';
import { MAX_ENDPOINTS } from './endpoint-rules.ts';

let first: TestApp;
let second: TestApp;

beforeAll(async () => {
  first = await startTestApp();
  second = await startTestApp({ beside: first });
});
afterAll(async () => {
  await second.close();
  await first.close();
});

const URL = 'https://93.184.216.34/hooks';
const create = (test: TestApp, ada: Member) =>
  test.api.post('/v1/webhooks', ada.accessToken, { url: URL, events: ['*'] });

async function adaWith(endpoints: number): Promise<Member> {
  const ada = await first.register();
  for (let each = 0; each < endpoints; each += 1) {
    await plantEndpoint(first, ada.organizationId, URL);
  }
  return ada;
}

describe('an organization', () => {
  it('has 50 endpoints at most, however many are created at once on two processes', async () => {
    const ada = await adaWith(MAX_ENDPOINTS - 1);
    await Promise.all(
      [first, second].flatMap((test) => Array.from({ length: 10 }, () => test.api.get('/v1/me', ada.accessToken))),
    );
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => create(index % 2 === 0 ? first : second, ada)),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, body } of answers.filter((each) => each.status !== 201)) {
      expect([status, body.error.code]).toEqual([409, 'conflict']);
    }
    const { data } = (await first.api.get('/v1/webhooks?limit=100', ada.accessToken)).body;
    expect(data).toHaveLength(MAX_ENDPOINTS);
  });

  it('has room again at once when one is deleted', async () => {
    const ada = await adaWith(MAX_ENDPOINTS);
    expect((await create(first, ada)).status).toBe(409);
    const [{ id }] = (await first.api.get('/v1/webhooks', ada.accessToken)).body.data;
    await first.api.call('DELETE', `/v1/webhooks/${id}`, { token: ada.accessToken });
    expect((await create(second, ada)).status).toBe(201);
  });

  it('can create ten endpoints an hour', async () => {
    const test = await startTestApp({ beside: first, settings: { SEATHOLD_RATE_LIMITS: 'on' } });
    try {
      const ada = await adaWith(0);
      const answers = [];
      for (let each = 0; each < 11; each += 1) {
        answers.push(await create(test, ada));
      }
      expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 201), 429]);
      expect(answers.at(-1)?.body.error).toMatchObject({ code: 'rate_limit_exceeded', details: { limit: 10 } });
    } finally {
      await test.close();
    }
  });
});
