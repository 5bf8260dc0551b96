export { defineEvent, type EventDefinition, typesOf } from './define-event.ts';
export { EVENT_ERASURES, EVENT_TABLES, hasEventSince } from './erasure-queries.ts';
export { countEventsSince, type EventRow, findEvent, listEventsSince } from './history-queries.ts';
export {
  type Announcement,
  type Audience,
  announcement,
  createOutbox,
  type Happening,
  type Outbox,
  type Reaction,
  reactTo,
} from './outbox.ts';
export { defineEventInsert, defineEventWriter, type WriteEvents, writeEvents } from './queries.ts';
export {
  findUnfinishedTransactions,
  listMissedEvents,
  listUnfinishedEvents,
  type UnfinishedEventRow,
} from './stream-queries.ts';
