-- Mails to be sent, written in the transaction of what they tell. A row goes when its mail was handed over.
create table outgoing_mails (
  id text primary key,
  recipient text not null,
  kind text not null,
  -- Subject and text as JSON, encrypted under the master key since some hold a secret; null once it was given up.
  content bytea,
  created_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  attempts integer not null default 0 check (attempts >= 0),
  -- Who is sending it now; only the holder of the claim may finish it.
  claim_id text,
  gave_up_at timestamptz(3),
  last_error text
);
create index outgoing_mails_due on outgoing_mails (due_at) where gave_up_at is null;
create index outgoing_mails_given_up on outgoing_mails (gave_up_at) where gave_up_at is not null;

-- The mails of one kind that were queued for one recipient of late: beyond ten within an hour there are no more. Outside
-- outgoing_mails, whose rows go when they are sent.
create table mail_counts (
  recipient text not null,
  kind text not null,
  -- The last ten times, the oldest first.
  queued_at timestamptz(3)[] not null,
  last_queued_at timestamptz(3) not null,
  primary key (recipient, kind)
);
create index mail_counts_over on mail_counts (last_queued_at);

-- Who did what, from where, with which credential. Rows are only ever added.
create table audit_entries (
  organization_id text not null,
  id text not null,
  action text not null,
  -- Null where nobody was logged in: a reset by mail, the operator's command, the service itself.
  actor_user_id text,
  credential_kind text not null check (credential_kind in ('session', 'api', 'oauth', 'none', 'operator')),
  credential_id text,
  request_id text,
  client_address text,
  target_type text not null,
  target_id text not null,
  before jsonb,
  after jsonb,
  created_at timestamptz(3) not null,
  primary key (organization_id, id)
);
create index audit_entries_by_creation on audit_entries (organization_id, created_at, id);
create index audit_entries_by_action on audit_entries (organization_id, action, created_at, id);
create index audit_entries_by_name on audit_entries (organization_id, action, id);
create index audit_entries_by_actor on audit_entries (organization_id, actor_user_id, created_at, id);
create index audit_entries_by_target on audit_entries (organization_id, target_id, created_at, id);
