import type { Clock } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { signJwt } from '../license-tokens/license-token.ts';
import type { SigningKeys } from '../license-tokens/signing-keys.ts';
import { listRevocations } from './queries.ts';

/** The dependencies of the list. */
interface RevocationTools {
  clock: Clock;
  database: Queries;
  settings: { baseUrl: string };
  signingKeys: SigningKeys;
}

/** The list of revocations as a signed JWT. It is signed again after a change, and once a minute. */
export class RevocationList {
  #last: { ids: string; keyId: string; issuedMs: number; jwt: Promise<string> } | undefined;

  async get({ clock, database, settings, signingKeys }: RevocationTools): Promise<string> {
    const nowMs = clock.nowMs();
    const revoked = (await listRevocations(database, { now: nowMs })).map((row) => row.id);
    const key = await signingKeys.active();
    const ids = revoked.join(' ');
    const last = this.#last;
    const isFresh = last !== undefined && nowMs >= last.issuedMs && nowMs - last.issuedMs < SIGNED_AGAIN_AFTER_MS;
    if (isFresh && last.ids === ids && last.keyId === key.id) {
      return last.jwt;
    }
    const iat = Math.floor(nowMs / 1000);
    const claims = { iss: settings.baseUrl, iat, exp: iat + LIFE_SECONDS, revoked };
    const jwt = signJwt(key.privateKey, { typ: 'revocations+jwt', keyId: key.id, claims });
    this.#last = { ids, keyId: key.id, issuedMs: nowMs, jwt };
    return jwt;
  }
}

const LIFE_SECONDS = 86_400;
const SIGNED_AGAIN_AFTER_MS = 60_000;
