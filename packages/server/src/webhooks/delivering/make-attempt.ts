import { isoTime } from '../../clock/index.ts';
import { signAttempt } from '../signing/sign-attempt.ts';
import type { Claimed } from './claim-attempts.ts';
import type { Delivering } from './delivering.ts';
import type { Ended } from './finish-attempts.ts';

/** Sends one attempt, signed as it leaves. Rejects only when it was cut off, and is then to be handed back. */
export async function makeAttempt(
  { sender, clock, userAgent }: Pick<Delivering, 'sender' | 'clock' | 'userAgent'>,
  attempt: Claimed,
  cutOff: AbortSignal,
): Promise<Ended> {
  const beganAtMs = performance.now();
  const body = bodyOf(attempt);
  if (body === undefined) {
    // Retention keeps an event for as long as it has a delivery, so that only a database which was restored in part or edited
    // by hand leads here. No retry can help, and the endpoint is not to blame: the delivery fails at once, and nothing is sent.
    return {
      attempt,
      result: notSent('event_expired'),
      beganAtMs,
      endedAtMs: beganAtMs,
      wasSent: false,
      isFinal: true,
    };
  }
  if (attempt.keys.length === 0) {
    return {
      attempt,
      result: notSent('signing_error'),
      beganAtMs,
      endedAtMs: beganAtMs,
      wasSent: false,
      isFinal: false,
    };
  }
  const seconds = Math.floor(clock.nowMs() / 1000);
  const headers = {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'x-service-event': attempt.event_type,
    'x-service-delivery': attempt.delivery_id,
    ...signAttempt(attempt.keys, attempt.event_id, seconds, body),
  };
  const result = await sender.send({ url: attempt.url, headers, body }, cutOff);
  return { attempt, result, beganAtMs, endedAtMs: performance.now(), wasSent: true, isFinal: false };
}

/** The envelope of service.md "Events", the same bytes at every attempt. Undefined when the event is kept no more. */
function bodyOf(attempt: Claimed): string | undefined {
  if (attempt.object === null) {
    return undefined;
  }
  const head = JSON.stringify({
    id: attempt.event_id,
    type: attempt.event_type,
    created: isoTime(attempt.created_at.getTime()),
  });
  // The object is JSON text already, as PostgreSQL keeps it: reading it only to write it again would cost more than signing.
  return `${head.slice(0, -1)},"data":{"object":${attempt.object}},"organization_id":${JSON.stringify(attempt.organization_id)}}`;
}

function notSent(error: string) {
  return { statusCode: null, error, durationMs: 0, address: null, responseExcerpt: null };
}
