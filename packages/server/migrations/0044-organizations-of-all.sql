-- For the vendor's people, who look through all organizations. Names begin with what was typed, in any case: in this collation
-- an index finds beginnings, and sorts.
create index organizations_of_all on organizations (created_at, id) where deleted_at is null;
create index organizations_by_name on organizations (lower(name) collate "C", id) where deleted_at is null;
create index organizations_suspended on organizations (created_at, id)
  where suspended_at is not null and deleted_at is null;
