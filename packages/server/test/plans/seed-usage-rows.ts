import { ago, hash, id, inLargest, ORGANIZATIONS, organizationOf } from './seed-values.ts';

const RECORDS = inLargest(300_000);
const OPERATOR_TOKENS = 2_000;
/** A year of hours of the busiest organization, and of others. */
const HOURS = 9_000;

/** SQL: the start of the hour that began this many hours ago. */
const hoursAgo = (n: string) => `date_trunc('hour', ${ago(`(${n}) * 3600`)}, 'UTC')`;
const meterOf = (n: string) => `(array['ai_tokens', 'storage_gb', 'builds'])[1 + (${n}) / 3 % 3]`;

/** What the operator's programs reported, and the hourly sums of that and of the seats. */
export const SEED_OF_USAGE: readonly string[] = [
  `insert into meters (name, aggregation, created_at)
    values ('ai_tokens', 'sum', ${ago('0')}), ('storage_gb', 'last', ${ago('0')}), ('builds', 'max', ${ago('0')})
    on conflict do nothing`,
  `insert into operator_tokens (id, token_hash, name, prefix, created_at)
    select ${id('optok', 'n')}, ${hash('operator', 'n')}, 'program ' || n, 'svc_opt_abcd', ${ago('n')}
    from generate_series(0, ${OPERATOR_TOKENS - 1}) n`,
  `insert into usage_records (organization_id, id, meter, value, at, idempotency_key, recorded_by, recorded_at)
    select ${organizationOf('n')}, ${id('usage', 'n')}, ${meterOf('n')}, n % 1000, ${ago('n * 30')},
      case when n % 2 = 0 then 'job ' || n end, ${id('optok', '0')}, ${ago('n * 30')}
    from generate_series(0, ${RECORDS - 1}) n`,
  `insert into usage_hours (organization_id, meter, hour, total, highest, last_at, last_id, last_value)
    select o.organization_id, m.name, ${hoursAgo('h')}, 100, 10, ${hoursAgo('h')}, ${id('usage', 'h')}, 1
    from (values (:organization, 1), (${id('org', '0')}, 1), (${id('org', '1')}, 20)) o (organization_id, every),
      meters m, generate_series(0, ${HOURS}) h where h % o.every = 0`,
  `insert into usage_seat_hours (organization_id, hour, active_at_start, peak)
    select :organization, ${hoursAgo('h')}, 900, 1000 from generate_series(2, ${HOURS}) h`,
  `insert into usage_seat_hours (organization_id, hour, active_at_start, peak)
    select ${id('org', 'n')}, ${hoursAgo('h')}, 10, 20
    from generate_series(0, ${ORGANIZATIONS - 1}) n, generate_series(2, 500) h`,
  // Two hours are not counted yet. For some organizations no hour is.
  `insert into usage_seat_marks (organization_id, counted_until)
    select :organization, ${hoursAgo('2')} union all
    select ${id('org', 'n')}, ${hoursAgo('2')} from generate_series(10, ${ORGANIZATIONS - 1}) n`,
];
