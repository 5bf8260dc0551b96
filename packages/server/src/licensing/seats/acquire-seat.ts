import type { Queries } from '../../database/index.ts';
import {
  type Answer,
  type AuthorizedContext,
  httpError,
  invalidRequest,
  notFound,
  type Principal,
} from '../../http/index.ts';
import { licensingError } from '../errors.ts';
import { signLicenseToken } from '../license-tokens/license-token.ts';
import { findKeyByTypedAlias } from '../licenses/key-aliases.ts';
import { normalizeLicenseKey } from '../licenses/license-key.ts';
import type { LicensingTools } from '../licensing-tools.ts';
import { projectIdOf } from '../project-usage/project-rules.ts';
import { requireActiveProject } from '../project-usage/require-active-project.ts';
import { HARDWARE_ID_FORMAT } from '../schemas.ts';
import { type PlaceResource, presentPlace } from './present-place.ts';
import type { AcquireItem, AcquireOutcome, RefusingLicense, SeatGrant } from './seat-items.ts';
import { takeFreeSeats } from './take-free-seats.ts';
import { takeSeats } from './take-seats.ts';

export interface AcquireInput {
  license_key: string;
  hardware_id: string;
  metadata?: unknown;
  offline_seconds?: number;
  wait_seconds?: number;
}

/**
 * Acquires a seat: 201 with a new session, 200 with the session that this machine already has, or 202 with its place in
 * line. Throws not_found, license_expired, license_suspended, license_revoked, no_seats_available, offline_not_allowed,
 * invalid_hardware_id, or validation_failed for the project.
 */
export async function acquireSeat(
  context: AuthorizedContext,
  tools: LicensingTools,
  input: AcquireInput,
): Promise<Answer<SeatGrant | PlaceResource>> {
  requireValidInput(input);
  requireOwnMachine(context.principal, input);
  const { principal, outcome } = await decide(context, tools, input);
  if (outcome !== undefined && 'place' in outcome) {
    return { status: 202, data: presentPlace(outcome.place) };
  }
  if (outcome === undefined || 'refusal' in outcome || 'isOver' in outcome) {
    const { refusal = notFound('license'), by } = outcome !== undefined && 'refusal' in outcome ? outcome : {};
    noteRefusal(tools, principal, input.hardware_id, refusal.code, by);
    throw refusal;
  }
  return { status: outcome.isNew ? 201 : 200, data: outcome.grant };
}

/** `outcome` is undefined if there is no such license. */
interface Decision {
  principal: Principal;
  outcome: AcquireOutcome | undefined;
}

/** Decides by the license's own key. Only an unknown key is looked up among the aliases. */
async function decide(context: AuthorizedContext, tools: LicensingTools, input: AcquireInput): Promise<Decision> {
  const key = normalizeLicenseKey(input.license_key);
  const byKey = key === undefined ? undefined : await decideForKey(context, tools, input, key);
  if (byKey?.outcome !== undefined && isOfLicense(byKey.outcome)) {
    return byKey;
  }
  const principal = byKey?.principal ?? (await context.token?.confirm()) ?? context.principal;
  const aliased = await findKeyByTypedAlias(context.database, principal.organizationId, input.license_key);
  return aliased === undefined
    ? { principal, outcome: undefined }
    : decideForKey({ ...context, principal }, tools, input, aliased);
}

function isOfLicense(outcome: AcquireOutcome): boolean {
  return !('refusal' in outcome) || outcome.by !== undefined;
}

