import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import { execute } from '../../../test/harness/index.ts';

const machine = () => `hw_${randomBytes(16).toString('hex')}`;

describe('GET /v1/licenses/waits/{wait_id}', () => {
  it('gives two simultaneous requests of a machine the same seat', async ({ app, ada }) => {
    const { id, key } = await app.issueLicense(ada.organizationId, { maxSeats: 1 });
    const acquire = async (more: object) => {
      const body = { license_key: key, hardware_id: machine(), ...more };
      return (await app.api.post('/v1/licenses/acquire', ada.accessToken, body)).body.data;
    };
    const { session_id: held } = await acquire({});
    const { wait_id: waitId } = await acquire({ wait_seconds: 600 });
    await app.api.post('/v1/licenses/release', ada.accessToken, { session_id: held });
    const look = () => app.api.get(`/v1/licenses/waits/${waitId}`, ada.accessToken);
    const requests = await app.database.transaction(async (tx) => {
      // Both requests find the wait without a seat, but only the first is in the batch that takes it.
      await execute(tx, 'select from license_seat_counts where license_id = $1 for update', [id]);
      const first = look();
      await sleep(300);
      const second = look();
      await sleep(300);
      return [first, second];
    });
    const answers = (await Promise.all(requests)).map(({ status, body }) => [status, body.data?.session_id]);
    expect(answers).toEqual([
      [200, expect.stringMatching(/^sess_/)],
      [200, answers[0]?.[1]],
    ]);
  });
});
