export { type Announcement, announce, announcement } from './announce.ts';
export { defineEvent, type EventDefinition, findEventDefinition } from './define-event.ts';
