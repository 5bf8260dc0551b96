import { REAL_RUNTIME } from '../src/seats/real-runtime.ts';
import { SeatService } from '../src/seats/seat-service.ts';
import { ServerClock } from '../src/seats/server-clock.ts';
import type { Jwk } from '../src/seats/verify-license-token.ts';
import { VECTORS } from './keeper-vectors.ts';

/** A keeper's service, and a network that answers with one revocation list after another. */
export class ListNetwork {
  #list = '';
  #keys: readonly Jwk[] = [];
  readonly #service = new SeatService(
    {
      baseUrl: VECTORS.config.base_url,
      issuer: VECTORS.config.issuer,
      audience: VECTORS.config.audience,
      licenseKey: VECTORS.config.license_key,
      hardwareId: VECTORS.config.hardware_id,
      metadata: undefined,
      name: undefined,
      fetch: async (url) =>
        new Response(url.endsWith('.jwt') ? this.#list : JSON.stringify({ keys: this.#keys }), {
          headers: { 'content-type': url.endsWith('.jwt') ? 'application/jwt' : 'application/json' },
        }),
      token: () => undefined,
    },
    REAL_RUNTIME,
    new ServerClock(REAL_RUNTIME.now()),
    { keys: [], revocations: undefined },
  );

  /** The IDs that the keeper treats as revoked after it has fetched this list. */
  async take(list: string, keys: readonly Jwk[]): Promise<string[]> {
    this.#list = list;
    this.#keys = keys;
    this.#service.memory.keys = keys;
    const outcome = await this.#service.perform({ kind: 'revocations' }, false, new AbortController().signal);
    if (outcome.kind !== 'listed') {
      throw new Error(`the list was not taken: ${JSON.stringify(outcome)}`);
    }
    return [...outcome.revoked];
  }
}
