import type { ReactNode } from 'react';

/** Scrolls a table sideways if it is too wide. */
export function TableScroll(props: { label: string; className?: string; children: ReactNode }) {
  const { label, className, children } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard (WCAG 2.1.1).
    <section className={`table-scroll ${className ?? ''}`.trim()} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
