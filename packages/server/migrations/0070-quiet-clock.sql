-- One row, updated twice a second. Its statistics never help, but each analysis made every connection plan all statements with
-- this table again: almost all that acquire, release or keep seats. Updates stay within their page, so a vacuum is rarely needed.
alter table service_clock set (autovacuum_vacuum_threshold = 20000, autovacuum_analyze_threshold = 2000000000);

-- A few rows, updated every two seconds. The index on the time made each update write to both indexes.
drop index master_key_holders_by_age;
alter table master_key_holders set (fillfactor = 50, autovacuum_vacuum_threshold = 20000,
  autovacuum_analyze_threshold = 2000000000);
