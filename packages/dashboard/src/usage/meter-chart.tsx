import { useNumber } from '../ui/index.ts';
import { useUsageText } from './messages.ts';
import { useMeterName } from './meter-name.ts';
import { type Meter, percentOf } from './meters.ts';
import './meter-chart.css';

/** How full each meter is. The table below has the same numbers, so screen readers skip this. */
export function MeterChart({ meters }: { meters: readonly Meter[] }) {
  return (
    <div className="meters" aria-hidden="true">
      {meters.map((meter) => (
        <Bar key={meter.name} meter={meter} />
      ))}
    </div>
  );
}

function Bar({ meter }: { meter: Meter }) {
  const t = useUsageText();
  const number = useNumber();
  const nameOf = useMeterName();
  const { name, included, used, peak } = meter;
  const full = Math.max(included, used, peak ?? 0, 1);
  return (
    <div>
      <div className="meter-head">
        <span className="meter-name">{nameOf(name)}</span>
        <span>{t('used_of', { used: number(used), included: number(included) })}</span>
      </div>
      <div className="meter-track">
        <div
          className="meter-fill"
          data-over={(percentOf(meter) ?? 0) > 100}
          style={{ width: `${(used / full) * 100}%` }}
        />
        {peak !== undefined && peak > 0 && (
          <span className="meter-peak" title={t('peak')} style={{ left: `${(peak / full) * 100}%` }} />
        )}
      </div>
    </div>
  );
}
