/** One promise that a soak tries: which tests, how much of it in all, and how much at a time. */
export interface Part {
  name: string;
  promise: string;
  /** What is counted. */
  unit: string;
  target: number;
  /** As much as takes a minute or two, so that little is lost when a soak is stopped. */
  portion: number;
  files: readonly string[];
  /** Whether the same seed repeats the same cases. Where processes race and are killed, nothing does. */
  isSeeded: boolean;
}

const TORTURE = 'packages/server/test/torture';

export const PARTS: readonly Part[] = [
  {
    name: 'lives',
    promise: 'money, subscriptions and licenses agree, whatever fails',
    unit: 'commerce lives',
    target: 20_000,
    portion: 200,
    files: [`${TORTURE}/billing-model.test.ts`],
    isSeeded: true,
  },
  {
    name: 'money',
    promise: 'invoices and proration add up',
    unit: 'cases of each rule',
    target: 1_000_000,
    portion: 50_000,
    files: [`${TORTURE}/money-properties.test.ts`, `${TORTURE}/money-invoices.test.ts`],
    isSeeded: true,
  },
  {
    name: 'kills',
    promise: 'each event is delivered at least once (a kill for every 500 events)',
    unit: 'events',
    target: 100_000,
    portion: 2_500,
    files: [`${TORTURE}/webhooks-at-least-once.test.ts`],
    isSeeded: false,
  },
  {
    name: 'seats',
    promise: 'no seat is given twice or lost',
    unit: 'seat operations',
    target: 100_000,
    portion: 5_000,
    files: [`${TORTURE}/history/never-over-the-cap.test.ts`],
    isSeeded: false,
  },
  {
    name: 'fuzz',
    promise: 'the API answers anything as openapi.json says',
    unit: 'requests',
    target: 100_000,
    portion: 5_000,
    files: ['packages/server/test/fuzz/fuzz.test.ts'],
    isSeeded: true,
  },
  {
    name: 'oauth',
    promise: 'the authorization server answers anything as the RFCs say',
    unit: 'requests',
    target: 50_000,
    portion: 2_500,
    files: ['packages/server/test/fuzz/oauth-fuzz.test.ts'],
    isSeeded: true,
  },
  {
    name: 'backup',
    promise: 'a backup under load has all that was answered before, and a killed create or restore leaves nothing',
    unit: 'backups',
    target: 20,
    portion: 5,
    files: [`${TORTURE}/backup.test.ts`],
    isSeeded: false,
  },
  {
    // In npm test the tables have a tenth of the rows, or less: filling them takes most of the time.
    name: 'plans',
    promise: 'no request and no job reads more than it needs where the largest tables hold a million rows',
    unit: 'runs',
    target: 1,
    portion: 1,
    files: ['packages/server/test/plans/query-plans.test.ts', 'packages/server/test/retention/deletion-plans.test.ts'],
    isSeeded: false,
  },
];
