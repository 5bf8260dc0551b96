import { INSTALLATION, OPERATOR_COMMAND, recordAudit } from '../../audit/index.ts';
import type { Queries } from '../../database/index.ts';

/** Adds what a command did with a master key to the audit log of one environment: keys by their ids, which are no secret. */
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
