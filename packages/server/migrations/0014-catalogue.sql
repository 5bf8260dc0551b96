-- One row that whoever applies a catalogue holds, so that two of them at once come one after the other.
create table catalogue_state (
  id text primary key check (id = 'this'),
  -- When a catalogue last changed anything; null before the first.
  applied_at timestamptz(3)
);
insert into catalogue_state (id) values ('this');

create index coupons_on_offer on coupons (archived_at);

-- Whether a plan is about to be sold: a change to it waits for its payment.
create index subscriptions_of_pending_plan on subscriptions (pending_plan_id) where pending_plan_id is not null;
create index payments_in_flight_of_plan on payments ((intent ->> 'planId')) where settled_at is null;
-- Who is about to redeem a coupon.
create index payments_in_flight_of_coupon on payments ((intent ->> 'couponId'))
  where settled_at is null and intent ->> 'couponId' is not null;
