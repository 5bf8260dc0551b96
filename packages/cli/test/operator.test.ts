import { describe, expect } from 'vitest';
import type { TestApp } from '../../server/test/harness/index.ts';
import { createCliTest } from './cli-world.ts';

const it = createCliTest().extend(
  'tokens',
  ({ world, env }) =>
    (...words: string[]) =>
      world.run(['operator', 'token', ...words], { env }),
);
/** A valid token gets a refusal for an organization that does not exist. Other tokens are rejected before that. */
const errorCodeWith = async (test: TestApp, token: string) => {
  const body = { organization_id: 'org_nothing', meter: 'ai_tokens', value: 1, at: '2026-01-01T00:00:00Z' };
  return (await test.api.post('/v1/operator/usage', token, body)).body.error.code;
};

describe('seathold operator token', () => {
  it('creates a token for one environment, shows it once, lists it and revokes it', async ({
    app,
    sandbox,
    tokens,
  }) => {
    const created = await tokens('create', '--name', 'metering', '--expires', '2099-12-31', '--sandbox', '--json');
    expect(created).toMatchObject({ code: 0, stderr: '' });
    const { token, ...shown } = JSON.parse(created.stdout);
    sandbox.api.secrets.note('an operator token', token);
    expect(shown).toMatchObject({ name: 'metering', status: 'active', expires_at: '2099-12-31T00:00:00.000Z' });
    expect([await errorCodeWith(sandbox, token), await errorCodeWith(app, token)]).toEqual([
      'not_found',
      'invalid_token',
    ]);
    const listed = await tokens('list', '--sandbox');
    expect(listed.stdout).toContain(`${shown.id}  active   owner    metering`);
    expect(listed.stdout).not.toContain(token);
    expect((await tokens('list')).stdout).toBe('No operator tokens.\n');
    const revoked = await tokens('revoke', shown.id, '--sandbox');
    expect(revoked.stdout).toMatch(/^status +revoked$/m);
    expect(await errorCodeWith(sandbox, token)).toBe('invalid_token');
  });

  it('exits with 4 for an unknown token and with 2 for wrong usage, and creates nothing', async ({ tokens }) => {
    expect((await tokens('revoke', 'optok_nothing')).code).toBe(4);
    expect((await tokens('create')).code).toBe(2);
    expect((await tokens('create', '--name', 'late', '--expires', '2026-02-30')).code).toBe(2);
    expect((await tokens('create', '--name', 'late', '--expires', '2001-01-01')).code).not.toBe(0);
    expect(JSON.parse((await tokens('list', '--json')).stdout)).toEqual([]);
  });
});
