import { Tooltip } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { LicenseSeat } from '@seathold/client';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type PointerEvent, useRef, useState } from 'react';
import { useLicensesText } from './messages.ts';
import './seat-map.css';

/** A square and the gap next to it, in pixels. */
const PITCH = 22;
const BEYOND_SIGHT = 4;

/**
 * One square per seat, filled if it is taken. Large maps scroll, and only visible squares are rendered. The table below
 * has the same information as text.
 */
export function SeatMap({ seats, total }: { seats: readonly LicenseSeat[]; total: number }) {
  const { ref, width } = useElementSize();
  const scroller = useRef<HTMLDivElement>(null);
  const describe = useDescription(seats);
  const [label, setLabel] = useState('');
  const across = Math.max(1, Math.floor(width / PITCH));
  const rows = useVirtualizer({
    count: width === 0 ? 0 : Math.ceil(total / across),
    getScrollElement: () => scroller.current,
    estimateSize: () => PITCH,
    overscan: BEYOND_SIGHT,
  });
  const point = ({ target }: PointerEvent) => {
    const slot = target instanceof HTMLElement ? target.dataset.slot : undefined;
    setLabel(slot === undefined ? '' : describe(Number(slot)));
  };
  const taken = new Set(seats.filter(({ session }) => session !== null).map(({ slot }) => slot));
  return (
    <Tooltip.Floating label={label} disabled={label === ''}>
      <div ref={scroller} className="seat-map" aria-hidden="true" onPointerOver={point}>
        <div ref={ref} style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {rows.getVirtualItems().map(({ index, start }) => (
            <div key={index} className="seat-row" style={{ top: start }}>
              {Array.from({ length: Math.min(across, total - index * across) }, (_, at) => {
                const slot = index * across + at + 1;
                return <span key={slot} className="seat" data-slot={slot} data-taken={taken.has(slot)} />;
              })}
            </div>
          ))}
        </div>
      </div>
    </Tooltip.Floating>
  );
}

/** Describes a seat: its holder and machine. */
function useDescription(seats: readonly LicenseSeat[]): (slot: number) => string {
  const t = useLicensesText();
  return (slot) => {
    const session = seats.find((seat) => seat.slot === slot)?.session ?? null;
    if (session === null) {
      return t('seat_free', { slot });
    }
    const holder = session.user?.name ?? session.user_id ?? session.activation_id ?? '';
    return t('seat_taken', { slot, holder, machine: session.hostname ?? session.hardware_id });
  };
}
