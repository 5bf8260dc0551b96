import { INSTALLATION, OPERATOR_COMMAND, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';

/** Records a command on a master key in the audit log of one environment, with key IDs, which are not secret. */
export async function recordKey(
  tx: Queries,
  action: `master_key.${'activated' | 'rotated' | 'removed'}`,
  keyId: string,
  before?: { key_ids: readonly string[] },
): Promise<void> {
  await recordAudit(
    tx,
    { ...OPERATOR_COMMAND, organizationId: INSTALLATION },
    { action, targetType: 'master_key', targetId: keyId, ...(before === undefined ? {} : { before }) },
  );
}
