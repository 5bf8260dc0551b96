-- The numbers of each endpoint's deliveries: 1, 2, 3, … without gaps. A row is made by the first delivery that is numbered, and
-- every statement that writes deliveries counts it up, so that a number exists if and only if its delivery does. In a table of its
-- own, because it is written far more often than an endpoint's state, and read by nothing that claims attempts.
create table webhook_sequences (
  organization_id text not null,
  endpoint_id text not null,
  -- The number of the newest delivery.
  last bigint not null check (last >= 1),
  -- How many numbered deliveries retention has deleted.
  deleted bigint not null default 0 check (deleted between 0 and last),
  primary key (organization_id, endpoint_id)
) with (fillfactor = 50);

-- Null: from before there were numbers.
alter table webhook_queue add column sequence bigint;
alter table webhook_deliveries add column sequence bigint;
create unique index webhook_deliveries_by_sequence on webhook_deliveries (organization_id, endpoint_id, sequence)
  where sequence is not null;
