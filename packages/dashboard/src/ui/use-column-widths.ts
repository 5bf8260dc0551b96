import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/**
 * Fixes the column widths of a table if `isFixed`, because rows that come and go while scrolling would change them. In
 * relative units, so that they follow the window.
 */
export function useColumnWidths(isFixed: boolean): {
  head: RefObject<HTMLTableRowElement | null>;
  widths: readonly string[] | undefined;
} {
  const head = useRef<HTMLTableRowElement>(null);
  const [widths, setWidths] = useState<readonly string[]>();
  useLayoutEffect(() => {
    if (!isFixed || head.current === null) {
      setWidths(undefined);
      return;
    }
    const cells = [...head.current.cells].map((cell) => cell.getBoundingClientRect().width);
    const whole = cells.reduce((sum, width) => sum + width, 0);
    setWidths(whole === 0 ? undefined : cells.map((width) => `${(width / whole) * 100}%`));
  }, [isFixed]);
  return { head, widths };
}
