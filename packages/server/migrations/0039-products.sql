-- What is sold by the seat. A product says which features its licenses can have, and of which type, and sets defaults for
-- their policy. Licenses and plans name it by its key; nothing refers to it by a foreign key, because an older process that
-- runs beside a newer one during an upgrade issues licenses for products that it does not know.
create table products (
  key text primary key,
  name text not null,
  -- {key: {type: boolean | number | string, name}}
  features jsonb not null default '{}',
  policy jsonb not null default '{}',
  -- declared: the vendor described it, and nothing else is accepted. derived: made from the licenses and plans that name it.
  source text not null check (source in ('declared', 'derived')),
  -- Heartbeats read these two for each license that sets none itself.
  heartbeat_interval_seconds integer generated always as ((policy ->> 'heartbeat_interval')::integer) stored,
  session_timeout_seconds integer generated always as ((policy ->> 'session_timeout')::integer) stored,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

insert into products (key, name, features, source, created_at, updated_at)
select product, product,
  coalesce(jsonb_object_agg(feature, jsonb_build_object('type', type, 'name', feature)) filter (where feature is not null),
    '{}'),
  'derived', clock_timestamp(), clock_timestamp()
from (
  -- The type that most of its licenses have.
  select sold.product, f.key as feature, mode() within group (order by jsonb_typeof(f.value)) as type
  from (
    select product, features from licenses union all select product, license_features from plans
  ) sold
  left join lateral jsonb_each(sold.features) f on jsonb_typeof(f.value) in ('boolean', 'number', 'string')
  group by sold.product, f.key
) used
group by product;

-- Without allowed_users, which only a license has, and without heartbeats, which have columns of their own.
alter table plans add column policy jsonb not null default '{}';

alter table licenses
  -- What the operator set on the license itself, and what its plan sets. The columns of heartbeats hold the nearer of the two.
  add column policy jsonb not null default '{}',
  add column plan_policy jsonb not null default '{}',
  -- Who may take its seats; null for every member.
  add column allowed_users text[],
  -- The vendor's own name for it, and what the vendor keeps with it.
  add column external_id text,
  add column metadata jsonb not null default '{}';

update licenses set policy = jsonb_strip_nulls(jsonb_build_object(
  'heartbeat_interval', heartbeat_interval_seconds, 'session_timeout', session_timeout_seconds))
where subscription_id is null and coalesce(heartbeat_interval_seconds, session_timeout_seconds) is not null;

update licenses set plan_policy = jsonb_strip_nulls(jsonb_build_object(
  'heartbeat_interval', heartbeat_interval_seconds, 'session_timeout', session_timeout_seconds))
where subscription_id is not null and coalesce(heartbeat_interval_seconds, session_timeout_seconds) is not null;

create unique index licenses_external_id on licenses (organization_id, external_id) where external_id is not null;
