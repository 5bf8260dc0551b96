import type { Job } from '../../jobs/index.ts';
import { Deliverer } from './deliver-due.ts';
import type { DeliveryTools } from './delivery-tools.ts';
import { FanOut } from './fan-out-events.ts';
import { createWorkNudges, findWorkJob, WOKEN_MS } from './find-work.ts';
import { releaseExpiredLeases } from './release-leases.ts';

/** The jobs of delivery, and a function that runs them immediately. */
export interface DeliveryWork {
  jobs: Job[];
  /** Fans out a portion of waiting events and begins due attempts on both lanes; these continue after it returns. */
  begin(): Promise<void>;
}

/** The processing of events after the commit: fan-out, delivery, and release of claims of dead processes. */
export function deliveryJobs(tools: DeliveryTools, nudges = createWorkNudges()): DeliveryWork {
  const deliverer = new Deliverer(tools);
  const fanOut = new FanOut(tools, deliverer);
  const jobs: Job[] = [
    findWorkJob(tools.database, { ...tools, ...nudges }),
    {
      name: 'webhooks.fan-out-events',
      everyMs: WOKEN_MS,
      nudge: tools.announced,
      run: () => fanOut.run(),
      finish: () => deliverer.stop(),
    },
    {
      name: 'webhooks.deliver-fast-lane',
      everyMs: WOKEN_MS,
      nudge: tools.due.fast,
      run: () => deliverer.deliverDue('fast'),
      finish: () => deliverer.stop(),
    },
    {
      name: 'webhooks.deliver-slow-lane',
      everyMs: WOKEN_MS,
      nudge: tools.due.slow,
      run: () => deliverer.deliverDue('slow'),
      finish: () => deliverer.stop(),
    },
    {
      name: 'webhooks.release-expired-leases',
      everyMs: WOKEN_MS,
      nudge: nudges.expired,
      run: () => releaseExpiredLeases(tools),
    },
  ];
  // Attempts begin within two seconds of their time, also after a database outage.
  return {
    jobs: jobs.map((job) => ({ ...job, maxPauseMs: 1_000 })),
    begin: async () => {
      await fanOut.run();
      await deliverer.deliverDue('fast');
      await deliverer.deliverDue('slow');
    },
  };
}
