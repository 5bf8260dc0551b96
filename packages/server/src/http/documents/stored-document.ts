import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Coding, chooseCoding } from './choose-coding.ts';
import { entityTagOf } from './entity-tags.ts';

/** A document in one coding. */
interface Variant {
  coding: Coding;
  bytes: Buffer;
  entityTag: string;
}

interface DocumentDescription {
  contentType: string;
  /** How long clients and proxies may cache it. It is the same for everyone. */
  maxAgeSeconds: number;
  /** Its URL changes with its content, so browsers need not revalidate it before it expires. */
  isImmutable?: boolean;
  headers?: Readonly<Record<string, string>>;
}

/**
 * A document that is the same for everyone. Its bytes are stored once, and once per requested coding: the first request
 * starts the compression in the thread pool, and concurrent requests wait for the same result.
 */
export class StoredDocument {
  readonly description: DocumentDescription;
  readonly #read: () => Promise<Buffer>;
  readonly #variants = new Map<Coding, Promise<Variant>>();

  /** @param read is called once, when the document is first requested. */
  constructor(description: DocumentDescription, read: () => Promise<Buffer>) {
    this.description = description;
    this.#read = read;
  }

  static of(description: DocumentDescription, content: string | Buffer): StoredDocument {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    return new StoredDocument(description, async () => bytes);
  }

  /** The document in the coding that suits an Accept-Encoding header. */
  async in(acceptEncoding: string | undefined): Promise<Variant> {
    const identity = await this.#variant('identity', this.#readIdentity);
    const coding = identity.bytes.length < SMALL_BYTES ? 'identity' : chooseCoding(acceptEncoding);
    return coding === 'identity' ? identity : this.#variant(coding, () => compress(identity, coding));
  }

  #variant(coding: Coding, make: () => Promise<Variant>): Promise<Variant> {
    const known = this.#variants.get(coding);
    if (known !== undefined) {
      return known;
    }
    const made = make();
    this.#variants.set(coding, made);
    // A file that could not be read may exist the next time.
    made.catch(() => this.#variants.delete(coding));
    return made;
  }

  readonly #readIdentity = async (): Promise<Variant> => {
    const bytes = await this.#read();
    return { coding: 'identity', bytes, entityTag: entityTagOf(bytes) };
  };
}

/** Below this size, compression saves less than the headers take. */
const SMALL_BYTES = 512;

/** Each coding has its own tag, because a strong tag represents exact bytes. */
async function compress(identity: Variant, coding: 'br' | 'gzip'): Promise<Variant> {
  const bytes = await (coding === 'br' ? brotliOf(identity.bytes) : gzipOf(identity.bytes, { level: 9 }));
  return { coding, bytes, entityTag: identity.entityTag.replace(/"$/, `-${coding}"`) };
}

/**
 * Quality 9 compresses the reference's script (3.6 MB) in half a second; 11 is a tenth smaller but takes 15 seconds.
 */
function brotliOf(bytes: Buffer): Promise<Buffer> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return promisify(brotliCompress)(bytes, { params });
}

const gzipOf = promisify(gzip);