async function decideForKey(
  context: AuthorizedContext,
  tools: LicensingTools,
  input: AcquireInput,
  key: string,
): Promise<Decision> {
  const { token } = context;
  let { principal } = context;
  let outcome: AcquireOutcome | undefined;
  if (token === undefined || projectIdOf(input.metadata) !== undefined) {
    principal = token === undefined ? principal : await token.confirm();
    await requireActiveProject({ ...context, principal }, tools, input.metadata);
    outcome = await tryFree(context.database, tools, itemOf(key, input, principal), principal);
  } else if (input.offline_seconds !== undefined) {
    principal = await token.confirm();
  } else {
    const item = { ...itemOf(key, input, principal), uncheckedTokenHash: token.hash };
    outcome = await tryFree(context.database, tools, item, principal);
    principal = outcome === undefined ? await token.confirm() : principal;
  }
  outcome ??= await take(context.database, tools, itemOf(key, input, principal), principal);
  return { principal, outcome };
}

/** Counts a refusal in memory. It is written later, by a job of this process. */
function noteRefusal(
  tools: LicensingTools,
  { organizationId, userId }: Principal,
  hardwareId: string,
  code: string,
  by: RefusingLicense | undefined,
): void {
  tools.countRefusal?.(code);
  if (by !== undefined) {
    tools.refusals.note({ organizationId, userId, hardwareId, code, ...by }, performance.now());
  }
}

function itemOf(key: string, input: AcquireInput, { userId, clockOffsetMs, activation }: Principal): AcquireItem {
  const request = {
    key,
    userId,
    hardwareId: input.hardware_id,
    metadata: input.metadata ?? null,
    offlineSeconds: input.offline_seconds,
    waitSeconds: input.wait_seconds,
    activatedLicenseId: activation?.licenseId,
  };
  return { request, clockOffsetMs };
}

/**
 * A request with an Idempotency-Key has its own transaction. All others are batched. Whether a seat may go offline, and
 * whether an activation is still valid, is only decided under the license's lock.
 */
async function tryFree(
  database: Queries,
  tools: LicensingTools,
  item: AcquireItem,
  { organizationId }: Principal,
): Promise<AcquireOutcome | undefined> {
  if (item.request.offlineSeconds !== undefined || item.request.activatedLicenseId !== undefined) {
    return undefined;
  }
  return database.inTransaction
    ? (await takeFreeSeats(database, tools, organizationId, [item]))[0]
    : tools.freeSeats.submit(organizationId, item);
}

async function take(
  database: Queries,
  tools: LicensingTools,
  item: AcquireItem,
  { organizationId }: Principal,
): Promise<AcquireOutcome | undefined> {
  return database.inTransaction
    ? (await takeSeats(database, tools, organizationId, [item]))[0]
    : tools.acquires.submit(organizationId, item);
}

/** The grant with its token, signed after the commit. The same grant always gives the same bytes. */
export async function presentGrant(tools: LicensingTools, grant: SeatGrant | PlaceResource): Promise<unknown> {
  if (!('token' in grant)) {
    return grant;
  }
  const { token, ...shown } = grant;
  const key = await tools.signingKeys.byId(token.keyId);
  return { ...shown, license_token: await signLicenseToken(key.privateKey, token) };
}

/** The token of an activation is not valid on another machine. */
function requireOwnMachine({ activation }: Principal, input: AcquireInput): void {
  if (activation !== undefined && activation.hardwareId !== input.hardware_id) {
    throw httpError('forbidden', 'The license was activated on another machine. Activate it on this one.');
  }
}

/** Checks what the schema cannot express: a malformed hardware ID has its own code, and metadata has a total limit. */
function requireValidInput(input: AcquireInput): void {
  if (!HARDWARE_ID.test(input.hardware_id)) {
    throw licensingError('invalid_hardware_id', `hardware_id must match ${HARDWARE_ID_FORMAT}.`, {
      expected_format: HARDWARE_ID_FORMAT,
    });
  }
  if (input.metadata !== undefined && Buffer.byteLength(JSON.stringify(input.metadata)) > MAX_METADATA_BYTES) {
    throw invalidRequest('metadata', 'length', `metadata must be at most ${MAX_METADATA_BYTES} bytes of JSON.`);
  }
}

const HARDWARE_ID = new RegExp(`^${HARDWARE_ID_FORMAT}$`);
const MAX_METADATA_BYTES = 8_192;
