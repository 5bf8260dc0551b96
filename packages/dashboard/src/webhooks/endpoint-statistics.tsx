import type { WebhookEndpointDetail } from '@seathold/client';
import { FactList, Section, Time, useNumber, usePercent } from '../ui/index.ts';
import { useWebhooksText } from './messages.ts';

/** Statistics of an endpoint's responses in the last seven days. */
export function EndpointStatistics({ statistics }: Pick<WebhookEndpointDetail, 'statistics'>) {
  const t = useWebhooksText();
  const number = useNumber();
  const percent = usePercent();
  const { success_rate: rate, p95_duration_ms: p95, last_failure: failure } = statistics;
  return (
    <Section title={t('statistics')}>
      <FactList
        facts={[
          [t('attempts'), number(statistics.attempts)],
          [t('succeeded'), number(statistics.succeeded)],
          [t('failed'), number(statistics.failed)],
          [t('success_rate'), rate === null ? '–' : percent(Math.round(rate * 1000) / 10)],
          [t('p95'), p95 === null ? '–' : t('duration', { ms: number(p95) })],
          [
            t('last_failure'),
            failure === null ? (
              '–'
            ) : (
              <span key="failure">
                <code>{failure.status_code ?? failure.error}</code>, <Time at={failure.at} />
              </span>
            ),
          ],
        ]}
      />
    </Section>
  );
}
