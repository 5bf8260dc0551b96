import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { keyIdOf } from '../../security/index.ts';
import { BackupError, damaged } from './backup-error.ts';
import { type Entry, HEADER_NAME, type Header } from './backup-format.ts';

/** Encrypts or decrypts the entries of one backup; the header stays unchanged. */
export type Sealing = (entry: Entry) => Entry;

/** The encryption information in the header of a backup encrypted under this key. */
export function describeEncryption(backupKey: Buffer | undefined): Header['encryption'] {
  return backupKey === undefined
    ? null
    : { algorithm: 'aes-256-gcm', key_id: keyIdOf(backupKey), salt: randomBytes(32).toString('hex') };
}

/**
 * Encrypts as specified in the header, each entry bound to its name, so that none can be altered, renamed or moved to
 * another backup.
 */
export function createSealing(header: Header, backupKey: Buffer | undefined): Sealing {
  if (header.encryption === null || backupKey === undefined) {
    return (entry) => entry;
  }
  const key = keyOf(header.encryption.salt, backupKey);
  return (entry) => {
    if (entry.name === HEADER_NAME) {
      return entry;
    }
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bind(header, entry.name));
    return {
      name: entry.name,
      content: Buffer.concat([nonce, cipher.update(entry.content), cipher.final(), cipher.getAuthTag()]),
    };
  };
}

/** The reverse. Throws one clear sentence if the key is missing or wrong. */
export function createUnsealing(header: Header, backupKey: Buffer | undefined): Sealing {
  const { encryption } = header;
  if (encryption === null) {
    return (entry) => entry;
  }
  if (backupKey === undefined) {
    throw new BackupError(
      'wrong_key',
      `The backup is encrypted with the key ${encryption.key_id}. Name its file with --decrypt-with-key-file, or set SEATHOLD_BACKUP_KEY.`,
    );
  }
  if (keyIdOf(backupKey) !== encryption.key_id) {
    throw new BackupError(
      'wrong_key',
      `The backup is encrypted with the key ${encryption.key_id}, but the key given is ${keyIdOf(backupKey)}.`,
    );
  }
  const key = keyOf(encryption.salt, backupKey);
  return (entry) => (entry.name === HEADER_NAME ? entry : { ...entry, content: decrypt(key, header, entry) });
}

function decrypt(key: Buffer, header: Header, { name, content }: Entry): Buffer {
  if (content.length < NONCE_BYTES + TAG_BYTES) {
    throw damaged(`${name} is cut off`);
  }
  const decipher = createDecipheriv('aes-256-gcm', key, content.subarray(0, NONCE_BYTES))
    .setAAD(bind(header, name))
    .setAuthTag(content.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(content.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch (error) {
    throw damaged(`${name} was altered`, error);
  }
}

/** A separate key per backup, so that no nonce is reused under one key. */
function keyOf(salt: string, backupKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', backupKey, Buffer.from(salt, 'hex'), 'seathold backup', 32));
}

function bind({ id }: Header, name: string): Buffer {
  return Buffer.from(`${id}\n${name}`);
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
