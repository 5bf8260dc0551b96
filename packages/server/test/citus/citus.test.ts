import { describe, expect, it } from 'vitest';
import { placementOf } from './choose-tables.ts';
import { type Fault, faultsOf } from './statement-rules.ts';

const PLACEMENTS = new Map([
  ['seats', { kind: 'distributed' }],
  ['licenses', { kind: 'distributed' }],
  ['organizations', { kind: 'reference' }],
  ['tokens', { kind: 'local', reason: 'its key' }],
] as const);

const STATEMENTS: ReadonlyArray<readonly [string, string, readonly Fault[]]> = [
  ['a read of one organization', 'select 1 from seats where organization_id = $1', []],
  ['a clock in an update', 'update seats set at = clock_timestamp() where organization_id = $1', ['volatile-in-write']],
  ['a clock in a deletion', 'delete from seats where at < clock_timestamp()', ['volatile-in-write']],
  ['a clock in RETURNING', 'insert into seats values ($1) returning clock_timestamp()', ['volatile-in-write']],
  [
    'a clock in the action of a conflict',
    'insert into seats values ($1) on conflict (id) do update set at = clock_timestamp()',
    ['volatile-in-write'],
  ],
  [
    'a clock in an update of a table that every machine has',
    'update organizations set at = clock_timestamp()',
    ['volatile-in-write'],
  ],
  ['a clock in an update of an undivided table', 'update tokens set at = clock_timestamp()', []],
  ['a clock in an inserted value', 'insert into seats values ($1, clock_timestamp())', []],
  ['a clock in a read', 'select clock_timestamp() from seats where organization_id = $1', []],
  ['a lock in one organization', 'select 1 from seats where organization_id = $1 for update', []],
  ['a lock in any organization', 'select 1 from seats where at < $1 for update', ['locks-several']],
  ['a lock in many organizations', 'select 1 from seats where organization_id = any($1) for update', ['locks-several']],
  [
    'a limit in LATERAL',
    `select 1 from licenses l, lateral (
      select 1 from seats where organization_id = l.organization_id limit 1) s where l.organization_id = $1`,
    ['lateral-limit'],
  ],
  [
    'a join by the organization',
    'select 1 from seats s join licenses l on l.organization_id = s.organization_id and l.id = s.license_id',
    [],
  ],
  ['a join USING the organization', 'select 1 from seats join licenses using (organization_id, license_id)', []],
  [
    'a join in one organization',
    'select 1 from seats s, licenses l where s.organization_id = $1 and l.organization_id = $1',
    [],
  ],
  [
    'a join by rows',
    'select 1 from seats s join licenses l on (l.organization_id, l.id) = (s.organization_id, s.id)',
    [],
  ],
  ['a join without the organization', 'select 1 from seats s join licenses l on l.id = s.id', ['join-without-column']],
  [
    'a join with one side pinned',
    'select 1 from seats s join licenses l on l.id = s.id where s.organization_id = $1',
    ['join-without-column'],
  ],
  [
    'a subquery without the organization',
    'select 1 from seats where id in (select id from licenses)',
    ['join-without-column'],
  ],
  [
    'a subquery in the same organization',
    'select 1 from seats where organization_id = $1 and id in (select id from licenses where organization_id = $1)',
    [],
  ],
  [
    'a deletion of rows that a subquery finds in the same organizations',
    'delete from seats where (organization_id, id) in (select organization_id, id from licenses where at < $1)',
    [],
  ],
  ['an insertion of selected rows', 'insert into seats (organization_id) select organization_id from licenses', []],
  [
    'a join with a WITH query by the organization',
    `with l as (select organization_id, id from licenses where at < $1)
      select 1 from seats s join l on l.organization_id = s.organization_id`,
    [],
  ],
  [
    'both halves of a UNION in one organization',
    'select 1 from (select organization_id from seats union all select organization_id from licenses) u where organization_id = $1',
    [],
  ],
  [
    'halves of a UNION in different organizations',
    'select 1 from seats where organization_id = $1 union all select 1 from licenses',
    ['join-without-column'],
  ],
  ['a join with a table that every machine has', 'select 1 from seats s join organizations o on o.id = s.owner_id', []],
];

describe('the rules for divided tables', () => {
  it.each(STATEMENTS)('judge %s', (_, sql, faults) => {
    expect(faultsOf(sql, PLACEMENTS)).toEqual(faults);
  });
});

describe('a table', () => {
  it.each([
    ['is divided if all its keys include the organization', [true, false, []], 'distributed'],
    ['stays if one of them does not', [true, false, ['seats_token']], 'local'],
    ['stays if its rows may lack an organization', [true, true, []], 'local'],
    ['is on every machine if it belongs to no organization', [false, false, ['plans_pkey']], 'reference'],
  ] as const)('%s', (_, [has_organization, is_nullable, indexes], kind) => {
    expect(placementOf({ has_organization, is_nullable, indexes_without: [...indexes] }).kind).toBe(kind);
  });
});
