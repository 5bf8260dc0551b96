import type { Charge } from '../payment-provider.ts';

/** The outcome of a charge to a test card. */
export type Behaviour =
  | { kind: 'succeeds' }
  | { kind: 'declines'; code: string }
  /** The customer has to authenticate it; then it succeeds or is declined. */
  | { kind: 'authenticates'; declineCode?: string }
  /** The provider processes it for two hours of the organization's clock; then it succeeds or is declined. */
  | { kind: 'processes'; declineCode?: string }
  /** It succeeds, but the response is lost. */
  | { kind: 'loses_answer' }
  /** The first request is lost; it succeeds when it is sent again. */
  | { kind: 'loses_request' };

/** A card of the catalogue. */
export interface TestCard {
  /** Used to attach it without a number, and stored in rows. */
  name: string;
  number: string;
  brand: string;
  /** Why it is declined when attached; undefined if it is not. */
  attachDecline?: string;
  /** With the customer present. */
  onSession: Behaviour;
  /** Without the customer: at a renewal and its retries. */
  offSession: Behaviour;
  /** Off-session, after the customer has authenticated with it; unchanged if undefined. */
  afterSetUp?: Behaviour;
  /** On or off session, for every purpose except the first charge of a new subscription. */
  afterCreation?: Behaviour;
  /** How many renewals and retries it declines before it pays them. */
  declinesRenewals?: number;
}

/** What determines the outcome besides the card itself. */
export interface ChargeSituation {
  isOnSession: boolean;
  purpose: Charge['purpose'];
  isSetUp: boolean;
  /** How many renewals and retries it has declined so far. */
  refusals: number;
}

export const SUCCEEDS: Behaviour = { kind: 'succeeds' };

/** How a card behaves in a situation; `isCountedRefusal` if it declines renewals only a number of times. */
export function behaviourOf(
  card: TestCard,
  { isOnSession, purpose, isSetUp, refusals }: ChargeSituation,
): { behaviour: Behaviour; isCountedRefusal: boolean } {
  const isRenewal = purpose === 'renewal' || purpose === 'retry';
  if (isRenewal && refusals < (card.declinesRenewals ?? 0)) {
    return { behaviour: { kind: 'declines', code: 'generic_decline' }, isCountedRefusal: true };
  }
  if (card.afterCreation !== undefined && purpose !== 'create') {
    return { behaviour: card.afterCreation, isCountedRefusal: false };
  }
  const offSession = isSetUp ? (card.afterSetUp ?? card.offSession) : card.offSession;
  return { behaviour: isOnSession ? card.onSession : offSession, isCountedRefusal: false };
}

/** Whether a card is past the last moment of its month, in UTC. */
export function isExpired(expMonth: number, expYear: number, nowMs: number): boolean {
  return nowMs >= Date.UTC(expYear, expMonth, 1);
}
