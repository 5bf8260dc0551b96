import { setTimeout } from 'node:timers/promises';
import { systemClock } from '../../clock/index.ts';
import {
  type Database,
  listMasterKeyHolders,
  listMasterKeys,
  lockInstallation,
  type MasterKeyHolder,
  type Queries,
  reencryptColumn,
  updateMasterKeyCompleted,
  updateOtherMasterKeysInactive,
  upsertActiveMasterKey,
} from '../../database/index.ts';
import { keyIdOf, type MasterKey, newMasterKey, readMasterKeyFile, writeMasterKeyFile } from '../../security/index.ts';
import type { Installation } from '../connect-installation.ts';
import { CIPHERTEXTS } from './ciphertexts.ts';
import { recordKey } from './record-key.ts';

/** The databases of an installation, which share the master key: production first, and the sandbox unless it is off. */
export type Environments = readonly Installation[];

export interface Rotation {
  keyId: string;
  /** How many ciphertexts were re-encrypted; those of an earlier, interrupted run are not counted again. */
  reencrypted: number;
}

/**
 * Replaces the master key while the service runs: the new key is added to the ring, encrypts after every process holds
 * it, and everything is re-encrypted under it in portions. The next run resumes an interrupted one. The old key stays
 * in the ring until `removeRetiredKeys`.
 * @param patienceMs how long to wait for processes to load the new key.
 */
export async function rotateMasterKey(environments: Environments, patienceMs = PATIENCE_MS): Promise<Rotation> {
  const keyId = await addKey(environments);
  for (const { database, masterKey } of environments) {
    masterKey.refresh();
    await waitForHolders(database, patienceMs, (holder) => holder.key_ids.includes(keyId));
    await activate(database, masterKey, keyId);
  }
  let reencrypted = 0;
  for (const { database, masterKey } of environments) {
    await waitForHolders(database, patienceMs, (holder) => holder.active_key_id === keyId);
    for (const column of CIPHERTEXTS) {
      reencrypted += await reencryptColumn(database, masterKey, column);
    }
    await database.transaction((tx) => complete(tx, keyId));
  }
  return { keyId, reencrypted };
}

const PATIENCE_MS = 30_000;

/** A process that was silent for longer has ended, or reads the keys first when it resumes. */
const SILENCE_SECONDS = 20;

/** The key to rotate to: that of an interrupted run, the newest of the setting, or a new one in the key file. */
async function addKey(environments: Environments): Promise<string> {
  const [first] = environments;
  if (first === undefined) {
    throw new Error('there is no database to rotate the key of');
  }
  const { config } = first;
  if (config.masterKey !== undefined) {
    return requireNewKey(environments, config.masterKey);
  }
  // The row is locked while the file is changed. A run that dies in between leaves a key that the next run finds there.
  return first.database.transaction(async (tx) => {
    await lockInstallation(tx);
    const kept = readMasterKeyFile(config.dataDir) ?? [];
    const [newest] = kept;
    if (newest === undefined) {
      throw new Error('The master key was not found in SEATHOLD_MASTER_KEY or in the data folder.');
    }
    if (!(await isDone(environments, keyIdOf(newest)))) {
      return keyIdOf(newest);
    }
    const made = newMasterKey();
    await writeMasterKeyFile(config.dataDir, [made, ...kept]);
    return keyIdOf(made);
  });
}

async function requireNewKey(environments: Environments, keys: readonly Buffer[]): Promise<string> {
  const [newest] = keys;
  if (newest === undefined || (await isDone(environments, keyIdOf(newest)))) {
    throw new Error(
      'SEATHOLD_MASTER_KEY begins with the key that is in use. Put a new key before it, separated by a comma (to generate one, run: openssl rand -base64 32), restart each process with both keys, and run this again.',
    );
  }
  return keyIdOf(newest);
}

/** Whether this key is active everywhere, and everything is encrypted under it. */
async function isDone(environments: Environments, keyId: string): Promise<boolean> {
  for (const { database } of environments) {
    const rows = await listMasterKeys(database);
    if (!rows.some((row) => row.key_id === keyId && row.is_active && row.completed_at !== null)) {
      return false;
    }
  }
  return true;
}

async function activate(database: Database, masterKey: MasterKey, keyId: string): Promise<void> {
  const rows = await listMasterKeys(database);
  if (!rows.some((row) => row.key_id === keyId && row.is_active)) {
    await database.transaction(async (tx) => {
      await lockInstallation(tx);
      await updateOtherMasterKeysInactive(tx, { keyId });
      await upsertActiveMasterKey(tx, { keyId, atMs: systemClock.nowMs() });
      const before = rows.filter((row) => row.is_active).map((row) => row.key_id);
      await recordKey(tx, 'master_key.activated', keyId, { key_ids: before });
    });
  }
  if (!masterKey.activate(keyId)) {
    throw new Error(`the master key ${keyId} is missing`);
  }
}

/** Records that everything is encrypted under the key. A second run without work is not recorded. */
async function complete(tx: Queries, keyId: string): Promise<void> {
  if ((await updateMasterKeyCompleted(tx, { keyId, atMs: systemClock.nowMs() })) > 0) {
    await recordKey(tx, 'master_key.rotated', keyId);
  }
}

async function waitForHolders(
  database: Database,
  patienceMs: number,
  isReady: (holder: MasterKeyHolder) => boolean,
): Promise<void> {
  for (const givenUp = AbortSignal.timeout(patienceMs); ; ) {
    const holders = await listMasterKeyHolders(database, { withinSeconds: SILENCE_SECONDS });
    const lagging = holders.filter((holder) => !isReady(holder));
    if (lagging.length === 0) {
      return;
    }
    if (givenUp.aborted) {
      throw new Error(
        `${lagging.length} of ${holders.length} running processes do not have the new master key. Give it to each of them (SEATHOLD_MASTER_KEY with both keys, or a copy of master.key), and run this again. Nothing is lost.`,
      );
    }
    await setTimeout(POLL_MS);
  }
}

const POLL_MS = 250;
