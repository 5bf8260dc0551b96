import { AUDIT_LOG_LIST, OPERATOR_AUDIT_LOG_LIST } from '../../audit/index.ts';
import { ACCESS, defineRoute, type Route } from '../../http/index.ts';
import { MEMBER_EXAMPLE } from '../events.ts';
import { listAuditLog } from './list-audit-log.ts';
import { listOperatorAuditLog } from './list-operator-audit-log.ts';
import { AuditLogEntry, OperatorAuditLogEntry } from './schemas.ts';

/** The endpoints that read the audit log. There are no others, because entries are only ever added. */
export function auditLogRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/audit-log',
      operationId: 'listAuditLog',
      tag: 'Audit log',
      summary: 'List audit log entries',
      description:
        'Shows who did what in the organization, and from which IP address. Entries cannot be changed or deleted.',
      access: ACCESS.readAdministration,
      list: AUDIT_LOG_LIST,
      status: 200,
      response: AuditLogEntry,
      errors: {},
      example: { data: [EXAMPLE] },
      handle: (context, { page }) => listAuditLog(context, page),
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/operator/audit-log',
      operationId: 'listOperatorAuditLog',
      tag: 'Operator',
      summary: 'List audit log entries across organizations',
      description:
        'Shows who did what in every organization, and to the installation itself (`organization_id=installation`). `actor` is the ID of a user or an operator token, or the email address of a user.',
      access: ACCESS.staffRead,
      list: OPERATOR_AUDIT_LOG_LIST,
      status: 200,
      response: OperatorAuditLogEntry,
      errors: {},
      example: { data: [OPERATOR_EXAMPLE] },
      handle: (context, { page }) => listOperatorAuditLog(context, page),
    }),
  ];
}

const EXAMPLE = {
  id: 'audit_01kagt2m8xf3q9wz5r7e6b4c1n',
  action: 'member.role_changed',
  actor: {
    type: 'user',
    id: 'usr_01kagt2m8xf3q9wz5r7e6b4c1f',
    email: null,
    user_id: 'usr_01kagt2m8xf3q9wz5r7e6b4c1f',
    credential: { kind: 'session', id: 'login_01kagt2m8xf3q9wz5r7e6b4c1p' },
  },
  request_id: 'req_01kagt2m8xf3q9wz5r7e6b4c1q',
  client_address: '198.51.100.7',
  target: { type: 'member', id: MEMBER_EXAMPLE.user_id },
  before: MEMBER_EXAMPLE,
  after: { ...MEMBER_EXAMPLE, role: 'billing' },
  created_at: '2026-01-31T12:00:00.000Z',
};

const OPERATOR_EXAMPLE = {
  organization_id: 'org_01k9m2v5x8e4bt3q6r7s8t9vwx',
  ...EXAMPLE,
  actor: { ...EXAMPLE.actor, email: 'ada@example.com' },
};
