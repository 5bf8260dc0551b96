-- Finds the best tier among an organization's licenses, however many it has.
create index licenses_by_tier on licenses (organization_id, tier) where tier is not null and state <> 'revoked';
