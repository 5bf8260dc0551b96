import { Stack } from '@mantine/core';
import { VerifyNotice } from '../access/verify-notice.tsx';
import { actingFor, useCurrentUser, useHasRole } from '../api/index.ts';
import { Page } from '../ui/index.ts';
import { Figures } from './figures.tsx';
import { useOverviewText } from './messages.ts';
import { AfterQuickStart } from './quick-start.tsx';
import { RecentEvents } from './recent-events.tsx';

/** The parts that are always shown. */
function Parts() {
  return (
    <>
      <Figures />
      {useHasRole('admin') && <RecentEvents />}
    </>
  );
}

/** The state of an organization, and the first steps. */
export function OverviewScreen() {
  const t = useOverviewText();
  const { organization } = useCurrentUser();
  return (
    <Page title={t('title')} about={organization.name}>
      <Stack gap="lg">
        <VerifyNotice />
        {actingFor === undefined ? (
          <AfterQuickStart>
            <Parts />
          </AfterQuickStart>
        ) : (
          <Parts />
        )}
      </Stack>
    </Page>
  );
}
