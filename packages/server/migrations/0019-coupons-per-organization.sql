-- How often one organization can redeem a coupon. What was redeemed before counts.
alter table coupons
  add column max_redemptions_per_organization integer not null default 1 check (max_redemptions_per_organization > 0);

-- How often it did: by the subscriptions that hold the coupon.
create index subscriptions_of_coupon_in_organization on subscriptions (organization_id, coupon_id)
  where coupon_id is not null;
