import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/**
 * Fixes the column widths of a table if `isFixed`, because rows that come and go while scrolling would change them. In
 * relative units, so that they follow the window. There are none while the table is too narrow for columns.
 */
export function useColumnWidths(isFixed: boolean): {
  head: RefObject<HTMLTableRowElement | null>;
  widths: readonly string[] | undefined;
} {
  const head = useRef<HTMLTableRowElement>(null);
  const [widths, setWidths] = useState<readonly string[]>();
  useLayoutEffect(() => {
    const row = head.current;
    if (!isFixed || row === null) {
      setWidths(undefined);
      return undefined;
    }
    // Called once at the start, too.
    const observer = new ResizeObserver(() => {
      const hasColumns = getComputedStyle(row).display === 'table-row';
      setWidths((before) => (hasColumns ? (before ?? measureWidths(row)) : undefined));
    });
    observer.observe(row);
    return () => observer.disconnect();
  }, [isFixed]);
  return { head, widths };
}

function measureWidths(row: HTMLTableRowElement): readonly string[] | undefined {
  const cells = [...row.cells].map((cell) => cell.getBoundingClientRect().width);
  const whole = cells.reduce((sum, width) => sum + width, 0);
  return whole === 0 ? undefined : cells.map((width) => `${(width / whole) * 100}%`);
}
