import { randomBytes } from 'node:crypto';
import type { Answer } from './answer.ts';
import { expectPage, LeftOut } from './expectations.ts';
import type { Probe } from './probe.ts';
import { pick, pickList, pickText } from './read-json.ts';

/** A seat taken by a check. */
export interface TakenSeat {
  /** The response to the acquire. */
  answer: Answer;
  licenseId: string;
  licenseKey: string;
  hardwareId: string;
  sessionId: string;
}

/** Takes a free seat of any license of the organization, and releases it after the check. */
export async function takeSeat(probe: Probe): Promise<TakenSeat> {
  const hardwareId = newHardwareId();
  for (const { id, key } of await listFreeLicenses(probe)) {
    const answer = await acquire(probe, key, hardwareId);
    // A license's policy may require an activation, or other users; then the next one is tried.
    if (answer.status !== 403 && answer.status !== 409 && answer.status !== 404) {
      return {
        answer,
        licenseId: id,
        licenseKey: key,
        hardwareId,
        sessionId: pickText(answer.body, 'data.session_id'),
      };
    }
  }
  throw new LeftOut('needs a license with a free seat that the user may take');
}

/** Requests a seat; if granted, it is released after the check. */
export async function acquire(probe: Probe, licenseKey: string, hardwareId: string): Promise<Answer> {
  const metadata = { hostname: 'seathold-conformance' };
  const json = { license_key: licenseKey, hardware_id: hardwareId, metadata };
  const answer = await probe.call('POST', '/v1/licenses/acquire', { json });
  const sessionId = pickText(answer.body, 'data.session_id');
  if (sessionId !== '') {
    probe.clear(async () => {
      const { status, what } = await release(probe, sessionId);
      if (status !== 200) {
        throw new Error(`${what} answered ${status}: the seat ${sessionId} is still taken`);
      }
    });
  }
  return answer;
}

/** Releases a seat. */
export function release(probe: Probe, sessionId: string): Promise<Answer> {
  return probe.call('POST', '/v1/licenses/release', { json: { session_id: sessionId } });
}

/** A hardware ID that no machine has. */
export function newHardwareId(): string {
  return `hw_conformance${randomBytes(11).toString('hex').slice(0, 21)}`;
}

async function listFreeLicenses(probe: Probe): Promise<Array<{ id: string; key: string }>> {
  const answer = await probe.call('GET', '/v1/licenses?status=active&limit=100');
  expectPage(answer);
  return pickList(answer.body, 'data')
    .filter((each) => Number(pick(each, 'active_seats')) < Number(pick(each, 'max_seats')))
    .map((each) => ({ id: pickText(each, 'id'), key: pickText(each, 'key') }));
}
