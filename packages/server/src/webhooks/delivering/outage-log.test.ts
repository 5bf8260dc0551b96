import { describe, expect } from 'vitest';
import { createDeliveryTest } from '../../../test/harness/delivery-fixtures.ts';
import { startAppForTest } from '../../../test/harness/index.ts';
import { plantEndpoint } from '../../../test/harness/plant-endpoint.ts';
import { Database, DatabaseUnavailable, type Queries } from '../../database/index.ts';

const it = createDeliveryTest()
  /** The log lines of an attempt whose outcome could not be written because of this. */
  .extend(
    'deliverDuring',
    ({ app, receiver, ada }) =>
      async (error: Error): Promise<Array<{ level: number; err: unknown }>> => {
        const settings = { ...receiver.settings, SEATHOLD_WEBHOOK_TIMEOUT: '5' };
        const openDatabase = (...given: ConstructorParameters<typeof Database>) => new FailingDatabase(...given);
        const process = await startAppForTest({ beside: app, settings, openDatabase });
        receiver.behave((_received, response) => {
          failure = error;
          response.end();
        });
        await plantEndpoint(app, ada.organizationId, receiver.url());
        await ada.takeSeat();
        await app.runJob('webhooks.fan-out-events');
        await process.runJob('webhooks.deliver-slow-lane');
        const find = () => process.logLines.filter((line) => line.includes('could not record an attempt'));
        await expect.poll(find, { timeout: 60_000 }).not.toEqual([]);
        failure = undefined;
        return find().map((line) => JSON.parse(line));
      },
  );

/** While set, every transaction fails with this. */
let failure: Error | undefined;

class FailingDatabase extends Database {
  override async transaction<T>(body: (tx: Queries) => Promise<T>): Promise<T> {
    if (failure !== undefined) throw failure;
    return super.transaction(body);
  }
}

describe('an attempt that could not be recorded before its lease ended', () => {
  it('is logged as a warning with the cause if the database was down', { timeout: 90_000 }, async ({
    deliverDuring,
  }) => {
    const away = new DatabaseUnavailable('57P03');
    expect(await deliverDuring(away)).toMatchObject([
      { level: 40, err: { message: expect.stringContaining('in time'), cause: { message: away.message } } },
    ]);
  });

  it('is logged as an error for any other reason', { timeout: 90_000 }, async ({ deliverDuring }) => {
    expect(await deliverDuring(new Error('no such column'))).toMatchObject([{ level: 50 }]);
  });
});
