-- The master keys that this database's ciphertexts may name: one writes, the others only decrypt until nothing names them.
-- The key itself is never here, only its identifier, which is derived from it.
create table master_keys (
  key_id text primary key,
  is_active boolean not null,
  created_at timestamptz(3) not null,
  -- When everything had been encrypted under this key; null while that is under way.
  completed_at timestamptz(3)
);
-- Exactly one key encrypts.
create unique index master_keys_active on master_keys (is_active) where is_active;

-- What each running process has: a new key may encrypt only when every process can decrypt with it.
create table master_key_holders (
  process_id text primary key,
  key_ids text[] not null,
  active_key_id text not null,
  seen_at timestamptz(3) not null
);
create index master_key_holders_by_age on master_key_holders (seen_at);

-- The keys of stored hashes, cursors and cookies, encrypted under the master key: they outlive its rotation, since a hash
-- cannot be made again without what was hashed. Null until a process of this version first opens the database.
alter table installation add column derived_keys bytea;
