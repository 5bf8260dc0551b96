-- Whoever has no subscription has the rate limits of the best license that the operator issued to them. An organization's
-- tier stays the one that counts, so that looking a token up costs what it did; these two say where it comes from.
alter table organizations
  -- Of the best live subscription; null without one.
  add column subscription_tier text check (subscription_tier in ('free', 'pro', 'enterprise')),
  -- Of the best license from the operator that is not revoked; null without one.
  add column license_tier text check (license_tier in ('free', 'pro', 'enterprise'));

-- Null for the license of a subscription, whose plan says it.
alter table licenses add column tier text check (tier in ('free', 'pro', 'enterprise'));

update licenses set tier = 'pro' where subscription_id is null;

update organizations o set subscription_tier = o.tier
where exists (select from subscriptions s where s.organization_id = o.id and s.status in ('active', 'past_due'));

update organizations o set license_tier = 'pro'
where exists (select from licenses l where l.organization_id = o.id and l.tier is not null and l.state <> 'revoked');

update organizations set tier = coalesce(subscription_tier, license_tier, 'free')
where tier <> coalesce(subscription_tier, license_tier, 'free');
