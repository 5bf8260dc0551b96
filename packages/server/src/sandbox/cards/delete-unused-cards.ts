import type { TestCards } from '../../billing/index.ts';
import type { Job } from '../../jobs/index.ts';

/** Deletes cards that were created from a number and never attached. */
export function deleteUnusedCardsJob(cards: TestCards): Job {
  return {
    name: 'sandbox.delete-unused-cards',
    everyMs: 60_000,
    run: async () => (await cards.deleteUnused(PORTION)) >= PORTION,
  };
}

const PORTION = 500;
