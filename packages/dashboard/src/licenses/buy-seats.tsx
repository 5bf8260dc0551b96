import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../api/index.ts';
import { Problem } from '../ui/index.ts';
import { useLicensesText } from './messages.ts';

/** Links to the change of the license's subscription, with the seats filled in. Nothing for licenses without one. */
export function BuySeats({ licenseId, missing }: { licenseId: string; missing: number }) {
  const t = useLicensesText();
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ['subscriptions', 'of-license', licenseId],
    queryFn: async () => {
      // An organization has at most 50 live subscriptions, unless the operator raised the cap beyond a page.
      for await (const subscription of api().subscriptions.list({ status: 'active', limit: 100 })) {
        if (subscription.license_id === licenseId) {
          return subscription;
        }
      }
      return null;
    },
  });
  if (query.isError) {
    return <Problem error={query.error} retry={() => void query.refetch()} />;
  }
  const subscription = query.data ?? undefined;
  return (
    <div style={{ minHeight: 36 }}>
      {subscription !== undefined && (
        <Button
          onClick={() =>
            void navigate({ href: `/subscriptions/${subscription.id}?seats=${subscription.quantity + missing}` })
          }
        >
          {t('buy_more', { count: missing })}
        </Button>
      )}
    </div>
  );
}
