import { INSTALLATION, OPERATOR_COMMAND } from '../../src/audit/index.ts';
import { createOperatorToken } from '../../src/auth/index.ts';
import type { StaffRole } from '../../src/http/index.ts';
import { newId } from '../../src/ids/index.ts';
import { execute, type TestApp } from '../harness/index.ts';

const COMMAND = { ...OPERATOR_COMMAND, organizationId: INSTALLATION };

/** An operator token of this installation, created like the command does. */
export async function makeOperatorToken(test: TestApp, expiresAt: Date | null = null, role: StaffRole = 'owner') {
  const made = await createOperatorToken(test.database, COMMAND, {
    name: 'metering',
    role,
    expiresAt: expiresAt?.toISOString() ?? null,
  });
  test.api.secrets.note('an operator token', made.token);
  return made;
}

/** The secret of an operator token of each role. */
export async function makeRoleTokens(test: TestApp): Promise<Record<StaffRole, string>> {
  const secretOf = async (role: StaffRole) => (await makeOperatorToken(test, null, role)).token;
  return {
    viewer: await secretOf('viewer'),
    finance: await secretOf('finance'),
    support: await secretOf('support'),
    owner: await secretOf('owner'),
  };
}

/** Adds meters to the catalogue. */
export async function plantMeters(test: TestApp, meters: Readonly<Record<string, 'sum' | 'last' | 'max'>>) {
  await execute(
    test.database,
    `insert into meters (name, aggregation, created_at) select name, aggregation, clock_timestamp()
      from unnest($1::text[], $2::text[]) as m (name, aggregation)
      on conflict (name) do update set aggregation = excluded.aggregation`,
    [Object.keys(meters), Object.values(meters)],
  );
}

/** Cleans up the sessions that timed out, and counts the seats of the hours that are over. */
export async function settleSeats(test: TestApp): Promise<void> {
  for (const job of ['licensing.reap-silent-seats', 'usage.count-seat-hours']) {
    while (await test.runJob(job)) {
      // There is more.
    }
  }
}

/** The properties of a planted subscription. */
export interface PlantedSubscription {
  organizationId: string;
  included: Readonly<Record<string, unknown>>;
  from: string;
  until: string;
  status?: 'active' | 'past_due' | 'canceled';
  createdAt?: string;
}

/** Writes a subscription to a new plan directly to the database. */
export async function plantSubscription(test: TestApp, planted: PlantedSubscription): Promise<void> {
  const { organizationId, included, from, until, status = 'active', createdAt = from } = planted;
  const [plan, subscription] = [newId('plan'), newId('subscription')];
  await execute(test.database, INSERT_PLAN, [plan, JSON.stringify(included)]);
  const values = [organizationId, subscription, status, plan, from, until, createdAt];
  await execute(test.database, INSERT_SUBSCRIPTION, values);
}

const INSERT_PLAN = `insert into plans (id, key, name, description, price, currency, interval, tier, product, features,
    license_features, included, grace_seconds, created_at, updated_at)
  values ($1, $1, 'A plan', '', 1000, 'usd', 'month', 'pro', 'studio', '{}', '{}', $2, 0, clock_timestamp(), clock_timestamp())`;

const INSERT_SUBSCRIPTION = `insert into subscriptions (organization_id, id, status, plan_id, quantity, currency, anchor, period_index,
    current_period_start, current_period_end, period_accrued, period_billed, next_action_at, dunning_ends_at, ended_at,
    created_at, updated_at)
  select $1, $2, $3, $4, 7, 'usd', $5::timestamptz, 0, $5::timestamptz, $6::timestamptz, 0, 0,
    case when $3 <> 'canceled' then $6::timestamptz end, case when $3 = 'past_due' then $6::timestamptz end,
    case when $3 = 'canceled' then $6::timestamptz end, $7::timestamptz, $7::timestamptz`;
