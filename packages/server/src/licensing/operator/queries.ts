import type { PolicyOverrides } from '../../billing/index.ts';
import { maybeOne, milliseconds, serviceTime, serviceTimeOnce, statement, wallTime } from '../../database/index.ts';
import type { Tier } from '../../organizations/index.ts';
import type { ListedLicenseRow } from '../licenses/queries.ts';

/** A license of any organization, with the fields that only the vendor sees. */
export interface OperatorLicenseRow extends ListedLicenseRow {
  organization_id: string;
  clock_offset_ms: number;
  external_id: string | null;
  metadata: Record<string, unknown>;
  /** Null for the license of a subscription. */
  tier: Tier | null;
  policy: PolicyOverrides;
  plan_policy: PolicyOverrides;
  product_policy: PolicyOverrides;
  allowed_users: readonly string[] | null;
  /** Set on the license or, otherwise, its plan. */
  heartbeat_interval_seconds: number | null;
  session_timeout_seconds: number | null;
  /** Its keys in another system. */
  key_aliases: readonly string[];
}

/** Selects OperatorLicenseRows. */
export const SELECT_OPERATOR_LICENSES = `select l.organization_id, o.clock_offset_ms, l.id, l.key, l.product, l.max_seats,
      l.subscription_id, l.state, l.features, l.external_id, l.metadata, l.tier, l.policy, l.plan_policy, l.allowed_users,
      l.heartbeat_interval_seconds, l.session_timeout_seconds,
      array(select a.alias from license_key_aliases a
        where a.organization_id = l.organization_id and a.license_id = l.id order by a.alias) as key_aliases,
      coalesce((select p.policy from products p where p.key = l.product), '{}') as product_policy,
      ${milliseconds('l.created_at')} as created_at_ms, ${milliseconds('l.expires_at')} as expires_at_ms,
      ${milliseconds(wallTime('o.clock_offset_ms'))} as now_ms,
      (n.taken - (select count(*)::int from seat_slots s
        where s.organization_id = l.organization_id and s.license_id = l.id and s.reap_at > '-infinity'
          and s.reap_at <= ${serviceTimeOnce('o.clock_offset_ms')}
          and s.deadline <= ${serviceTime('o.clock_offset_ms')})) as active_seats
    from licenses l
    join license_seat_counts n on n.organization_id = l.organization_id and n.license_id = l.id
    join organizations o on o.id = l.organization_id
    cross join service_clock c`;

export const findOperatorLicense = statement({
  name: 'find_operator_license',
  parameters: { id: 'text' },
  returns: maybeOne<OperatorLicenseRow>(),
  sql: ({ id }) => `${SELECT_OPERATOR_LICENSES} where l.id = ${id}`,
});

/** Writes the vendor's terms of a license, except its seats, under its lock. */
export const updateLicenseTerms = statement({
  name: 'update_license_terms',
  parameters: {
    organizationId: 'text',
    id: 'text',
    product: 'text',
    features: 'jsonb',
    expiresAt: 'timestamptz',
    externalId: 'text | null',
    metadata: 'jsonb',
    policy: 'jsonb',
    allowedUsers: 'text[] | null',
    heartbeatIntervalSeconds: 'integer | null',
    sessionTimeoutSeconds: 'integer | null',
    clockOffsetMs: 'bigint',
  },
  sql: (of) => `
    update licenses set product = ${of.product}, features = ${of.features}, expires_at = ${of.expiresAt},
      external_id = ${of.externalId}, metadata = ${of.metadata}, policy = ${of.policy}, allowed_users = ${of.allowedUsers},
      heartbeat_interval_seconds = ${of.heartbeatIntervalSeconds}, session_timeout_seconds = ${of.sessionTimeoutSeconds},
      updated_at = ${wallTime(of.clockOffsetMs)}
    where organization_id = ${of.organizationId} and id = ${of.id}`,
});
