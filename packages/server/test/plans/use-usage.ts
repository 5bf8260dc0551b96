import { execute, type Member, type TestApp } from '../harness/index.ts';
import { makeOperatorToken, plantSubscription } from '../usage/usage-world.ts';
import type { RecordedApi } from './recorded-api.ts';

/**
 * Reports usage, and reads the summaries of a calendar month, of a period that splits an hour and of one that is over.
 */
export async function useUsage(
  test: TestApp,
  api: RecordedApi,
  { organizationId, accessToken }: Member,
): Promise<void> {
  const { token } = await makeOperatorToken(test);
  const at = new Date().toISOString();
  const body = { organization_id: organizationId, meter: 'ai_tokens', value: 3, at, idempotency_key: 'a job' };
  await api.post('/v1/operator/usage', token, body);
  await api.post('/v1/operator/usage', token, body);
  await api.get('/v1/usage', accessToken);
  await plantSubscription(test, {
    organizationId,
    included: { ai_tokens: 1000 },
    from: secondsAgo(3 * 86_400 + 1234),
    until: secondsAgo(-27 * 86_400),
    createdAt: '2020-01-01T00:00:00Z',
  });
  await api.get('/v1/usage', accessToken);
  const over = `update subscriptions set current_period_end = current_period_start + interval '100 minutes'
    where organization_id = $1 and created_at = '2020-01-01T00:00:00Z'`;
  await execute(test.database, over, [organizationId]);
  await api.get('/v1/usage', accessToken);
  const ended = `update subscriptions set status = 'canceled', ended_at = current_period_end, next_action_at = null
    where organization_id = $1 and created_at = '2020-01-01T00:00:00Z'`;
  await execute(test.database, ended, [organizationId]);
}

const secondsAgo = (seconds: number) => new Date(Math.floor(Date.now() / 1000) * 1000 - seconds * 1000).toISOString();
