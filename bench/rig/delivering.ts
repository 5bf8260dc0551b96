import { systemClock } from '../../packages/server/src/clock/index.ts';
import type { Queries } from '../../packages/server/src/database/index.ts';
import { Nudge } from '../../packages/server/src/jobs/index.ts';
import { createLogger } from '../../packages/server/src/log/index.ts';
import { Mailer } from '../../packages/server/src/mail/index.ts';
import { keepMasterKey } from '../../packages/server/src/security/index.ts';
import type { DeliveryTools } from '../../packages/server/src/webhooks/delivering/delivery-tools.ts';
import type { Sender } from '../../packages/server/src/webhooks/sending/sender.ts';

/** What the service's own delivery works with, on a database of the bench's and with a sender of its choice. */
export async function createDeliveryTools(database: Queries, dataDir: string, sender: Sender): Promise<DeliveryTools> {
  const masterKey = await keepMasterKey(undefined, dataDir);
  return {
    database,
    masterKey,
    mailer: new Mailer(masterKey),
    sender,
    clock: systemClock,
    log: createLogger('warn'),
    metrics: { countAttempt: () => undefined, observeLag: () => undefined },
    retryDelaysSeconds: [60, 300, 1_800, 7_200, 86_400],
    leaseMs: 25_000,
    userAgent: 'Seathold/bench',
    announced: new Nudge(),
    due: { fast: new Nudge(), slow: new Nudge() },
  };
}

/** Sends nothing and says that it was received. */
export const INSTANT_SENDER: Sender = {
  send: async () => ({ statusCode: 200, error: null, durationMs: 0, address: '127.0.0.1', responseExcerpt: 'ok' }),
  checkUrl: async () => undefined,
  close: async () => undefined,
};
