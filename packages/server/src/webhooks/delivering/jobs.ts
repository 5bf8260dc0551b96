import type { Job } from '../../jobs/index.ts';
import { Deliverer } from './deliver-due.ts';
import type { Delivering } from './delivering.ts';
import { FanOut } from './fan-out-events.ts';
import { holdWaiting } from './hold-waiting.ts';
import { returnLostClaims } from './return-claims.ts';

/** The jobs of delivery, and a way to make them go on at once. */
export interface DeliveringWork {
  jobs: Job[];
  /** Fans out a portion of what waits and begins what is due on both lanes; what it began goes on when this ends. */
  begin(): Promise<void>;
}

/** What happens to events after they are committed: fanned out, delivered, held, and given back by processes that died. */
export function deliveringJobs(delivering: Delivering): DeliveringWork {
  const deliverer = new Deliverer(delivering);
  const fanOut = new FanOut(delivering);
  const jobs: Job[] = [
    {
      name: 'webhooks.fan-out-events',
      everyMs: POLL_MS,
      nudge: delivering.announced,
      run: () => fanOut.run(),
    },
    {
      name: 'webhooks.deliver-swiftly',
      everyMs: POLL_MS,
      nudge: delivering.due.swift,
      run: () => deliverer.deliverDue('swift'),
      finish: () => deliverer.stop(),
    },
    {
      name: 'webhooks.deliver-cautiously',
      everyMs: POLL_MS,
      nudge: delivering.due.cautious,
      run: () => deliverer.deliverDue('cautious'),
      finish: () => deliverer.stop(),
    },
    { name: 'webhooks.return-lost-claims', everyMs: 1_000, run: () => returnLostClaims(delivering) },
    { name: 'webhooks.hold-waiting', everyMs: 1_000, run: () => holdWaiting(delivering) },
  ];
  // Attempts keep to their times within two seconds, also after the database was away.
  return {
    jobs: jobs.map((job) => ({ ...job, maxPauseMs: 1_000 })),
    begin: async () => {
      await fanOut.run();
      await deliverer.deliverDue('swift');
      await deliverer.deliverDue('cautious');
    },
  };
}

/** Within the process a nudge comes first; this is how soon another process's events and retries are seen. */
const POLL_MS = 100;
