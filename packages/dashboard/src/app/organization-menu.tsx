import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { chooseOrganization, personalApi, useCurrentUser } from '../api/index.ts';
import { Icon } from '../ui/index.ts';
import { useAppText } from './messages.ts';

/** The organization that the person acts in, and the others that they belong to. */
export function OrganizationMenu() {
  const t = useAppText();
  const { organization } = useCurrentUser();
  const list = useQuery({
    queryKey: ['organizations'],
    queryFn: () => personalApi().organizations.list({ limit: 100, sort: 'name' }),
    staleTime: 300_000,
  });
  const others = list.data?.data ?? [];
  const choose = (id: string) => {
    chooseOrganization(id);
    // What the cache holds belongs to the organization that is left.
    window.location.assign('/');
  };
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false} withinPortal={false} width={260}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          c="var(--mantine-color-text)"
          size="compact-md"
          maw={{ base: 120, sm: 260 }}
          rightSection={<Icon name="down" size={14} />}
          aria-label={`${t('switch_organization')}: ${organization.name}`}
        >
          {organization.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label c="dimmed">{t('switch_organization')}</Menu.Label>
        {others.map(({ id, name }) => (
          <Menu.Item
            key={id}
            onClick={() => choose(id)}
            rightSection={id === organization.id ? <Icon name="check" size={16} /> : null}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
