-- What the list of operator tokens is sorted and filtered by.
create index operator_tokens_by_name on operator_tokens (name, id);
create index operator_tokens_by_role on operator_tokens (role, created_at, id);
create index operator_tokens_by_role_and_name on operator_tokens (role, name, id);
