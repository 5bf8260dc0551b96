import { decryptText, deriveKey, encryptText } from './ciphertext.ts';

/** The derived keys of a database, which outlive a rotation of the master key. */
export interface DerivedKeys {
  /** Keys from before derived keys were stored, in base64, by purpose. */
  legacy: Readonly<Record<string, string>>;
  /** The root that every other purpose derives its key from, in base64. */
  root: string;
}

/**
 * The server's master key: everything that must be stored and read back (signing keys, stored responses) is encrypted
 * under keys derived from it, one per purpose, so that no two uses share a key (HKDF, RFC 5869). During a rotation it
 * is a ring: one key encrypts, and each ciphertext names the key that decrypts it.
 */
export class MasterKey {
  readonly #secrets = new Map<string, Buffer>();
  readonly #purposeKeys = new Map<string, Buffer>();
  readonly #reread: () => readonly Buffer[];
  #derived: DerivedKeys | undefined;
  #activeId: string;

  /**
   * @param secrets 32 random bytes, or several of them, the newest first.
   * @param reread Reads the secrets again from their source, for a key that was added since.
   */
  constructor(secrets: Buffer | readonly Buffer[], reread: () => readonly Buffer[] = () => []) {
    this.#reread = reread;
    const all = Buffer.isBuffer(secrets) ? [secrets] : secrets;
    this.#add(all);
    const [newest] = all;
    if (newest === undefined) {
      throw new Error('there is no master key');
    }
    this.#activeId = keyIdOf(newest);
  }

  /** The same keys for one database, which decides which of them encrypts. */
  forDatabase(): MasterKey {
    return new MasterKey([...this.#secrets.values()], this.#reread);
  }

  /** The identifiers of the held keys, newest first, as given. */
  get keyIds(): readonly string[] {
    return [...this.#secrets.keys()];
  }

  /** The identifier of the key that encrypts. */
  get activeId(): string {
    return this.#activeId;
  }

  /** The header of every ciphertext under the active key. */
  get activeHeader(): Buffer {
    return headerOf(this.#activeId);
  }

  /** Makes this key the active one. Returns false if it is not held, even after reading the keys again. */
  activate(keyId: string): boolean {
    if (this.#secretOf(keyId) === undefined) {
      return false;
    }
    this.#activeId = keyId;
    return true;
  }

  /** Reads the keys again from their source, to load added ones. */
  refresh(): void {
    this.#add(this.#reread());
  }

  /** Makes `deriveKey` return these from now on, regardless of the active key. */
  useDerivedKeys(derived: DerivedKeys): void {
    this.#derived = derived;
    this.#purposeKeys.clear();
  }

  /** A separate 32-byte key for one purpose other than encryption, for example `cursors`. It outlives rotations. */
  deriveKey(purpose: string): Buffer {
    const legacy = this.#derived?.legacy[purpose];
    if (legacy !== undefined) {
      const known = this.#purposeKeys.get(`legacy ${purpose}`) ?? Buffer.from(legacy, 'base64');
      this.#purposeKeys.set(`legacy ${purpose}`, known);
      return known;
    }
    return this.#derived === undefined
      ? this.#keyOf(this.#activeId, purpose)
      : this.#remember(`root ${purpose}`, Buffer.from(this.#derived.root, 'base64'), purpose);
  }

  /** A key derived directly from the master key with this identifier, for one purpose. */
  deriveKeyOf(keyId: string, purpose: string): Buffer {
    return this.#keyOf(keyId, purpose);
  }

  /** Encrypts for one purpose and one `context`, for example a row's ID: neither can be swapped afterwards. */
  encrypt(purpose: string, context: string, plain: string): Buffer {
    const header = this.activeHeader;
    return Buffer.concat([header, encryptText(this.#keyOf(this.#activeId, purpose), bind(header, context), plain)]);
  }

  /** The reverse of `encrypt`. Throws if the key, the purpose, the context or a single bit differs. */
  decrypt(purpose: string, context: string, sealed: Buffer): string {
    return this.decryptNamed(purpose, context, sealed).plain;
  }

  /** The same, with the key it was encrypted under. */
  decryptNamed(purpose: string, context: string, sealed: Buffer): { plain: string; keyId: string } {
    const keyId = findKeyId(sealed);
    if (keyId !== undefined && this.#secretOf(keyId) !== undefined) {
      const header = headerOf(keyId);
      const plain = decryptText(
        this.#keyOf(keyId, purpose),
        bind(header, context),
        sealed.subarray(CIPHERTEXT_HEADER_BYTES),
      );
      return { plain, keyId };
    }
    return this.#decryptUnnamed(purpose, context, sealed, keyId);
  }

  /** Ciphertexts from before key identifiers name no key, so each held key is tried. */
  #decryptUnnamed(purpose: string, context: string, sealed: Buffer, namedId: string | undefined) {
    let failure: unknown;
    for (const keyId of this.#secrets.keys()) {
      try {
        return { plain: decryptText(this.#keyOf(keyId, purpose), context, sealed), keyId };
      } catch (error) {
        failure = error;
      }
    }
    if (namedId !== undefined) {
      throw new Error(`the master key ${namedId} is not held by this process`, { cause: failure });
    }
    throw failure;
  }

  #secretOf(keyId: string): Buffer | undefined {
    if (!this.#secrets.has(keyId)) {
      this.refresh();
    }
    return this.#secrets.get(keyId);
  }

  #keyOf(keyId: string, purpose: string): Buffer {
    const secret = this.#secretOf(keyId);
    if (secret === undefined) {
      throw new Error(`the master key ${keyId} is not held by this process`);
    }
    return this.#remember(`${keyId} ${purpose}`, secret, purpose);
  }

  #remember(name: string, secret: Buffer, purpose: string): Buffer {
    const known = this.#purposeKeys.get(name);
    if (known !== undefined) {
      return known;
    }
    const key = deriveKey(secret, purpose);
    this.#purposeKeys.set(name, key);
    return key;
  }

  #add(secrets: readonly Buffer[]): void {
    for (const secret of secrets) {
      if (secret.length !== 32) {
        throw new Error(`the master key has ${secret.length} bytes instead of 32`);
      }
      this.#secrets.set(keyIdOf(secret), secret);
    }
  }
}

/** The identifier of a master key, derived from it: 16 hexadecimal digits that reveal nothing about the key. */
export function keyIdOf(secret: Buffer): string {
  return deriveKey(secret, 'key-id').subarray(0, KEY_ID_BYTES).toString('hex');
}

/** The key that a ciphertext names; undefined if it is from before key identifiers. */
export function findKeyId(sealed: Buffer): string | undefined {
  return sealed.length > CIPHERTEXT_HEADER_BYTES && sealed.subarray(0, MAGIC.length).equals(MAGIC)
    ? sealed.subarray(MAGIC.length, CIPHERTEXT_HEADER_BYTES).toString('hex')
    : undefined;
}

/**
 * Version 1 of the envelope, then the key's identifier. An older ciphertext begins with a random nonce: the chance that
 * one looks like this header with the name of a held key is 1 in 2^96.
 */
const MAGIC = Buffer.from('shk1');
const KEY_ID_BYTES = 8;
export const CIPHERTEXT_HEADER_BYTES = MAGIC.length + KEY_ID_BYTES;

function headerOf(keyId: string): Buffer {
  return Buffer.concat([MAGIC, Buffer.from(keyId, 'hex')]);
}

/** The header is authenticated with the context, so a ciphertext cannot be relabeled. */
function bind(header: Buffer, context: string): Buffer {
  return Buffer.concat([header, Buffer.from(context)]);
}
