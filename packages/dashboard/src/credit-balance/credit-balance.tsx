import { useQuery } from '@tanstack/react-query';
import { api } from '../api/index.ts';
import { useLanguage } from '../i18n/index.ts';
import { Notice, Problem, useMoney } from '../ui/index.ts';
import { useCreditBalanceText } from './messages.ts';

/** The organization's credit. Renders nothing if there is none, which is the usual case. */
export function CreditBalance() {
  const t = useCreditBalanceText();
  const money = useMoney();
  const language = useLanguage();
  const { data, isLoadingError, error, refetch } = useQuery({
    queryKey: ['credit-balance'],
    queryFn: () => api().creditBalance.get(),
  });
  if (isLoadingError) {
    return <Problem error={error} retry={() => void refetch()} />;
  }
  if (data === undefined || data.balances.length === 0) {
    return null;
  }
  const amounts = data.balances.map(({ balance, currency }) => money(balance, currency));
  return (
    <Notice
      tone="success"
      title={t('title', { amount: new Intl.ListFormat(language).format(amounts) })}
      text={t('text')}
    />
  );
}
