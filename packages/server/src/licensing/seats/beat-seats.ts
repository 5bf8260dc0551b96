import { isoTime } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import type { Answer, AuthorizedContext } from '../../http/index.ts';
import { ACCESS, notFound, type Principal } from '../../http/index.ts';
import { makeClaims, signLicenseToken } from '../license-tokens/license-token.ts';
import type { LicensingState } from '../state.ts';
import {
  type BeatenRow,
  LIST_SESSION_STANDINGS,
  type SessionStandingRow,
  UPDATE_SLOTS_BEATEN,
} from './heartbeat-queries.ts';
import type { Beat, BeatItem, BeatOutcome } from './seat-items.ts';
import { heartbeatRefusal, mayTouch } from './session-refusal.ts';

/**
 * Keeps a session alive. Refused with session_timeout, session_released, license_expired, license_suspended,
 * license_revoked, forbidden or not_found.
 */
export async function heartbeatSeat(
  state: LicensingState,
  context: AuthorizedContext,
  input: { session_id: string },
): Promise<Answer<Beat>> {
  const { token, principal } = context;
  const first = itemOf(input.session_id, principal);
  let outcome = await beat(state, context, token === undefined ? first : { ...first, uncheckedTokenHash: token.hash });
  if (outcome === 'unconfirmed' && token !== undefined) {
    // The session or the token: whichever it was, the client is told of the token first.
    outcome = await beat(state, context, itemOf(input.session_id, await token.confirm()));
  }
  if (outcome === 'unconfirmed' || 'refusal' in outcome) {
    throw outcome === 'unconfirmed' ? notFound('session') : outcome.refusal;
  }
  return { data: outcome.beat };
}

function itemOf(sessionId: string, principal: Principal): BeatItem {
  const { organizationId, userId, role, clockOffsetMs } = principal;
  return { organizationId, sessionId, caller: { userId, isAdmin: role === 'admin' }, clockOffsetMs };
}

async function beat(state: LicensingState, context: AuthorizedContext, item: BeatItem): Promise<BeatOutcome> {
  return context.database.inTransaction
    ? ((await beatSeats(state, context.database, [item]))[0] ?? 'unconfirmed')
    : state.heartbeats.submit('', item);
}

/** After the commit: the answer with the fresh token, if less than half of the last one was left. */
export async function presentBeat(state: LicensingState, beat: Beat): Promise<unknown> {
  const { token, ...shown } = beat;
  if (token === undefined) {
    return shown;
  }
  const key = await state.signingKeys.byId(token.keyId);
  const licenseToken = await signLicenseToken(key.privateKey, token);
  return { ...shown, license_token: licenseToken, expires_at: isoTime(token.claims.exp * 1000) };
}

/** One batch as one statement; only those it did not find alive cost further ones. */
export async function beatSeats(
  state: LicensingState,
  database: Queries,
  items: readonly BeatItem[],
): Promise<readonly BeatOutcome[]> {
  const tokens = new TokenPlaces();
  const places = items.map((item) => tokens.placeOf(item.uncheckedTokenHash));
  const rows = await database.query(UPDATE_SLOTS_BEATEN, [
    items.map((item) => item.organizationId),
    items.map((item) => item.sessionId),
    places,
    items.map((item) => (item.caller.isAdmin ? null : item.caller.userId)),
    state.settings.seatTimeoutSeconds,
    state.settings.licenseTokenTtlSeconds,
    ACCESS.manageLicenses.scope,
    tokens.hashes,
  ]);
  const beaten = new Map(rows.map((row) => [`${row.organization_id} ${row.session_id}`, row]));
  const keyId = rows.some((row) => row.fresh_token !== null) ? (await state.signingKeys.active(database)).id : '';
  const found = items.map((item, position) => {
    const row = beaten.get(`${item.organizationId} ${item.sessionId}`);
    return row !== undefined && isFor(item, places[position] ?? null, row) ? row : undefined;
  });
  const missing = items.filter(
    (item, position) => found[position] === undefined && item.uncheckedTokenHash === undefined,
  );
  const standings = await listStandings(database, missing);
  return items.map((item, position) => {
    const row = found[position];
    if (row !== undefined) {
      return { beat: makeBeat(state, item.organizationId, keyId, row) };
    }
    const standing = standings.find(
      (each) => each.id === item.sessionId && each.organization_id === item.organizationId,
    );
    return item.uncheckedTokenHash === undefined ? { refusal: heartbeatRefusal(item.caller, standing) } : 'unconfirmed';
  });
}

/** A row answers for the caller whose token it was found with; two tokens may ask for one session in one batch. */
function isFor(item: BeatItem, place: number | null, row: BeatenRow): boolean {
  return place === null ? mayTouch(item.caller, row.user_id) : row.token_place === place;
}

/** Each token of a batch once: most of a batch often come with a few. */
class TokenPlaces {
  readonly hashes: Buffer[] = [];
  readonly #places = new Map<Buffer, number>();

  /** The place of a token, from 1 as PostgreSQL counts; the same Buffer is the same token. */
  placeOf(hash: Buffer | undefined): number | null {
    if (hash === undefined) {
      return null;
    }
    const place = this.#places.get(hash) ?? this.hashes.push(hash);
    this.#places.set(hash, place);
    return place;
  }
}

async function listStandings(database: Queries, items: readonly BeatItem[]): Promise<readonly SessionStandingRow[]> {
  return items.length === 0
    ? []
    : database.query(LIST_SESSION_STANDINGS, [
        items.map((item) => item.organizationId),
        items.map((item) => item.clockOffsetMs),
        items.map((item) => item.sessionId),
      ]);
}

function makeBeat(state: LicensingState, organizationId: string, keyId: string, row: BeatenRow): Beat {
  const interval = row.heartbeat_interval_seconds ?? state.settings.heartbeatIntervalSeconds;
  const beat: Beat = {
    session_id: row.session_id,
    status: 'active',
    next_heartbeat_due: isoTime(row.wall_ms + interval * 1000),
  };
  const fresh = row.fresh_token;
  if (fresh === null) {
    return beat;
  }
  const session = {
    id: row.session_id,
    userId: row.user_id,
    hardwareId: fresh.hardware_id,
    issued: Math.floor(fresh.issued_ms / 1000),
    expiry: Math.floor(fresh.expires_ms / 1000),
  };
  const claims = makeClaims(state.settings, organizationId, session, { ...fresh, id: fresh.license_id });
  return { ...beat, token: { keyId, claims } };
}
