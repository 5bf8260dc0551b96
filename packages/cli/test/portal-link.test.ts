import { expect } from 'vitest';
import { createCliTest } from './cli-world.ts';

const it = createCliTest();

it("webhooks portal-link prints a link that opens the organization's webhooks once", async ({ app, world }) => {
  const { accessToken } = await app.register();
  const input = { name: 'CI', scopes: ['admin:org'], expires_at: null };
  const { token: apiToken } = (await app.api.post('/v1/api-tokens', accessToken, input)).body.data;
  const env = { SEATHOLD_TOKEN: apiToken, SEATHOLD_BASE_URL: world.baseUrl };
  const result = await world.run(['webhooks', 'portal-link', '--json'], { env });
  expect(result).toMatchObject({ code: 0, stderr: '' });
  const token = new URL(JSON.parse(result.stdout).url).hash.slice(1);
  const exchange = () => app.api.post('/v1/webhooks/portal-links/exchange', undefined, { token });
  expect((await exchange()).status).toBe(201);
  expect((await exchange()).status).toBe(401);
});
