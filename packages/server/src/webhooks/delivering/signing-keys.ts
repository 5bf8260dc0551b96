import type { Logger } from '../../log/index.ts';
import type { MasterKey } from '../../security/index.ts';
import { decryptSecret } from '../signing/secrets.ts';
import { type SigningKey, signingKey } from '../signing/sign-attempt.ts';

/** One of an endpoint's secrets, as stored. */
export interface StoredSecret {
  endpoint_id: string;
  secret_id: string;
  secret: Buffer;
  is_current: boolean;
}

/** Decrypts stored secrets for signing, and caches recently used ones, because decrypting takes as long as signing. */
export class SigningKeys {
  readonly #tools: { masterKey: MasterKey; log: Logger };
  readonly #known = new Map<string, { secret: Buffer; key: SigningKey }>();

  constructor(tools: { masterKey: MasterKey; log: Logger }) {
    this.#tools = tools;
  }

  /**
   * The keys of an endpoint; none if the current one cannot be read. A damaged secret only affects its own endpoint.
   */
  get(secrets: readonly StoredSecret[]): SigningKey[] {
    const read = secrets.flatMap((each) => {
      const key = this.#read(each);
      return key === undefined ? [] : [{ isCurrent: each.is_current, key }];
    });
    return read.some((each) => each.isCurrent) ? read.map((each) => each.key) : [];
  }

  #read({ endpoint_id, secret_id: id, secret }: StoredSecret): SigningKey | undefined {
    const known = this.#known.get(id);
    if (known?.secret.equals(secret) === true) {
      return known.key;
    }
    try {
      const key = signingKey(decryptSecret(this.#tools.masterKey, id, secret));
      const [oldest] = this.#known.keys();
      if (this.#known.size >= REMEMBERED && oldest !== undefined) {
        this.#known.delete(oldest);
      }
      this.#known.set(id, { secret, key });
      return key;
    } catch {
      this.#tools.log.error({ endpoint_id, secret_id: id }, 'the secret of an endpoint cannot be read');
      return undefined;
    }
  }
}

const REMEMBERED = 2_000;
