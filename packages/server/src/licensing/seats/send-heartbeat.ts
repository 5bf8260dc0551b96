import { isoTime } from '../../clock/index.ts';
import type { Queries } from '../../database/index.ts';
import { ACCESS, type Answer, type AuthorizedContext, notFound, type Principal } from '../../http/index.ts';
import { createClaims, signLicenseToken } from '../license-tokens/license-token.ts';
import type { LicensingTools } from '../licensing-tools.ts';
import {
  type HeartbeatRow,
  listSessionStatuses,
  type SessionStatusRow,
  updateHeartbeats,
} from './heartbeat-queries.ts';
import { heartbeatRefusal, mayTouch } from './refusals.ts';
import type { HeartbeatAnswer, HeartbeatItem, HeartbeatOutcome } from './seat-items.ts';

/**
 * Keeps a session alive. Throws session_timeout, session_released, license_expired, license_suspended, license_revoked,
 * forbidden or not_found.
 */
export async function sendHeartbeat(
  context: AuthorizedContext,
  tools: LicensingTools,
  input: { session_id: string },
): Promise<Answer<HeartbeatAnswer>> {
  const { token, principal } = context;
  const first = itemOf(input.session_id, principal);
  let outcome = await submit(
    context,
    tools,
    token === undefined ? first : { ...first, uncheckedTokenHash: token.hash },
  );
  if (outcome === 'unconfirmed' && token !== undefined) {
    // Either the session or the token failed. If it was the token, `confirm` throws, and that error comes first.
    outcome = await submit(context, tools, itemOf(input.session_id, await token.confirm()));
  }
  if (outcome === 'unconfirmed' || 'refusal' in outcome) {
    throw outcome === 'unconfirmed' ? notFound('session') : outcome.refusal;
  }
  return { data: outcome.answer };
}

function itemOf(sessionId: string, principal: Principal): HeartbeatItem {
  const { organizationId, userId, role, clockOffsetMs } = principal;
  return { organizationId, sessionId, caller: { userId, isAdmin: role === 'admin' }, clockOffsetMs };
}

async function submit(
  context: AuthorizedContext,
  tools: LicensingTools,
  item: HeartbeatItem,
): Promise<HeartbeatOutcome> {
  return context.database.inTransaction
    ? ((await sendHeartbeats(context.database, tools, [item]))[0] ?? 'unconfirmed')
    : tools.heartbeats.submit('', item);
}

/** The response after the commit, with a new token if less than half of the last one's lifetime was left. */
export async function presentHeartbeat(tools: LicensingTools, answer: HeartbeatAnswer): Promise<unknown> {
  const { token, ...shown } = answer;
  if (token === undefined) {
    return shown;
  }
  const key = await tools.signingKeys.byId(token.keyId);
  const licenseToken = await signLicenseToken(key.privateKey, token);
  return { ...shown, license_token: licenseToken, expires_at: isoTime(token.claims.exp * 1000) };
}

/** Runs one batch in one statement. Only sessions that are not alive cost more. */
export async function sendHeartbeats(
  database: Queries,
  tools: LicensingTools,
  items: readonly HeartbeatItem[],
): Promise<readonly HeartbeatOutcome[]> {
  const tokens = new TokenPositions();
  const positions = items.map((item) => tokens.positionOf(item.uncheckedTokenHash));
  const rows = await updateHeartbeats(database, {
    organizationIds: items.map((item) => item.organizationId),
    sessionIds: items.map((item) => item.sessionId),
    tokenPositions: positions.map((position) => position ?? 0),
    userIds: items.map((item) => (item.caller.isAdmin ? '' : item.caller.userId)),
    timeoutSeconds: tools.settings.seatTimeoutSeconds,
    tokenTtlSeconds: tools.settings.licenseTokenTtlSeconds,
    scope: ACCESS.useSeats.scope,
    tokenHashes: tokens.hashes,
  });
  const alive = new Map(rows.map((row) => [`${row.organization_id} ${row.session_id}`, row]));
  const keyId = rows.some((row) => row.fresh_token !== null) ? (await tools.signingKeys.active(database)).id : '';
  const found = items.map((item, index) => {
    const row = alive.get(`${item.organizationId} ${item.sessionId}`);
    return row !== undefined && isFor(item, positions[index] ?? null, row) ? row : undefined;
  });
  const missing = items.filter((item, index) => found[index] === undefined && item.uncheckedTokenHash === undefined);
  const statuses = await listStatuses(database, missing);
  return items.map((item, index) => {
    const row = found[index];
    if (row !== undefined) {
      return { answer: makeAnswer(tools, item.organizationId, keyId, row) };
    }
    const status = statuses.find((each) => each.id === item.sessionId && each.organization_id === item.organizationId);
    return item.uncheckedTokenHash === undefined ? { refusal: heartbeatRefusal(item.caller, status) } : 'unconfirmed';
  });
}

/** A row belongs to the caller whose token gave access to it: two tokens may request one session in one batch. */
function isFor(item: HeartbeatItem, position: number | null, row: HeartbeatRow): boolean {
  return position === null ? mayTouch(item.caller, row.user_id) : row.token_position === position;
}

/** The distinct tokens of a batch, because most requests of a batch often share a few tokens. */
class TokenPositions {
  readonly hashes: Buffer[] = [];
  readonly #positions = new Map<Buffer, number>();

  /** The position of a token, from 1 as PostgreSQL counts. The same Buffer is the same token. */
  positionOf(hash: Buffer | undefined): number | null {
    if (hash === undefined) {
      return null;
    }
    const position = this.#positions.get(hash) ?? this.hashes.push(hash);
    this.#positions.set(hash, position);
    return position;
  }
}

async function listStatuses(database: Queries, items: readonly HeartbeatItem[]): Promise<readonly SessionStatusRow[]> {
  if (items.length === 0) {
    return [];
  }
  const asked = items.map((item) => ({
    organization_id: item.organizationId,
    offset_ms: item.clockOffsetMs,
    session_id: item.sessionId,
  }));
  return listSessionStatuses(database, { asked });
}

function makeAnswer(tools: LicensingTools, organizationId: string, keyId: string, row: HeartbeatRow): HeartbeatAnswer {
  const interval = row.heartbeat_interval_seconds ?? tools.settings.heartbeatIntervalSeconds;
  const answer: HeartbeatAnswer = {
    session_id: row.session_id,
    status: 'active',
    next_heartbeat_due: isoTime(row.wall_ms + interval * 1000),
  };
  const fresh = row.fresh_token;
  if (fresh === null) {
    return answer;
  }
  const session = {
    id: row.session_id,
    userId: row.user_id,
    hardwareId: fresh.hardware_id,
    issued: Math.floor(fresh.issued_ms / 1000),
    expiry: Math.floor(fresh.expires_ms / 1000),
  };
  const claims = createClaims(tools.settings, organizationId, session, { ...fresh, id: fresh.license_id });
  return { ...answer, token: { keyId, claims } };
}
