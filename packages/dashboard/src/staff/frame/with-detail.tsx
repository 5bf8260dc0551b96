import type { ReactNode } from 'react';
import './frame.css';

/** A fact with a secondary one below it, so that a table of many facts needs few columns. */
export function WithDetail({ detail, children }: { detail: ReactNode; children: ReactNode }) {
  return (
    <>
      <div>{children}</div>
      <div className="detail">{detail}</div>
    </>
  );
}
