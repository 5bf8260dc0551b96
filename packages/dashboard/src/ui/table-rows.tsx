import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { ACTIONS, type Column } from './column.ts';
import { ROLES } from './table-roles.ts';

interface RowsProps<Row> {
  columns: ReadonlyArray<Column<Row>>;
  items: readonly Row[];
  keyOf: (row: Row) => string;
}

/** Longer lists only render visible rows. Shorter ones are complete, for printing and the browser's own search. */
export const MOST_AT_ONCE = 100;
const ROW_HEIGHT = 45;
const BEYOND_SIGHT = 10;

/** The rows of a table. */
export function Rows<Row>({ columns, items, keyOf }: RowsProps<Row>) {
  return items.map((row) => (
    <tr key={keyOf(row)} {...ROLES.row}>
      <Cells columns={columns} row={row} />
    </tr>
  ));
}

/**
 * The rows of a long table. Only visible ones are rendered. Two empty rows fill the height above and below, and each
 * row has its number for screen readers, which would otherwise count the rendered ones. `approachEnd` is called when
 * little is left below.
 */
export function RowsInSight<Row>(
  props: RowsProps<Row> & { body: RefObject<HTMLTableSectionElement | null>; approachEnd: () => void },
) {
  const { columns, items, keyOf, body, approachEnd } = props;
  const start = useRef<HTMLTableRowElement>(null);
  const [top, setTop] = useState(0);
  // After each render, because content above the table may appear later.
  useLayoutEffect(() => setTop(Math.round((start.current?.getBoundingClientRect().top ?? 0) + window.scrollY)));
  // Until it is long, a table renders all of its rows.
  const [height, setHeight] = useState(() => averageHeight(body.current) ?? ROW_HEIGHT);
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => height,
    overscan: BEYOND_SIGHT,
    scrollMargin: top,
    getItemKey: (at) => keyAt(items, at, keyOf),
  });
  useLayoutEffect(() => {
    const now = averageHeight(body.current) ?? height;
    if (Math.max(now, height) / Math.min(now, height) > 1.5) {
      // The frame became narrow or wide, which changes the height of all rows, and only rendered ones can be measured.
      setHeight(now);
      rows.measure();
      rows.elementsCache.forEach((row) => {
        rows.measureElement(row);
      });
    }
  });
  const shown = rows.getVirtualItems();
  const isNearEnd = (shown.at(-1)?.index ?? 0) >= items.length - BEYOND_SIGHT;
  useEffect(() => {
    if (isNearEnd) {
      approachEnd();
    }
  }, [isNearEnd, approachEnd]);
  const above = (shown[0]?.start ?? top) - top;
  const below = rows.getTotalSize() - ((shown.at(-1)?.end ?? top) - top);
  return (
    <>
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty row cannot be focused. */}
      <tr ref={start} className="gap" aria-hidden="true">
        <td colSpan={columns.length} style={{ height: Math.max(0, above) }} />
      </tr>
      {shown.map(({ index, key }) => {
        const row = items[index];
        return row === undefined ? null : (
          <tr key={key} {...ROLES.row} data-index={index} ref={rows.measureElement} aria-rowindex={index + 2}>
            <Cells columns={columns} row={row} />
          </tr>
        );
      })}
      {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: an empty row cannot be focused. */}
      <tr className="gap" aria-hidden="true">
        <td colSpan={columns.length} style={{ height: Math.max(0, below) }} />
      </tr>
    </>
  );
}

/** The average height of the rendered rows; undefined if there are none. */
function averageHeight(body: HTMLTableSectionElement | null): number | undefined {
  const heights = [...(body?.rows ?? [])]
    .filter(({ className }) => className !== 'gap')
    .map((row) => row.getBoundingClientRect().height);
  return heights.length === 0 ? undefined : heights.reduce((sum, height) => sum + height, 0) / heights.length;
}

function keyAt<Row>(items: readonly Row[], at: number, keyOf: (row: Row) => string): string | number {
  const row = items[at];
  return row === undefined ? at : keyOf(row);
}

function Cells<Row>({ columns, row }: { columns: ReadonlyArray<Column<Row>>; row: Row }) {
  const lead = columns.find(({ isLead }) => isLead) ?? columns[0];
  return columns.map((column) => {
    const { title, show, isNumber = false, isHeading = false } = column;
    const Cell = isHeading ? 'th' : 'td';
    const isLabeled = column !== lead && title !== ACTIONS;
    return (
      <Cell
        key={title}
        {...(isHeading ? ROLES.rowHead : ROLES.cell)}
        className={isNumber ? 'number' : undefined}
        data-lead={column === lead ? true : undefined}
        data-label={isLabeled ? title : undefined}
      >
        <div>{show(row)}</div>
      </Cell>
    );
  });
}
