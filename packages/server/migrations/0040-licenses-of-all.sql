-- For the vendor's people, who look for a license without knowing its organization.
create index licenses_of_all_by_creation on licenses (created_at, id);
create index licenses_of_all_by_product on licenses (product, created_at, id);
create index licenses_of_all_by_key on licenses (key);
create index licenses_of_all_by_external_id on licenses (external_id, created_at, id) where external_id is not null;
create index licenses_of_all_not_active on licenses (state, created_at, id) where state <> 'active';
