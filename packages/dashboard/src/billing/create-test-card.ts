import { api } from '../api/index.ts';
import type { TestCard } from './test-cards.ts';

/** The id that pays with a test card, in place of what the payment provider's form gives. */
export async function createTestCard(card: TestCard): Promise<string> {
  if (card.kind === 'named') {
    return card.name;
  }
  const { kind: _, ...typed } = card;
  return (await api().sandbox.makePaymentMethod(typed)).id;
}
