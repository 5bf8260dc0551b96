-- Counts what was done under the license's lock: seats taken and ended, terms changed. A statement that finds the same number
-- in its snapshot and under the lock knows that all it has read of the license and its seats still holds.
alter table license_seat_counts add column changes bigint not null default 0;
