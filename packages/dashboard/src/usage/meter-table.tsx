import { Status, useNumber, usePercent } from '../ui/index.ts';
import { useUsageText } from './messages.ts';
import { useMeterName } from './meter-name.ts';
import { type Meter, percentOf } from './meters.ts';

/** The numbers of the meters. */
export function MeterTable({ meters }: { meters: readonly Meter[] }) {
  const t = useUsageText();
  const number = useNumber();
  const nameOf = useMeterName();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1).
    <section className="table-scroll meter-table" tabIndex={0} aria-label={t('title')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('meter')}</th>
            {(['included', 'used', 'peak'] as const).map((title) => (
              <th key={title} scope="col" className="number">
                {t(title)}
              </th>
            ))}
            <th scope="col">{t('share')}</th>
          </tr>
        </thead>
        <tbody>
          {meters.map((meter) => (
            <tr key={meter.name}>
              <th scope="row">{nameOf(meter.name)}</th>
              <td className="number">{number(meter.included)}</td>
              <td className="number">{number(meter.used)}</td>
              <td className="number">{meter.peak === undefined ? '–' : number(meter.peak)}</td>
              <td>
                <Share meter={meter} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const HIGH_PERCENT = 90;

function Share({ meter }: { meter: Meter }) {
  const t = useUsageText();
  const format = usePercent();
  const percent = percentOf(meter);
  if (percent === undefined) {
    return <>{t(meter.used === 0 ? 'none_included' : 'over')}</>;
  }
  const text = format(Math.round(percent));
  if (percent > 100) {
    return <Status tone="danger">{`${text} – ${t('over')}`}</Status>;
  }
  return <Status tone={percent >= HIGH_PERCENT ? 'warning' : 'success'}>{text}</Status>;
}
