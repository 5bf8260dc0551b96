import type { LicenseDemand } from '@seathold/client';
import { useLanguage } from '../i18n/index.ts';
import { dateFormat, Table, useNumber } from '../ui/index.ts';
import { useLicensesText } from './messages.ts';
import './seat-map.css';

type Point = LicenseDemand['points'][number];

/** The peak of seats in use and the refusals per day, as bars and as a table. */
export function DemandChart({ points }: { points: readonly Point[] }) {
  const t = useLicensesText();
  const format = dateFormat(useLanguage(), { dateStyle: 'medium', timeZone: 'UTC' });
  const number = useNumber();
  const ends = points.filter((_, at) => at === 0 || at === points.length - 1);
  const highest = Math.max(1, ...points.map(({ peak, refused }) => peak + refused));
  return (
    <>
      <div className="chart-scale" aria-hidden="true">
        {number(highest)}
      </div>
      <div className="bars" aria-hidden="true">
        {points.map(({ at, peak, refused }) => (
          <div key={at} className="bar" title={t('demand_day', { day: format.format(new Date(at)), peak, refused })}>
            <span className="refused" style={{ height: `${(refused / highest) * 100}%` }} />
            <span style={{ height: `${(peak / highest) * 100}%` }} />
          </div>
        ))}
      </div>
      <div className="chart-days" aria-hidden="true">
        {ends.map((point) => (
          <span key={point.at}>{format.format(new Date(point.at))}</span>
        ))}
      </div>
      <div className="legend">
        <span>{t('peak')}</span>
        <span className="refused">{t('refused')}</span>
      </div>
      <details className="chart-table">
        <summary>{t('as_table')}</summary>
        <DemandTable points={points} />
      </details>
    </>
  );
}

function DemandTable({ points }: { points: readonly Point[] }) {
  const t = useLicensesText();
  const number = useNumber();
  const format = dateFormat(useLanguage(), { dateStyle: 'medium', timeZone: 'UTC' });
  return (
    <Table
      label={t('demand')}
      className="fits"
      columns={[
        { title: t('day'), show: ({ at }) => format.format(new Date(at)) },
        { title: t('peak'), isNumber: true, show: ({ peak }) => number(peak) },
        { title: t('refused'), isNumber: true, show: ({ refused }) => number(refused) },
      ]}
      items={points.toReversed()}
      keyOf={({ at }) => at}
    />
  );
}
