/** The part of Stripe.js used by the dashboard. */
export interface Stripe {
  elements(options: { locale: string }): { create(type: 'card', options: { style: object }): CardElement };
  createPaymentMethod(input: { type: 'card'; card: CardElement }): Promise<{
    paymentMethod?: { id: string };
    error?: StripeProblem;
  }>;
  handleNextAction(input: { clientSecret: string }): Promise<{ error?: StripeProblem }>;
}

/** The card number field, in a frame from Stripe. */
export interface CardElement {
  mount(place: HTMLElement): void;
  destroy(): void;
}

interface StripeProblem {
  /** For the customer, in the language of the elements. */
  message?: string;
}

declare global {
  interface Window {
    Stripe?: (publishableKey: string) => Stripe;
  }
}

// Stripe requires loading it from there, always in the newest version: self-hosted copies may not take cards.
const SCRIPT = 'https://js.stripe.com/v3/';

/** Loads Stripe.js, on a page whose policy allows it. */
export async function loadStripe(publishableKey: string): Promise<Stripe> {
  if (window.Stripe === undefined) {
    const script = Object.assign(document.createElement('script'), { src: SCRIPT, async: true });
    await new Promise((resolve, reject) => {
      script.onload = resolve;
      script.onerror = () => {
        script.remove();
        reject(new Error('Stripe.js could not be loaded'));
      };
      document.head.append(script);
    });
  }
  if (window.Stripe === undefined) {
    throw new Error('Stripe.js did not start');
  }
  return window.Stripe(publishableKey);
}

/** Throws what Stripe refused, in words for the customer. */
export class StripeRefusal extends Error {
  override readonly name = 'StripeRefusal';
}

/** Stores a card at Stripe; returns the ID for paying with it. */
export async function createStripeCard(stripe: Stripe, card: CardElement): Promise<string> {
  const { paymentMethod, error } = await stripe.createPaymentMethod({ type: 'card', card });
  if (paymentMethod === undefined) {
    throw new StripeRefusal(error?.message ?? '');
  }
  return paymentMethod.id;
}
