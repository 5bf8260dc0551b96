import type { Project } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { api } from '../api/index.ts';
import { useLanguage } from '../i18n/index.ts';
import { Dialog, FactList, Loaded, numberFormat, useNumber } from '../ui/index.ts';
import { useProjectsText } from './messages.ts';

const HOUR_SECONDS = 3_600;

/** A project's current usage, and its usage this month. */
export function ProjectUsage({ project: { id, name }, close }: { project: Project; close: () => void }) {
  const t = useProjectsText();
  const number = useNumber();
  const language = useLanguage();
  const query = useQuery({ queryKey: ['projects', id, 'usage'], queryFn: () => api().projects.getUsage(id) });
  const hours = (seconds: number) =>
    numberFormat(language, { maximumFractionDigits: 1 }).format(seconds / HOUR_SECONDS);
  return (
    <Dialog opened onClose={close} title={t('usage_title', { name })} closeButtonProps={{ 'aria-label': t('close') }}>
      <Loaded query={query} height={110}>
        {({ seats, sessions, seat_seconds: seconds }) => (
          <FactList
            facts={[
              [t('seats_now'), number(seats.used)],
              [t('sessions_this_month'), number(sessions)],
              [t('seat_hours_this_month'), hours(seconds)],
            ]}
          />
        )}
      </Loaded>
    </Dialog>
  );
}
