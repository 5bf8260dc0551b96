import fc from 'fast-check';
import { TEST_CARDS } from '../../src/billing/payment-provider/test/card-list.ts';
import type { Failure } from './fragile-process.ts';

/** What a customer requests. Positions choose among what exists by then. */
export type Request =
  | { kind: 'create'; plan: number; quantity: number; card: number | string; coupon: number | undefined }
  | { kind: 'change'; place: number; plan: number | undefined; quantity: number | undefined }
  | { kind: 'preview'; place: number; quantity: number }
  | { kind: 'cancel'; place: number; isNow: boolean }
  | { kind: 'resume'; place: number }
  | { kind: 'attach'; card: string; isDefault: boolean }
  | { kind: 'detach'; place: number }
  | { kind: 'confirm'; place: number; outcome: 'succeed' | 'fail' }
  | { kind: 'pay'; place: number }
  | { kind: 'advance'; seconds: number };

/**
 * How it is sent: once, or again with the same key, afterwards or at the same time. Also what happens to the process
 * meanwhile.
 */
export interface Manner {
  repeats: 'no' | 'afterwards' | 'at_once';
  failure: { kind: Failure; after: number } | undefined;
}

export type Step =
  | { kind: 'ask'; request: Request; manner: Manner }
  /** Several people at the same time, on two processes. */
  | { kind: 'ask_at_once'; requests: Request[] }
  /** Time passes, and the jobs run, on both processes. */
  | { kind: 'wait'; seconds: number; failure: { kind: Failure; after: number } | undefined }
  /** The provider notifies both processes of every pending payment, several times. */
  | { kind: 'hints' }
  /** A process is started to replace one that died, and one that stood still continues. */
  | { kind: 'recover' };

/** Cards that always pay, cards that cause trouble, and any other test card. */
const cards = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('pm_card_visa', 'pm_card_mastercard') },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'pm_card_authenticationRequired',
      'pm_card_chargeCustomerFail',
      'pm_card_lostResponse',
      'pm_card_lostRequest',
      'pm_card_processing',
      'pm_card_processingDeclined',
      'pm_card_failsTwiceThenSucceeds',
      'pm_card_radarBlock',
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom(...TEST_CARDS.map(({ name }) => name)) },
);
const quantities = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(1, 7, 1_000, 10_000));
const places = fc.nat({ max: 7 });
const plans = fc.nat({ max: 4 });
const coupons = fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, fc.nat({ max: 4 }));

const HOUR = 3_600;
const DAY = 86_400;
const spans = fc.oneof(
  fc.integer({ min: 1, max: 40 * DAY }),
  fc.constantFrom(5, 90, HOUR, 2 * HOUR, 23 * HOUR, DAY, 2 * DAY, 5 * DAY, 7 * DAY, 31 * DAY, 70 * DAY),
);

const requests: fc.Arbitrary<Request> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      plan: plans,
      quantity: quantities,
      card: fc.oneof({ weight: 4, arbitrary: cards }, places),
      coupon: coupons,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      place: places,
      plan: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, plans),
      quantity: fc.oneof({ weight: 4, arbitrary: quantities }, fc.constant(undefined)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('preview' as const), place: places, quantity: quantities }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), place: places, isNow: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resume' as const), place: places }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('attach' as const), card: cards, isDefault: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('detach' as const), place: places }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('confirm' as const),
      place: places,
      outcome: fc.constantFrom('succeed' as const, 'succeed' as const, 'fail' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pay' as const), place: places }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('advance' as const), seconds: spans }) },
);

const failures = fc.record({
  kind: fc.constantFrom<Failure>('dies', 'dies', 'stalls', 'gets no response'),
  after: fc.nat({ max: 24 }),
});
const perhaps = fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: failures });

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      request: requests,
      manner: fc.record({
        repeats: fc.constantFrom(
          'no' as const,
          'no' as const,
          'no' as const,
          'afterwards' as const,
          'at_once' as const,
        ),
        failure: perhaps,
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('ask_at_once' as const),
      requests: fc.array(requests, { minLength: 2, maxLength: 4 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: spans, failure: perhaps }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'hints' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'recover' as const }) },
);

/** A life: it starts with a purchase, so that the other steps have something to work on. */
export const lives: fc.Arbitrary<Step[]> = fc
  .tuple(cards, plans, quantities, coupons, fc.array(steps, { minLength: 3, maxLength: 14, size: 'max' }))
  .map(([card, plan, quantity, coupon, rest]) => {
    const request: Request = { kind: 'create', plan, quantity, card, coupon };
    return [{ kind: 'ask', request, manner: { repeats: 'no', failure: undefined } }, ...rest];
  });
