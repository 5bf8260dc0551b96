export { defineEvent, type EventDefinition } from './define-event.ts';
export { type Announcement, announcement, type Outbox, openOutbox, type Reaction, reactTo } from './outbox.ts';
