import { Button, Menu, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { chooseOrganization, personalApi, useCurrentUser } from '../api/index.ts';
import { FormDialog, Icon, useAction } from '../ui/index.ts';
import { useAppText } from './messages.ts';

/** The organization that the person acts in, their others, and a way to create one. */
export function OrganizationMenu() {
  const t = useAppText();
  const { organization } = useCurrentUser();
  const [isCreating, setCreating] = useState(false);
  const list = useQuery({
    queryKey: ['organizations'],
    queryFn: () => personalApi().organizations.list({ limit: 100, sort: 'name' }),
    staleTime: 300_000,
  });
  const others = list.data?.data ?? [];
  return (
    <>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false} withinPortal={false} width={260}>
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            c="var(--mantine-color-text)"
            size="compact-md"
            maw={{ base: 120, sm: 260 }}
            rightSection={<Icon name="down" size={14} />}
            styles={{ label: { display: 'block', height: 'auto', textOverflow: 'ellipsis' } }}
            title={organization.name}
            aria-label={`${t('switch_organization')}: ${organization.name}`}
          >
            {organization.name}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label c="dimmed">{t('switch_organization')}</Menu.Label>
          <div className="menu-scroll">
            {others.map(({ id, name }) => (
              <Menu.Item
                key={id}
                onClick={() => enter(id)}
                rightSection={id === organization.id ? <Icon name="check" size={16} /> : null}
              >
                {name}
              </Menu.Item>
            ))}
          </div>
          <Menu.Divider />
          <Menu.Item onClick={() => setCreating(true)}>{t('create_organization')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <CreateOrganization isOpen={isCreating} close={() => setCreating(false)} />
    </>
  );
}

function CreateOrganization({ isOpen, close }: { isOpen: boolean; close: () => void }) {
  const t = useAppText();
  const create = useAction((name: string) => personalApi().organizations.create({ name }), {
    succeeds: ({ id }) => enter(id),
  });
  return (
    <FormDialog
      title={t('create_organization')}
      isOpen={isOpen}
      close={close}
      submit={t('create_organization')}
      action={create}
      read={(form) => String(form.get('name')).trim()}
    >
      <TextInput
        label={t('organization_name')}
        description={t('organization_hint')}
        name="name"
        autoComplete="organization"
        maxLength={100}
        required
        data-autofocus
      />
    </FormDialog>
  );
}

/** The cache belongs to the organization being left. */
function enter(id: string): void {
  chooseOrganization(id);
  window.location.assign('/');
}
