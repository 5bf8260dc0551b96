-- The oldest generation of Seathold that may use this database (decision 0078). Each process reads it with its sign of life,
-- and stops using the database when it is older. A migration that takes away what older processes need raises it first.
alter table service_clock add column oldest_generation integer not null default 1 check (oldest_generation > 0);
