-- What was answered to requests, for the vendor's support: errors, and a sample of the rest. Identifiers only. The id begins with
-- the time, so the oldest rows are the first of the primary key.
create table request_records (
  id text primary key,
  at timestamptz(3) not null,
  method text not null,
  -- As the table of routes has it; null where there is none.
  route text,
  status integer not null,
  code text,
  duration_ms integer not null,
  organization_id text,
  user_id text
);

-- Staff name a license by its key, whichever organization has it.
create index licenses_of_key on licenses (key);
