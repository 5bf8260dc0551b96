import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/**
 * The server's master key: everything that must be kept and read back (signing keys, kept answers) is encrypted under
 * keys derived from it, one per purpose, so that no two uses share a key (HKDF, RFC 5869).
 */
export class MasterKey {
  readonly #secret: Buffer;
  readonly #keys = new Map<string, Buffer>();

  /** @param secret 32 random bytes. */
  constructor(secret: Buffer) {
    if (secret.length !== 32) {
      throw new Error(`the master key has ${secret.length} bytes instead of 32`);
    }
    this.#secret = secret;
  }

  /** A 32-byte key of its own for one purpose, for example `cursors`. */
  deriveKey(purpose: string): Buffer {
    const known = this.#keys.get(purpose);
    if (known !== undefined) {
      return known;
    }
    const key = deriveKey(this.#secret, purpose);
    this.#keys.set(purpose, key);
    return key;
  }

  /** Encrypts for one purpose and one place (`context`, for example a row's id): neither can be swapped afterwards. */
  encrypt(purpose: string, context: string, plain: string): Buffer {
    return encryptText(this.deriveKey(purpose), context, plain);
  }

  /** The reverse of `encrypt`. Throws when the key, the purpose, the context or a single bit differs. */
  decrypt(purpose: string, context: string, sealed: Buffer): string {
    return decryptText(this.deriveKey(purpose), context, sealed);
  }
}

/** A 32-byte key derived from a secret that is itself random, for one purpose (HKDF-SHA-256, RFC 5869). */
export function deriveKey(secret: Buffer | string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'seathold', purpose, 32));
}

/** AES-256-GCM with a random 96-bit nonce (NIST SP 800-38D): nonce, tag, ciphertext. */
export function encryptText(key: Buffer, context: string, plain: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
}

/** The reverse of `encryptText`; throws when anything was changed. */
export function decryptText(key: Buffer, context: string, sealed: Buffer): string {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
  return decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
