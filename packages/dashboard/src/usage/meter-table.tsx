import { Status, Table, useNumber, usePercent } from '../ui/index.ts';
import { useUsageText } from './messages.ts';
import { useMeterName } from './meter-name.ts';
import { type Meter, percentOf } from './meters.ts';

/** The numbers of the meters. */
export function MeterTable({ meters }: { meters: readonly Meter[] }) {
  const t = useUsageText();
  const number = useNumber();
  const nameOf = useMeterName();
  return (
    <Table
      label={t('title')}
      columns={[
        { title: t('meter'), isHeading: true, show: ({ name }) => nameOf(name) },
        { title: t('included'), isNumber: true, show: ({ included }) => number(included) },
        { title: t('used'), isNumber: true, show: ({ used }) => number(used) },
        { title: t('peak'), isNumber: true, show: ({ peak }) => (peak === undefined ? '–' : number(peak)) },
        { title: t('share'), show: (meter) => <Share meter={meter} /> },
      ]}
      items={meters}
      keyOf={({ name }) => name}
    />
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
