-- Transactions commit in another order than their events' ids. By these, a reader knows which events it may have missed: the
-- transaction that wrote an event, and the oldest that was unfinished then. Events of before have neither, and are not new.
alter table events add column written_by xid8, add column oldest_unfinished xid8;
alter table events
  alter column written_by set default pg_current_xact_id(),
  alter column oldest_unfinished set default pg_snapshot_xmin(pg_current_snapshot());
