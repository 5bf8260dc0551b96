import { AppShell, Badge, Burger, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { AccountMenu } from './account-menu.tsx';
import { EnvironmentBand } from './environment-band.tsx';
import { useFacts } from './facts.ts';
import { useAppText } from './messages.ts';
import { Navigation } from './navigation.tsx';
import { OrganizationMenu } from './organization-menu.tsx';

const BAND = 29;
const BAR = 52;

/** The frame around every screen of a person who is logged in. */
export function Shell() {
  const t = useAppText();
  const { environment, brand } = useFacts();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const isSandbox = environment === 'sandbox';
  return (
    <AppShell
      header={{ height: isSandbox ? BAND + BAR : BAR }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <AppShell.Header>
        <a href="#content" className="skip">
          {t('skip')}
        </a>
        <EnvironmentBand />
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
            <OrganizationMenu />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('navigation')}>
        <AppShell.Section grow style={{ overflowY: 'auto' }}>
          <Navigation follow={close} />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <div style={{ maxWidth: 1080, marginInline: 'auto' }}>
          <Outlet />
        </div>
      </AppShell.Main>
    </AppShell>
  );
}

function Brand({ name, logoUrl }: { name: string; logoUrl: string }) {
  return (
    <Group gap={8} wrap="nowrap" style={{ minWidth: 0 }}>
      <img src={logoUrl === '' ? '/favicon.svg' : logoUrl} alt="" height={24} />
      <strong className="brand">{name}</strong>
    </Group>
  );
}
