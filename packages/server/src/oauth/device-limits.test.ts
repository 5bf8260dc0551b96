import { expect } from 'vitest';
import { createOauthTest } from '../../test/harness/oauth-world.ts';

const it = createOauthTest({ settings: { SEATHOLD_RATE_LIMITS: 'on' } });

it('entering codes is limited to ten a minute per address, and viewing the page is not', async ({ app }) => {
  const type = () =>
    fetch(`${app.api.baseUrl}/oauth/device`, {
      method: 'POST',
      body: new URLSearchParams({ user_code: 'BCDF-GHJK', xsrf: 'unknown', confirm: 'yes' }),
    });
  for (let typed = 0; typed < 10; typed += 1) {
    const answer = await type();
    expect(answer.status).toBe(400);
  }
  const refused = await type();
  expect(refused.status).toBe(429);
  expect(await refused.text()).toContain('Too many attempts');
  expect(refused.headers.get('retry-after')).not.toBeNull();
  expect((await fetch(`${app.api.baseUrl}/oauth/device`)).status).toBe(200);
});
