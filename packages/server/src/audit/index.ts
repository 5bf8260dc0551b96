export {
  ACTOR_TYPES,
  type ActorType,
  AUDIT_LOG_LIST,
  type AuditEntryRow,
  OPERATOR_AUDIT_LOG_LIST,
} from './audit-log-list.ts';
export { AUDIT_ERASURES, eraseAuditDetailsOfOrganization, hasAuditEntries } from './erasure-queries.ts';
export { findLatestAct } from './queries.ts';
export {
  type AuditActor,
  type AuditEntry,
  actorOf,
  actorWithoutToken,
  INSTALLATION,
  OPERATOR_COMMAND,
  recordAudit,
  recordAuditInEach,
  staffActorOf,
} from './record-audit.ts';
export { auditRetentionJob } from './retention.ts';
