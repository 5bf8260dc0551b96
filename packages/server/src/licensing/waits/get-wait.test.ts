import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { it } from '../../../test/harness/fixtures.ts';
import { execute } from '../../../test/harness/index.ts';
import type { AuthorizedContext } from '../../http/index.ts';
import type { LicensingTools } from '../licensing-tools.ts';
import { getWait } from './get-wait.ts';

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

  it('takes no seat for a client that has disconnected, even if it is its turn', async ({ app, ada }) => {
    const { id, key } = await app.issueLicense(ada.organizationId, { maxSeats: 1 });
    const acquire = (more: object) =>
      app.api.post('/v1/licenses/acquire', ada.accessToken, { license_key: key, hardware_id: machine(), ...more });
    await acquire({});
    const { wait_id: waitId } = (await acquire({ wait_seconds: 600 })).body.data;
    const gone = new AbortController();
    let asked = 0;
    const place = { waitId, licenseId: id, changes: 1, position: 1, expiresAtMs: Date.now() };
    const tools = {
      acquires: {
        submit: () => {
          asked += 1;
          return Promise.resolve(asked === 1 ? { place } : { grant: {} });
        },
      },
      waitingCalls: { waitForTurn: () => Promise.resolve(gone.abort()) },
      stopping: new AbortController().signal,
    } as unknown as LicensingTools;
    const principal = { organizationId: ada.organizationId, userId: ada.userId, clockOffsetMs: 0 };
    const context = { database: app.database, principal, whenGone: () => gone.signal } as unknown as AuthorizedContext;
    const { data } = await getWait(context, tools, waitId, 25);
    expect([asked, data.status]).toEqual([1, 'waiting']);
  });
});
