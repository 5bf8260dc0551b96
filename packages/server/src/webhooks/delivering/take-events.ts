import { randomUUID } from 'node:crypto';
import { newId } from '../../ids/index.ts';
import { keyOf } from '../endpoint-state/endpoint-key.ts';
import { healthOf } from '../endpoint-state/state-queries.ts';
import { wantsEvent } from '../events/subscription-rules.ts';
import type { SigningKey } from '../signing/sign-attempt.ts';
import type { ClaimedAttempt } from './claim-attempts.ts';
import type { Deliverer } from './deliver-due.ts';
import type { DeliveryTools } from './delivery-tools.ts';
import { claimUnsentEvents, type RecipientRow, type UnsentEventRow } from './take-queries.ts';

/** An endpoint, and the secrets that sign for it now. */
export interface Recipient extends RecipientRow {
  keys: readonly SigningKey[];
}

/** The decision for waiting events: taken by this process, to be planned, or left until there is capacity. */
export interface Sorted {
  taken: UnsentEventRow[];
  attempts: ClaimedAttempt[];
  planned: UnsentEventRow[];
  left: number;
}

interface KeptEvent extends UnsentEventRow {
  type: string;
  created: Date;
}

/**
 * Sorts events by how they can be handled immediately. An event is taken if all its endpoints are trusted and have
 * capacity, which is then reserved. It is left while such endpoints are only busy. All others are planned, and claimed
 * in turn.
 */
export function sortEvents(
  deliverer: Deliverer,
  events: readonly UnsentEventRow[],
  recipients: readonly Recipient[],
): Sorted {
  const byOrganization = Map.groupBy(recipients, (each) => each.organization_id);
  const sorted: Sorted = { taken: [], attempts: [], planned: [], left: 0 };
  const claimId = randomUUID();
  for (const event of events) {
    const { type, created } = event;
    if (type === null || created === null) {
      sorted.taken.push(event);
      continue;
    }
    const wanting = (byOrganization.get(event.organization_id) ?? []).filter(
      (each) => each.created_at <= created && wantsEvent(each.events, type),
    );
    if (event.is_planned || !wanting.every(isTrusted)) {
      sorted.planned.push(event);
      continue;
    }
    const attempts = wanting.map((each) => newAttempt({ ...event, type, created }, each, claimId));
    if (deliverer.reserve(attempts)) {
      sorted.taken.push(event);
      sorted.attempts.push(...attempts);
    } else if (wanting.every((each) => deliverer.isFlowing(each))) {
      sorted.left += 1;
    } else {
      sorted.planned.push(event);
    }
  }
  return sorted;
}

/**
 * Endpoints on the fast lane whose secret can be read. Deliveries to others are planned, so that their row counts them.
 */
function isTrusted({ status, is_cautious: isSlow, is_silent: isSilent, keys }: Recipient): boolean {
  return status === 'active' && !isSlow && !isSilent && keys.length > 0;
}

function newAttempt(event: KeptEvent, recipient: Recipient, claimId: string): ClaimedAttempt {
  const deliveryId = newId('delivery');
  const nowMs = performance.now();
  return {
    organization_id: recipient.organization_id,
    endpoint_id: recipient.endpoint_id,
    id: deliveryId,
    delivery_id: deliveryId,
    kind: 'scheduled',
    due_at: event.announced_at,
    event_id: event.event_id,
    event_type: event.type,
    created_at: event.created,
    attempts: 0,
    // Given when the event is taken.
    sequence: null,
    object: event.object,
    claimId,
    claimedAtMs: nowMs,
    destination: recipient.destination,
    isSilent: false,
    url: recipient.url,
    keys: recipient.keys,
    taken: {
      health: healthOf(recipient),
      inFlightLimit: recipient.in_flight_limit - recipient.in_flight,
      clockMs: recipient.now.getTime() - nowMs + recipient.clock_offset_ms,
    },
  };
}

/**
 * Takes the events in one statement, and begins their attempts. Their capacity is released if another process was
 * faster.
 */
export async function takeEvents(
  { database, leaseMs }: Pick<DeliveryTools, 'database' | 'leaseMs'>,
  deliverer: Deliverer,
  { taken, attempts }: Pick<Sorted, 'taken' | 'attempts'>,
  nowMs: number,
): Promise<void> {
  try {
    const rows = await claimUnsentEvents(database, {
      organizationIds: [...new Set(taken.map((each) => each.organization_id))],
      eventIds: taken.map((each) => each.event_id),
      deliveries: attempts.map(
        ({ organization_id, delivery_id, endpoint_id, event_id, event_type, created_at, due_at }) => ({
          organization_id,
          delivery_id,
          endpoint_id,
          event_id,
          event_type,
          created_at,
          due_at,
        }),
      ),
      claimId: attempts[0]?.claimId ?? '',
      leasedUntil: new Date(nowMs + leaseMs),
    });
    const sequences = new Map(rows.map((each) => [each.delivery_id, each.sequence]));
    for (const attempt of attempts) {
      attempt.sequence = sequences.get(attempt.delivery_id) ?? null;
    }
    deliverer.beginReserved(attempts.filter((each) => each.sequence !== null));
    deliverer.freeReserved(attempts.filter((each) => each.sequence === null));
  } catch (error) {
    deliverer.freeReserved(attempts);
    throw error;
  }
}

/** The recipients from rows that contain one secret each. */
export function gatherRecipients(
  rows: readonly RecipientRow[],
  keysOf: (rows: readonly RecipientRow[]) => readonly SigningKey[],
): Recipient[] {
  return [...Map.groupBy(rows, keyOf).values()].flatMap((ofEndpoint) => {
    const [first] = ofEndpoint;
    return first === undefined ? [] : [{ ...first, keys: keysOf(ofEndpoint) }];
  });
}
