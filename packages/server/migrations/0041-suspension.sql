alter table organizations
  -- Set while the vendor has suspended the organization: its tokens are refused then, except to pay and to read of it.
  add column suspended_at timestamptz(3),
  add column suspension_reason text,
  -- What the vendor knows of the customer. Never shown to the customer.
  add column notes text,
  add column external_id text,
  add column metadata jsonb;
create index organizations_by_external_id on organizations (external_id) where external_id is not null;
