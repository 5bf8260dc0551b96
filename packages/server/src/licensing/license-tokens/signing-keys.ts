import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { type AuditActor, INSTALLATION, recordAudit } from '../../audit/index.ts';
import { defineEncryptedColumn, type EncryptedColumn, type Queries } from '../../database/index.ts';
import { newId } from '../../ids/index.ts';
import type { MasterKey } from '../../security/index.ts';
import { insertSigningKey, listSigningKeys, type SigningKeyRow, updateSigningKeyRetired } from './queries.ts';

/** A key that signs license tokens, or has signed tokens still in use. */
export interface SigningKey {
  id: string;
  publicKeyPem: string;
  /** As a JSON Web Key (RFC 7517) with kid, use and alg. */
  jwk: Readonly<Record<string, unknown>>;
  isActive: boolean;
  privateKey: KeyObject;
}

/**
 * The signing keys of one environment, read from the database and decrypted with the master key. A rotation by another
 * process is noticed within seconds. Until then the old key continues to sign, which every client still accepts.
 */
export class SigningKeys {
  readonly #database: Queries;
  readonly #masterKey: MasterKey;
  readonly #tokenLifeSeconds: number;
  #keys: readonly SigningKey[] = [];
  #readAtMs = Number.NEGATIVE_INFINITY;
  #reading: Promise<readonly SigningKey[]> | undefined;

  constructor(database: Queries, masterKey: MasterKey, tokenLifeSeconds: number) {
    this.#database = database;
    this.#masterKey = masterKey;
    this.#tokenLifeSeconds = tokenLifeSeconds;
  }

  /**
   * The key that signs now. The first call creates one. A caller in a transaction passes it, because a second
   * connection could deadlock the pool.
   */
  async active(queries: Queries = this.#database): Promise<SigningKey> {
    const keys = queries.inTransaction ? await this.#publishedIn(queries) : await this.published();
    const active = keys.find((key) => key.isActive);
    if (active === undefined) {
      throw new Error('there is no active signing key');
    }
    return active;
  }

  /** All keys in use: the active one, and those whose tokens may still be valid. */
  async published(): Promise<readonly SigningKey[]> {
    return this.#isFresh() ? this.#keys : this.#read(false);
  }

  /** The key that a stored token was signed with. */
  async byId(id: string): Promise<SigningKey> {
    const find = (keys: readonly SigningKey[]) => keys.find((key) => key.id === id);
    const key = find(await this.published()) ?? find(await this.#read(true));
    if (key === undefined) {
      throw new Error(`the signing key ${id} is gone`);
    }
    return key;
  }

  /** Makes a new key the active one, and records it. The old one stays published until its last token has expired. */
  async rotate(by: Omit<AuditActor, 'organizationId'>): Promise<SigningKey> {
    const made = await makeKey(this.#masterKey);
    await this.#database.transaction(async (tx) => {
      await updateSigningKeyRetired(tx);
      await insertSigningKey(tx, made);
      const entry = { action: 'signing_key.rotated', targetType: 'signing_key', targetId: made.id };
      await recordAudit(tx, { ...by, organizationId: INSTALLATION }, entry);
    });
    await this.#read(true);
    return this.active();
  }

  async #read(isForced: boolean): Promise<readonly SigningKey[]> {
    if (this.#reading === undefined || isForced) {
      this.#reading = this.#readNow().finally(() => {
        this.#reading = undefined;
      });
    }
    return this.#reading;
  }

  async #readNow(): Promise<readonly SigningKey[]> {
    this.#keys = this.#decrypt(await this.#list(this.#database));
    this.#readAtMs = performance.now();
    return this.#keys;
  }

  /** Neither shared nor cached, because a key created in a transaction is gone if it rolls back. */
  async #publishedIn(tx: Queries): Promise<readonly SigningKey[]> {
    return this.#isFresh() ? this.#keys : this.#decrypt(await this.#list(tx));
  }

  #isFresh(): boolean {
    return this.#keys.some((key) => key.isActive) && performance.now() - this.#readAtMs < REREAD_MS;
  }

  /** Two processes that start together both create a first key. The unique index lets one of them win. */
  async #list(queries: Queries): Promise<readonly SigningKeyRow[]> {
    const rows = await listSigningKeys(queries, { tokenLifeSeconds: this.#tokenLifeSeconds });
    if (rows.some((row) => row.is_active)) {
      return rows;
    }
    const made = await makeKey(this.#masterKey);
    await insertSigningKey(queries, made);
    return listSigningKeys(queries, { tokenLifeSeconds: this.#tokenLifeSeconds });
  }

  #decrypt(rows: readonly SigningKeyRow[]): readonly SigningKey[] {
    return rows.map(
      (row) =>
        this.#keys.find((key) => key.id === row.id && key.isActive === row.is_active) ??
        decryptKey(row, this.#masterKey),
    );
  }
}

const REREAD_MS = 2_000;
const PURPOSE = 'license-signing-keys';

/** The encrypted columns of this room. */
export const LICENSING_CIPHERTEXTS: readonly EncryptedColumn[] = [
  defineEncryptedColumn({
    table: 'license_signing_keys',
    column: 'private_key',
    key: [['id', 'text']],
    purpose: PURPOSE,
    contextOf: ([id]) => String(id),
  }),
];

const makeKeyPair = promisify(generateKeyPair);

/** 2048 bits: 3072 would make signing in every acquire six times as slow. */
async function makeKey(masterKey: MasterKey): Promise<{ id: string; publicKeyPem: string; encrypted: Buffer }> {
  const { publicKey, privateKey } = await makeKeyPair('rsa', { modulusLength: 2048 });
  const id = newId('signingKey');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return {
    id,
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    encrypted: masterKey.encrypt(PURPOSE, id, pem),
  };
}

function decryptKey(row: SigningKeyRow, masterKey: MasterKey): SigningKey {
  const jwk = createPublicKey(row.public_key).export({ format: 'jwk' });
  return {
    id: row.id,
    publicKeyPem: row.public_key,
    jwk: { ...jwk, kid: row.id, use: 'sig', alg: 'RS256' },
    isActive: row.is_active,
    privateKey: createPrivateKey(masterKey.decrypt(PURPOSE, row.id, row.private_key)),
  };
}
