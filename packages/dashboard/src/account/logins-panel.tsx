import { Button, Text } from '@mantine/core';
import { api, useList } from '../api/index.ts';
import { ACTIONS, DataTable, Section, Status, Time, useAction } from '../ui/index.ts';
import { useAccountText } from './messages.ts';

/** The person's logins, to end those that they do not recognize. */
export function LoginsPanel() {
  const t = useAccountText();
  const list = useList(['logins'], (page) => api().auth.listSessions(page));
  const end = useAction((id: string) => api().auth.deleteSession(id), { refreshes: [['logins']], says: t('ended') });
  return (
    <Section title={t('logins')} isFlush>
      <DataTable
        label={t('logins')}
        list={list}
        keyOf={({ id }) => id}
        columns={[
          {
            title: t('device'),
            show: ({ user_agent: agent, is_current: isCurrent }) => (
              <>
                {isCurrent && <Status tone="success">{t('here')}</Status>}
                <Text size="xs" c="dimmed" maw={360} truncate title={agent ?? ''}>
                  {agent ?? t('unknown_device')}
                </Text>
              </>
            ),
          },
          { title: t('address'), show: ({ client_address: address }) => <code>{address ?? '–'}</code> },
          { title: t('seen'), show: ({ last_seen_at: at }) => <Time at={at} /> },
          {
            title: ACTIONS,
            isNumber: true,
            show: ({ id, is_current: isCurrent }) =>
              !isCurrent && (
                <Button size="compact-xs" variant="default" disabled={end.isPending} onClick={() => end.mutate(id)}>
                  {t('end')}
                </Button>
              ),
          },
        ]}
        empty={null}
      />
    </Section>
  );
}
