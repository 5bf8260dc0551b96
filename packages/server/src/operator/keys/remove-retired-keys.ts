import {
  deleteInactiveMasterKeys,
  listMasterKeyHolders,
  listMasterKeys,
  lockInstallation,
  type Queries,
} from '../../database/index.ts';
import { keyIdOf, readMasterKeyFile, writeMasterKeyFile } from '../../security/index.ts';
import { countCiphertextsByKey } from './ciphertexts.ts';
import { recordKey } from './record-key.ts';
import type { Environments } from './rotate-master-key.ts';

/**
 * Removes the master keys that no longer encrypt anything, from both databases and from the key file. Throws one clear
 * sentence while anything is still encrypted under one of them, or a process may still write with it.
 */
export async function removeRetiredKeys(environments: Environments): Promise<string[]> {
  const actives = new Set<string>();
  for (const { database } of environments) {
    actives.add(await requireUnused(database));
  }
  if (actives.size !== 1) {
    throw new Error(
      'Production and sandbox use different master keys. Run `seathold keys rotate-master` until it finishes first.',
    );
  }
  const removed = new Set<string>();
  for (const { database } of environments) {
    for (const keyId of await database.transaction(removeFromDatabase)) {
      removed.add(keyId);
    }
  }
  for (const keyId of await removeFromFile(environments, actives, removed)) {
    removed.add(keyId);
  }
  return [...removed];
}

async function removeFromDatabase(tx: Queries): Promise<string[]> {
  const keyIds = (await deleteInactiveMasterKeys(tx)).map((row) => row.key_id);
  for (const keyId of keyIds) {
    await recordKey(tx, 'master_key.removed', keyId);
  }
  return keyIds;
}

/** A killed process and a hanging one look alike; after this time, it counts as dead. */
const SILENCE_SECONDS = 600;

async function requireUnused(database: Queries): Promise<string> {
  const active = (await listMasterKeys(database)).find((row) => row.is_active);
  if (active === undefined || active.completed_at === null) {
    throw new Error('The master key rotation is not finished. Run `seathold keys rotate-master` first.');
  }
  const holders = await listMasterKeyHolders(database, { withinSeconds: SILENCE_SECONDS });
  const lagging = holders.filter((holder) => holder.active_key_id !== active.key_id);
  if (lagging.length > 0) {
    throw new Error(`${lagging.length} processes used an older master key in the last ten minutes. Try again later.`);
  }
  const left = [...(await countCiphertextsByKey(database))].filter(([keyId]) => keyId !== active.key_id);
  if (left.length > 0) {
    const counts = left.map(([keyId, count]) => `${count} under ${keyId}`).join(', ');
    throw new Error(
      `Some secrets are still encrypted with old keys (${counts}). Run \`seathold keys rotate-master\` first.`,
    );
  }
  return active.key_id;
}

/** Keys in the setting must be removed by the operator. */
async function removeFromFile(
  environments: Environments,
  actives: ReadonlySet<string>,
  recorded: ReadonlySet<string>,
): Promise<string[]> {
  const [first] = environments;
  if (first === undefined || first.config.masterKey !== undefined) {
    return [];
  }
  const { database, config } = first;
  return database.transaction(async (tx) => {
    await lockInstallation(tx);
    const kept = readMasterKeyFile(config.dataDir) ?? [];
    // A newer key than the active one was added by a rotation that has just begun.
    const at = kept.findIndex((key) => actives.has(keyIdOf(key)));
    const retired = at < 0 ? [] : kept.slice(at + 1);
    for (const keyId of retired.map(keyIdOf).filter((each) => !recorded.has(each))) {
      await recordKey(tx, 'master_key.removed', keyId);
    }
    if (retired.length > 0) {
      await writeMasterKeyFile(config.dataDir, kept.slice(0, at + 1));
    }
    return retired.map(keyIdOf);
  });
}
