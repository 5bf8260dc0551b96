import { Button, Group, Stack, Text } from '@mantine/core';
import type { OperatedUser } from '@seathold/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { personalApi } from '../../api/index.ts';
import {
  ConfirmDialog,
  CopyId,
  EmptyState,
  FactList,
  Loaded,
  Page,
  Section,
  Status,
  Time,
  useAction,
} from '../../ui/index.ts';
import { GuardedButton, NamedId } from '../frame/index.ts';
import { useUsersText } from './messages.ts';

const REFRESHES = [['staff', 'users']] as const;

/** One person: their organizations, and how to help them log in again. */
export function UserScreen() {
  const t = useUsersText();
  const { userId = '' } = useParams({ strict: false });
  const query = useQuery({
    queryKey: ['staff', 'users', userId],
    queryFn: () => personalApi().operator.getOperatedUser(userId),
  });
  return (
    <Page
      title={query.data?.name ?? t('user')}
      about={<CopyId id={userId} />}
      actions={query.data !== undefined && <UserActions user={query.data} />}
    >
      <Loaded query={query} height={320}>
        {(user) => <UserFacts user={user} />}
      </Loaded>
    </Page>
  );
}

function UserActions({ user }: { user: OperatedUser }) {
  const t = useUsersText();
  const { id, name } = user;
  const [isDisabling, setDisabling] = useState(false);
  const unlock = useAction(() => personalApi().operator.unlockOperatedUser(id), {
    refreshes: REFRESHES,
    says: t('unlocked', { name }),
  });
  const disable = useAction(() => personalApi().operator.disableTwoFactorOfOperatedUser(id), {
    refreshes: REFRESHES,
    says: t('disabled'),
  });
  return (
    <>
      <Button variant="default" component={Link} to={`/staff/explain?${new URLSearchParams({ user_id: id })}`}>
        {t('explain')}
      </Button>
      {user.is_locked && (
        <GuardedButton needs="support" onClick={() => unlock.mutate(undefined)}>
          {t('unlock')}
        </GuardedButton>
      )}
      {user.two_factor_enabled && (
        <GuardedButton needs="support" variant="default" onClick={() => setDisabling(true)}>
          {t('disable')}
        </GuardedButton>
      )}
      <ConfirmDialog
        title={t('disable_title', { name })}
        text={t('disable_text')}
        submit={t('disable')}
        isOpen={isDisabling}
        close={() => setDisabling(false)}
        action={disable}
        input={undefined}
      />
    </>
  );
}

function UserFacts({ user }: { user: OperatedUser }) {
  const t = useUsersText();
  return (
    <Stack gap="lg">
      <Section title={t('facts')}>
        <FactList
          facts={[
            [t('email'), `${user.email} (${t(user.email_verified ? 'verified' : 'unverified')})`],
            [
              t('state'),
              <Status key="state" tone={user.is_locked ? 'danger' : 'success'}>
                {t(user.is_locked ? 'locked' : 'not_locked')}
              </Status>,
            ],
            [t('two_factor'), t(user.two_factor_enabled ? 'on' : 'off')],
            [t('last_login'), <Time key="login" at={user.last_login_at} isExact />],
            [t('created'), <Time key="created" at={user.created_at} isExact />],
          ]}
        />
      </Section>
      <Section title={t('organizations')}>
        {user.organizations.length === 0 ? (
          <EmptyState icon="members" title={t('no_organizations')} text={t('no_organizations_text')} />
        ) : (
          <Stack gap="sm">
            {user.organizations.map(({ id, name, role }) => (
              <Group key={id} justify="space-between" gap="xs">
                <NamedId id={id} name={name} to={`/staff/customers/${id}`} />
                <Text size="sm">{t(role)}</Text>
              </Group>
            ))}
          </Stack>
        )}
      </Section>
    </Stack>
  );
}
