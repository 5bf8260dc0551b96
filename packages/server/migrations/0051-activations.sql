-- Machines that were activated with a license key alone: programs of people who have no account.
create table license_activations (
  organization_id text not null,
  id text not null,
  license_id text not null,
  hardware_id text not null,
  name text,
  -- SHA-256 of the activation token.
  token_hash bytea not null,
  created_at timestamptz(3) not null,
  -- When its token was last made.
  activated_at timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, license_id) references licenses
);
create unique index license_activations_machine on license_activations (organization_id, license_id, hardware_id);
create index license_activations_by_creation on license_activations (organization_id, license_id, created_at, id);
create index license_activations_by_token on license_activations (token_hash);
