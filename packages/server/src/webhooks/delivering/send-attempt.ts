import { isoTime } from '../../clock/index.ts';
import { tracing } from '../../tracing/index.ts';
import type { AttemptResult } from '../sending/sender.ts';
import { signAttempt } from '../signing/sign-attempt.ts';
import type { ClaimedAttempt } from './claim-attempts.ts';
import type { DeliveryTools } from './delivery-tools.ts';

/** An attempt and its outcome. Times are by `performance.now()`. */
export interface FinishedAttempt {
  attempt: ClaimedAttempt;
  result: Omit<AttemptResult, 'error'> & { error: string | null };
  beganAtMs: number;
  endedAtMs: number;
  /** False if nothing was sent, which says nothing about the endpoint. */
  wasSent: boolean;
  /** No retry can help. */
  isFinal: boolean;
}

/**
 * The same as `sendAttempt`, as a span if traces are on. The receiver gets no `traceparent`: it belongs to a customer,
 * and the trace would only reveal how the service is built.
 */
export async function sendTraced(
  tools: Pick<DeliveryTools, 'sender' | 'clock' | 'userAgent'>,
  attempt: ClaimedAttempt,
  cutOff: AbortSignal,
): Promise<FinishedAttempt> {
  const traces = tracing();
  if (traces === undefined) {
    return sendAttempt(tools, attempt, cutOff);
  }
  const { event_id: eventId, event_type: eventType, delivery_id: deliveryId } = attempt;
  return traces.traceDelivery(
    { eventId, eventType, deliveryId, attempt: attempt.attempts + 1 },
    () => sendAttempt(tools, attempt, cutOff),
    ({ result }) => result,
  );
}

/** Signs and sends one attempt. Rejects only if it was aborted, and then has to be released. */
async function sendAttempt(
  { sender, clock, userAgent }: Pick<DeliveryTools, 'sender' | 'clock' | 'userAgent'>,
  attempt: ClaimedAttempt,
  cutOff: AbortSignal,
): Promise<FinishedAttempt> {
  const beganAtMs = performance.now();
  const body = bodyOf(attempt);
  if (body === undefined) {
    // Retention keeps an event as long as it has a delivery, so this only happens in a partly restored or manually
    // edited database. No retry can help, and the endpoint is not at fault: the delivery fails immediately, and nothing
    // is sent.
    return notSent(attempt, { error: 'event_expired', isFinal: true });
  }
  if (attempt.keys.length === 0) {
    return notSent(attempt, { error: 'signing_error', isFinal: false });
  }
  const seconds = Math.floor(clock.nowMs() / 1000);
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'x-service-event': attempt.event_type,
    'x-service-delivery': attempt.delivery_id,
    ...(attempt.sequence === null ? {} : { 'x-service-sequence': String(attempt.sequence) }),
    ...signAttempt(attempt.keys, attempt.event_id, seconds, body),
  };
  const result = await sender.send({ url: attempt.url, headers, body }, cutOff);
  return { attempt, result, beganAtMs, endedAtMs: performance.now(), wasSent: true, isFinal: false };
}

/** The envelope of service.md "Events", the same bytes in every attempt. Undefined if the event is no longer kept. */
function bodyOf(attempt: ClaimedAttempt): string | undefined {
  if (attempt.object === null) {
    return undefined;
  }
  const head = JSON.stringify({
    id: attempt.event_id,
    type: attempt.event_type,
    created: isoTime(attempt.created_at.getTime()),
  });
  // The object is already JSON text, as stored: parsing and serializing it again would cost more than signing.
  return `${head.slice(0, -1)},"data":{"object":${attempt.object}},"organization_id":${JSON.stringify(attempt.organization_id)}}`;
}

function notSent(attempt: ClaimedAttempt, { error, isFinal }: { error: string; isFinal: boolean }): FinishedAttempt {
  const nowMs = performance.now();
  const result = { statusCode: null, error, durationMs: 0, address: null, responseExcerpt: null };
  return { attempt, result, beganAtMs: nowMs, endedAtMs: nowMs, wasSent: false, isFinal };
}
