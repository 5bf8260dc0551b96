import type { ReactNode } from 'react';

/** The title of a column of buttons, only for screen readers. */
export const ACTIONS = '';

/** A column: its heading, and its content for a row. */
export interface Column<Row> {
  title: string;
  show: (row: Row) => ReactNode;
  isNumber?: boolean;
  /** Whether its content heads a row in a narrow frame, instead of that of the first column. */
  isLead?: boolean;
  /** Whether its content names the row. Screen readers read it with every cell. */
  isHeading?: boolean;
}
