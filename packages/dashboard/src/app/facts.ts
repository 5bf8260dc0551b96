import { createContext, useContext } from 'react';

/** The public data in the page and at `/dashboard.json`. */
export interface Facts {
  environment: 'production' | 'sandbox';
  version: string;
  brand: { name: string; logo_url: string; color: string; support_email: string };
  production_url: string;
  sandbox_url: string | null;
  /** The key for Stripe.js; null in the sandbox, and if the operator has not set it. */
  stripe_publishable_key: string | null;
  /** Whether mails are written to files, because no mail server is set. */
  mails_to_folder: boolean;
  /** Whether this browser has a session's cookie, which may have ended. */
  has_session: boolean;
}

/**
 * Loads the facts of this service, for example which environment the dashboard shows. The page states them, but after a
 * link from another site, it was requested without the session's cookie, which is SameSite=Strict. Vite's page lacks them.
 */
export async function loadFacts(): Promise<Facts> {
  const stated = document.querySelector<HTMLMetaElement>('meta[name=facts]')?.content ?? '';
  const facts: Facts | undefined = stated.startsWith('{') ? JSON.parse(stated) : undefined;
  if (facts?.has_session) {
    return facts;
  }
  const answer = await fetch('/dashboard.json', { credentials: 'same-origin', cache: 'no-store' });
  return answer.json();
}

const FactsContext = createContext<Facts | undefined>(undefined);

export const FactsProvider = FactsContext.Provider;

/** The facts of this service. */
export function useFacts(): Facts {
  const facts = useContext(FactsContext);
  if (facts === undefined) {
    throw new Error('useFacts is for components below App');
  }
  return facts;
}
