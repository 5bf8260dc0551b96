export { AUDIT_ERASURES, eraseAuditDetailsOfOrganization } from './erasure-queries.ts';
export { type AuditEntryRow, listAuditEntries } from './queries.ts';
export {
  type AuditActor,
  type AuditEntry,
  actorOf,
  INSTALLATION,
  OPERATOR_COMMAND,
  recordAudit,
  recordAuditInEach,
  strangerOf,
} from './record-audit.ts';
export { auditRetentionJob } from './retention.ts';
