import { Tooltip } from '@mantine/core';
import type { LicenseSeat } from '@seathold/client';
import { useLicensesText } from './messages.ts';
import './seat-map.css';

/** More squares than this tell nobody anything. */
const MAX_SQUARES = 400;

/** A square for each seat, filled where it is taken. The table below it says the same in words. */
export function SeatMap({ seats, total }: { seats: readonly LicenseSeat[]; total: number }) {
  const t = useLicensesText();
  const bySlot = new Map(seats.map((seat) => [seat.slot, seat.session]));
  const shown = Math.min(total, MAX_SQUARES);
  return (
    <div className="seat-map" aria-hidden="true">
      {Array.from({ length: shown }, (_, at) => {
        const slot = at + 1;
        const session = bySlot.get(slot) ?? null;
        const machine = session?.hostname ?? session?.hardware_id ?? '';
        const label =
          session === null
            ? t('seat_free', { slot })
            : t('seat_taken', {
                slot,
                holder: session.user?.name ?? session.user_id ?? session.activation_id ?? '',
                machine,
              });
        return (
          <Tooltip key={slot} label={label} openDelay={150}>
            <span className="seat" data-taken={session !== null} />
          </Tooltip>
        );
      })}
    </div>
  );
}
