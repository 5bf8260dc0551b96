import { api } from '../api/index.ts';
import type { TestCard } from './test-cards.ts';

/** The ID for paying with a test card, instead of the one from the payment provider's form. */
export async function createTestCard(card: TestCard): Promise<string> {
  if (card.kind === 'named') {
    return card.name;
  }
  const { kind: _, ...typed } = card;
  return (await api().sandbox.makePaymentMethod(typed)).id;
}
