import { SegmentedControl } from '@mantine/core';
import { useFilters } from './use-filters.ts';

/** The status filter of a list in the URL. Unknown values show the whole list. */
export function useStatus<const Status extends string>(
  statuses: readonly Status[],
): readonly [status: Status | undefined, choose: (status: string) => void] {
  const [{ status }, choose] = useFilters(['status']);
  return [statuses.find((each) => each === status), (to) => choose(to === ALL ? {} : { status: to })];
}

/** Selects the whole list. */
const ALL = 'all';

/** The statuses to choose from, and all of them. They scroll if they do not fit. */
export function StatusFilter<Status extends string>(props: {
  label: string;
  statuses: readonly Status[];
  chosen: Status | undefined;
  choose: (status: string) => void;
  nameOf: (status: Status | typeof ALL) => string;
}) {
  const { label, statuses, chosen = ALL, choose, nameOf } = props;
  const choices: ReadonlyArray<Status | typeof ALL> = [ALL, ...statuses];
  return (
    <div style={{ overflowX: 'auto' }}>
      <SegmentedControl
        size="xs"
        aria-label={label}
        value={chosen}
        onChange={choose}
        data={choices.map((value) => ({ value, label: nameOf(value) }))}
      />
    </div>
  );
}
