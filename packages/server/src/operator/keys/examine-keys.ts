import { listMasterKeys } from '../../database/index.ts';
import type { Installation } from '../connect-installation.ts';
import type { Finding } from '../finding.ts';
import { countCiphertextsByKey } from './ciphertexts.ts';

/** Which master keys are in use. An unfinished rotation or a missing key is a fault. */
export async function examineKeys({ database, masterKey }: Installation, environment: string): Promise<Finding> {
  const rows = await listMasterKeys(database);
  const counts = await countCiphertextsByKey(database);
  const keyIds = new Set([...rows.map((row) => row.key_id), ...counts.keys()]);
  const isFinished = rows.every((row) => !row.is_active || row.completed_at !== null);
  const isHeld = [...keyIds].every((keyId) => keyId === UNNAMED || masterKey.keyIds.includes(keyId));
  const uses = [...keyIds].map((keyId) => {
    const role = keyId === masterKey.activeId ? ', encrypts' : keyId === UNNAMED ? '' : ', decrypts';
    return `${keyId}${role}: ${counts.get(keyId) ?? 0} secrets`;
  });
  return {
    check: `${environment}: master keys`,
    ok: isFinished && isHeld,
    detail: [...uses, ...(isFinished ? [] : ['a rotation is not finished: run `seathold keys rotate-master`'])].join(
      '; ',
    ),
  };
}

/** Ciphertexts from before they named their key. */
const UNNAMED = 'unnamed';
