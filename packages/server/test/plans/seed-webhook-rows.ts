import { ago, id, ORGANIZATIONS } from './seed-values.ts';

const ENDPOINTS = 20_000;
const ENDPOINTS_OF_THE_BUSIEST = 40;
const DELIVERIES = 200_000;
const REPLAYS_OF_THE_BUSIEST = 500;
const UNSENT = 900;

/** An organization has at most 50 endpoints. The first one is the busiest, with a third of all deliveries. */
const organizationOfEndpoint = (n: string) =>
  `case when ${n} < ${ENDPOINTS_OF_THE_BUSIEST} then :organization else ${id('org', `${n} % ${ORGANIZATIONS}`)} end`;
/** The n-th delivery belongs to the n-th event, and both to the same organization. */
const endpointOf = (n: string) => `case when ${n} % 3 = 0 then 0 else ${n} % ${ENDPOINTS} end`;
const statusOf = (n: string) =>
  `case when ${n} % 100 = 2 then 'pending' when ${n} % 100 = 1 then 'held' when ${n} % 10 = 0 then 'failed' else 'succeeded' end`;

/**
 * Rows that webhooks leave behind. No job may claim any of them, because no secret here can be decrypted: the endpoints
 * subscribe only to events that never happen, planned attempts are due later, and replays only run at paused endpoints.
 * The waiting events were announced after those of the requests.
 */
export const SEED_OF_WEBHOOKS: readonly string[] = [
  `insert into webhook_endpoints (organization_id, id, url, events, created_at, updated_at)
    select ${organizationOfEndpoint('n')}, ${id('wh', 'n')}, 'https://receiver' || n || '.example/hooks',
      case n % 3 when 0 then '{invoice.*}'::text[] when 1 then '{subscription.created,invoice.paid}' else '{subscription.*}' end,
      ${ago('n * 30')}, ${ago('n * 30')}
    from generate_series(0, ${ENDPOINTS - 1}) n`,
  `insert into webhook_endpoint_states (organization_id, endpoint_id, status, destination, is_cautious, in_flight_limit, turn_at)
    select ${organizationOfEndpoint('n')}, ${id('wh', 'n')}, case n % 10 when 1 then 'paused' when 2 then 'disabled' else 'active' end,
      'receiver' || n || '.example:443', n % 10 = 3, 32, case when n % 4 = 0 then ${ago('-3600 - n')} end
    from generate_series(0, ${ENDPOINTS - 1}) n`,
  // One live secret, and for one endpoint in five another that ended a while ago or ends soon.
  `insert into webhook_secrets (organization_id, endpoint_id, id, secret, created_at, ends_at)
    select ${organizationOfEndpoint('n')}, ${id('wh', 'n')}, ${id('whk', 'n * 2 + s')}, '\\x00', ${ago('n * 10 + s')},
      case when s = 1 then ${ago('n * 10 - 86400')} end
    from generate_series(0, ${ENDPOINTS - 1}) n, generate_series(0, 1) s where s = 0 or n % 5 = 0`,
  `insert into webhook_deliveries (organization_id, endpoint_id, id, event_id, event_type, status, attempts, step,
      last_status_code, last_error, last_attempt_at, next_attempt_id, next_attempt_at, created_at, sequence)
    select ${organizationOfEndpoint('d.endpoint')}, ${id('wh', 'd.endpoint')}, ${id('dlv', 'n')}, ${id('evt', 'n')},
      case when n % 5000 = 0 then 'license.expired' when n % 2 = 0 then 'license.seat.acquired' else 'license.seat.released' end,
      d.status, case when d.status = 'held' then 0 else 1 end, 0, case d.status when 'succeeded' then 200 when 'failed' then 500 end,
      case when d.status = 'failed' then 'http_status' end, case when d.status <> 'held' then ${ago('n * 20')} end,
      case when d.status = 'pending' then ${id('att', 'n')} end, case when d.status = 'pending' then ${ago('-3600 - n % 86400')} end,
      ${ago('n * 20')}, ${DELIVERIES} - n
    from generate_series(0, ${DELIVERIES - 1}) n
    cross join lateral (select ${endpointOf('n')} as endpoint, ${statusOf('n')} as status) d`,
  `insert into webhook_sequences (organization_id, endpoint_id, last)
    select organization_id, endpoint_id, max(sequence) from webhook_deliveries group by 1, 2`,
  // Most attempts have ended, and their rows are gone. A few are in progress. More are waiting than the metrics count.
  `insert into webhook_planned_attempts (organization_id, endpoint_id, id, delivery_id, kind, priority, due_at, claim_id, leased_until)
    select organization_id, endpoint_id, next_attempt_id, id, 'scheduled', 1, next_attempt_at,
      case when right(id, 3) = '002' then 'a claim' end, case when right(id, 3) = '002' then ${ago('-3600')} end
    from webhook_deliveries where status = 'pending'`,
  `insert into webhook_planned_attempts (organization_id, endpoint_id, id, delivery_id, kind, priority, due_at)
    select organization_id, endpoint_id, ${id('att', '1000000 + row_number() over ()')}, id, k.kind, k.priority, ${ago('-3600')}
    from webhook_deliveries, (values ('manual', 0), ('replay', 2)) k (kind, priority)
    where right(id, 2) = any(case k.priority when 0 then array['12'] else array['10', '30', '50', '70'] end)`,
  `insert into webhook_attempts (organization_id, delivery_id, number, endpoint_id, kind, started_at, duration_ms, status_code, error)
    select organization_id, id, 1, endpoint_id, 'scheduled', last_attempt_at, 120, last_status_code, last_error
    from webhook_deliveries where attempts = 1`,
  `insert into webhook_replays (organization_id, endpoint_id, id, status, since, until, only_failed, total, replayed,
      after_created_at, after_id, created_at, completed_at)
    select ${organizationOfEndpoint('r.endpoint')}, ${id('wh', 'r.endpoint')}, ${id('rpl', 'n')}, r.status, ${ago('n * 600 + 86400')},
      ${ago('n * 600')}, true, 10, 10, ${ago('n * 600')}, '', ${ago('n * 600')}, case when r.status <> 'running' then ${ago('n * 600 - 60')} end
    from generate_series(0, ${ENDPOINTS - 1}) n
    cross join lateral (
      select case when n < ${REPLAYS_OF_THE_BUSIEST} then 0 else n end as endpoint,
        case when n >= ${REPLAYS_OF_THE_BUSIEST} and n % 400 = 1 then 'running' when n % 7 = 0 then 'canceled' else 'completed' end as status
    ) r`,
  // Few events wait for long: they are sent within moments.
  `insert into unsent_events (organization_id, event_id, announced_at)
    select organization_id, id, ${ago('-86400')} from events where organization_id = :organization
    order by created desc limit ${UNSENT}`,
];
