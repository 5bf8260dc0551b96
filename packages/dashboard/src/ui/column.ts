import type { ReactNode } from 'react';

/** A column: its heading, and its content for a row. */
export interface Column<Row> {
  title: string;
  show: (row: Row) => ReactNode;
  isNumber?: boolean;
}
