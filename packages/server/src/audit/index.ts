export { type AuditEntryRow, listAuditEntries } from './queries.ts';
export { type AuditActor, actorOf, recordAudit, strangerOf } from './record-audit.ts';
