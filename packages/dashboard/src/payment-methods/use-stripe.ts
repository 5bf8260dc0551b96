import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useFacts } from '../app/facts.ts';
import { loadStripe, type Stripe } from './stripe.ts';

/** Stripe.js, if the operator has configured it; otherwise null. */
export function useStripe(): UseQueryResult<Stripe | null> {
  const { stripe_publishable_key: key } = useFacts();
  return useQuery({
    queryKey: ['stripe', key],
    queryFn: () => (key === null ? null : loadStripe(key)),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
}
