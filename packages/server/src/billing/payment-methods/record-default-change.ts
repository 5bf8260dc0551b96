import { type AuditActor, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';
import { type MethodRow, presentMethod } from './queries.ts';

/** Records in the audit log which method was the default and which is now. */
export async function recordDefaultChange(
  tx: Queries,
  actor: AuditActor,
  before: MethodRow | undefined,
  after: MethodRow,
): Promise<void> {
  await recordAudit(tx, actor, {
    action: 'payment_method.default_changed',
    targetType: 'payment_method',
    targetId: after.id,
    ...(before === undefined ? {} : { before: presentMethod(before) }),
    after: presentMethod(after),
  });
}
