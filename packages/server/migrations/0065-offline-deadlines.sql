-- How long the service had been away in all when the deadline of an offline seat was computed, in milliseconds. An outage since
-- then has moved its end, and only such seats are read to bring it back. Seats of earlier versions have -1: not known.
alter table seat_slots add column offline_away_ms bigint not null default -1;
-- Heartbeats change neither column while a seat is online or offline, so they stay out of the index.
create index seat_slots_offline_moved on seat_slots (offline_away_ms) where offline_until is not null;
