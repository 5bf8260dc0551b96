-- Keys that a license had in another system. A routing table, as those of tokens: an alias leads to one license of the
-- installation, whoever asks.
create table license_key_aliases (
  alias text primary key check (char_length(alias) between 4 and 128),
  organization_id text not null,
  license_id text not null
);
create index license_key_aliases_of_license on license_key_aliases (organization_id, license_id, alias);
