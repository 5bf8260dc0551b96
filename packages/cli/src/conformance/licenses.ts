import type { CheckGroup } from './check.ts';
import {
  expectData,
  expectError,
  expectFields,
  expectPage,
  expectStatus,
  expectThat,
  expectValue,
  LeftOut,
} from './expectations.ts';
import { pick, pickList, pickText } from './read-json.ts';
import { acquire, newHardwareId, release, takeSeat } from './take-seat.ts';

const UNKNOWN_KEY = '00000-00000-00000-00000';

/** Contract section 7: licenses, and the life of a seat. */
export const LICENSES: CheckGroup = {
  key: 'licenses',
  title: '§7 Licenses and seats',
  checks: [
    {
      name: 'lists licenses with their seats',
      run: async (probe) => {
        const answer = await probe.call('GET', '/v1/licenses');
        expectPage(answer);
        for (const place of pickList(answer.body, 'data').keys()) {
          expectFields(answer, `data.${place}`, LICENSE);
        }
      },
    },
    {
      name: 'shows one license with its features and sessions',
      run: async (probe) => {
        const id = pickText((await probe.call('GET', '/v1/licenses?limit=1')).body, 'data.0.id');
        if (id === '') {
          throw new LeftOut('needs a license');
        }
        const answer = await probe.call('GET', `/v1/licenses/${id}`);
        expectData(answer, 200);
        expectFields(answer, 'data', { ...LICENSE, available_seats: 'integer', features: 'object', sessions: 'array' });
      },
    },
    {
      name: '404 for a license that does not exist',
      run: async (probe) =>
        expectError(await probe.call('GET', '/v1/licenses/lic_00000000000000000000000000'), 404, 'not_found'),
    },
    {
      name: '404 for an unknown license key',
      run: async (probe) => expectError(await acquire(probe, UNKNOWN_KEY, newHardwareId()), 404, 'not_found'),
    },
    {
      name: '422 invalid_hardware_id, with the expected format',
      run: async (probe) => {
        for (const hardwareId of ['laptop', `hw_${'A'.repeat(32)}`, `hw_${'a'.repeat(31)}`]) {
          const answer = await acquire(probe, UNKNOWN_KEY, hardwareId);
          expectError(answer, 422, 'invalid_hardware_id', { expected_format: 'hw_[a-z0-9]{32}' });
        }
      },
    },
    {
      name: '201 for a free seat, which then counts',
      run: async (probe) => {
        const { answer, licenseId, sessionId } = await takeSeat(probe);
        expectData(answer, 201);
        expectFields(answer, 'data', SEAT);
        const license = await probe.call('GET', `/v1/licenses/${licenseId}`);
        const sessions = pickList(license.body, 'data.sessions').map((each) => pickText(each, 'id'));
        const [active, most] = [pick(license.body, 'data.active_seats'), pick(license.body, 'data.max_seats')];
        expectThat(
          license,
          Number(active) >= 1 && Number(active) <= Number(most),
          `active_seats is ${active} of ${most}`,
        );
        expectThat(license, sessions.includes(sessionId) || Number(active) > 100, 'the session is not in the license');
      },
    },
    {
      name: '200 with the same session for the same machine, without another seat',
      run: async (probe) => {
        const seat = await takeSeat(probe);
        const again = await acquire(probe, seat.licenseKey, seat.hardwareId);
        expectData(again, 200);
        expectValue(again, 'data.session_id', seat.sessionId);
        const inLowerCase = await acquire(probe, seat.licenseKey.toLowerCase(), seat.hardwareId);
        expectStatus(inLowerCase, 200);
      },
    },
    {
      name: 'keeps a seat by heartbeats',
      run: async (probe) => {
        const { sessionId } = await takeSeat(probe);
        const beat = await probe.call('POST', '/v1/licenses/heartbeat', { json: { session_id: sessionId } });
        expectData(beat, 200);
        expectValue(beat, 'data.session_id', sessionId);
        expectValue(beat, 'data.status', 'active');
        expectFields(beat, 'data', { next_heartbeat_due: 'timestamp' });
        const due = Date.parse(pickText(beat.body, 'data.next_heartbeat_due'));
        const now = Date.parse(pickText(beat.body, 'meta.timestamp'));
        expectThat(beat, due > now, 'next_heartbeat_due is already past');
      },
    },
    {
      name: 'releases a seat, with the same result when repeated',
      run: async (probe) => {
        const { sessionId } = await takeSeat(probe);
        const first = await release(probe, sessionId);
        expectData(first, 200);
        expectValue(first, 'data.status', 'released');
        expectFields(first, 'data', { released_at: 'timestamp' });
        const second = await release(probe, sessionId);
        expectData(second, 200);
        expectValue(second, 'data.released_at', pick(first.body, 'data.released_at'));
      },
    },
    {
      name: '409 session_released for the heartbeat of a released seat',
      run: async (probe) => {
        const { sessionId } = await takeSeat(probe);
        const released = await release(probe, sessionId);
        const beat = await probe.call('POST', '/v1/licenses/heartbeat', { json: { session_id: sessionId } });
        expectError(beat, 409, 'session_released', { released_at: pick(released.body, 'data.released_at') });
      },
    },
    {
      name: '404 for the heartbeat and the release of a session that does not exist',
      run: async (probe) => {
        const json = { session_id: 'sess_00000000000000000000000000' };
        expectError(await probe.call('POST', '/v1/licenses/heartbeat', { json }), 404, 'not_found');
        expectError(await probe.call('POST', '/v1/licenses/release', { json }), 404, 'not_found');
      },
    },
  ],
};

const LICENSE = {
  id: /^lic_/,
  key: /^[0-9A-Z]{5}(-[0-9A-Z]{5}){3}$/,
  product: 'string',
  max_seats: 'integer',
  active_seats: 'integer',
  status: /^(active|suspended|expired|revoked)$/,
  expires_at: 'timestamp?',
  created_at: 'timestamp',
} as const;

const SEAT = {
  session_id: /^sess_/,
  license_token: /^[\w-]+\.[\w-]+\.[\w-]+$/,
  expires_at: 'timestamp',
  heartbeat_interval: 'integer',
  features: 'object',
} as const;
