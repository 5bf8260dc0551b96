import type { Config } from '../../config/index.ts';
import { keyIdOf, MasterKey, readMasterKeyFile, readMasterKeys } from '../../security/index.ts';
import { BackupError } from './backup-error.ts';

/** The key that encrypts or decrypts a backup: from a given file, otherwise from the setting; undefined if there is none. */
export function findBackupKey({ backupKey }: Pick<Config, 'backupKey'>, file: string | undefined): Buffer | undefined {
  if (file === undefined) {
    return backupKey;
  }
  const [key, ...others] = requireKeyFile(file);
  if (key === undefined || others.length > 0) {
    throw new BackupError('invalid_argument', `${file} contains ${others.length + 1} keys instead of one.`);
  }
  return key;
}

/**
 * Throws if the key for a new backup is a master key, including one in the data folder. Reading a backup does not check
 * this, because backups encrypted with a master key may exist.
 */
export function requireOtherThan(masterKey: MasterKey, backupKey: Buffer | undefined): void {
  if (backupKey !== undefined && masterKey.keyIds.includes(keyIdOf(backupKey))) {
    throw new BackupError('invalid_argument', 'The backup key must differ from the master key.');
  }
}

/** The master keys for restoring a backup: from a given file, otherwise from the settings or the data folder. */
export function findMasterKeys(config: Config, file: string | undefined): readonly Buffer[] | undefined {
  return file === undefined ? (config.masterKey ?? readMasterKeyFile(config.dataDir)) : requireKeyFile(file);
}

/** The same, as a ring. Throws with advice if there is none. */
export function requireMasterKey(
  config: Config,
  file: string | undefined,
): { keys: readonly Buffer[]; ring: MasterKey } {
  const keys = findMasterKeys(config, file);
  if (keys === undefined) {
    throw new BackupError(
      'wrong_key',
      'Restoring needs the master key, which no backup contains. Name a copy of master.key with --master-key-file, or set SEATHOLD_MASTER_KEY.',
    );
  }
  return { keys, ring: new MasterKey(keys) };
}

function requireKeyFile(file: string): readonly Buffer[] {
  let keys: readonly Buffer[] | undefined;
  try {
    keys = readMasterKeys(file);
  } catch (error) {
    throw new BackupError(
      'invalid_argument',
      `${file} must contain a key of exactly 32 bytes in base64. To create one: openssl rand -base64 32`,
      error,
    );
  }
  if (keys === undefined) {
    throw new BackupError('not_found', `There is no key file at ${file}.`);
  }
  return keys;
}
