import { AppShell, Badge, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { type ReactNode, useDeferredValue } from 'react';
import { actingFor, useCurrentUser, useHasRole, useStaffRole } from '../api/index.ts';
import { useLiveUpdates } from '../live/use-live-updates.ts';
import { CodeButton } from '../request-code/code-button.tsx';
import { ClockBar } from '../sandbox/clock-bar.tsx';
import { TriggerEvent } from '../sandbox/trigger-event.tsx';
import { ActingBanner, ActingFrame } from '../staff/acting/acting-banner.tsx';
import { StaffSearch } from '../staff/search/staff-search.tsx';
import { AccountMenu } from './account-menu.tsx';
import { AdminsOnly } from './admins-only.tsx';
import { EnvironmentBand } from './environment-band.tsx';
import { useFacts } from './facts.ts';
import { useAppText } from './messages.ts';
import { Navigation } from './navigation.tsx';
import { OrganizationMenu } from './organization-menu.tsx';

const BAND = 29;
const BAR = 52;
const ACTING = 40;

/** The frame around every screen of a logged-in person. */
export function Shell() {
  const t = useAppText();
  const { environment, brand } = useFacts();
  useLiveUpdates();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const isSandbox = environment === 'sandbox';
  const isAdmin = useHasRole('admin');
  const isStaff = useStaffRole() !== undefined && actingFor === undefined;
  return (
    <AppShell
      header={{ height: BAR + (isSandbox ? BAND : 0) + (actingFor === undefined ? 0 : ACTING) }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <AppShell.Header>
        <a href="#content" className="skip">
          {t('skip')}
        </a>
        <ActingBanner />
        <EnvironmentBand>
          {isAdmin && (
            <>
              <ClockBar />
              <TriggerEvent />
            </>
          )}
        </EnvironmentBand>
        <Group h={BAR} px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="xs" wrap="nowrap" style={{ minWidth: 0 }}>
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('menu')} />
            <Brand name={brand.name} logoUrl={brand.logo_url} />
            {!isSandbox && (
              <Badge variant="outline" color="gray" visibleFrom="sm" tt="none" c="var(--mantine-color-dimmed)">
                {t('production')}
              </Badge>
            )}
          </Group>
          <Group gap={4} wrap="nowrap">
            <AfterFrame>
              {isStaff && <StaffSearch />}
              <CodeButton />
              {actingFor === undefined ? <OrganizationMenu /> : <CustomerName />}
              <AccountMenu />
            </AfterFrame>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('navigation')}>
        <AppShell.Section grow style={{ overflowY: 'auto' }}>
          <AfterFrame>
            <Navigation follow={close} />
          </AfterFrame>
        </AppShell.Section>
      </AppShell.Navbar>
      <ActingFrame />
      <AppShell.Main id="content" tabIndex={-1}>
        <div style={{ maxWidth: 1080, marginInline: 'auto' }}>
          <AdminsOnly>
            <AfterFrame>
              <Outlet />
            </AfterFrame>
          </AdminsOnly>
        </div>
      </AppShell.Main>
    </AppShell>
  );
}

/** Renders its children after the frame, in steps that leave the browser responsive. At once, it would block slow phones. */
function AfterFrame({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) ? children : null;
}

/** The customer whose organization it is. To choose another one, leave this one. */
function CustomerName() {
  const { organization } = useCurrentUser();
  return (
    <Text fw={600} size="sm" truncate maw={{ base: 100, sm: 260 }} title={organization.name}>
      {organization.name}
    </Text>
  );
}

function Brand({ name, logoUrl }: { name: string; logoUrl: string }) {
  return (
    <Group gap={8} wrap="nowrap" style={{ minWidth: 0 }}>
      <img src={logoUrl === '' ? '/favicon.svg' : logoUrl} alt="" height={24} />
      <strong className="brand" title={name}>
        {name}
      </strong>
    </Group>
  );
}
