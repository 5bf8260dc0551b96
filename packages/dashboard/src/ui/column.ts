import type { ReactNode } from 'react';

/** A column: its heading, and what it shows of a row. */
export interface Column<Row> {
  title: string;
  show: (row: Row) => ReactNode;
  isNumber?: boolean;
}
