export { type Announcement, announce, announcement } from './announce.ts';
export { defineEvent, type EventDefinition } from './define-event.ts';
