import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { Organization } from '@seathold/client';
import { useState } from 'react';
import { api, chooseOrganization } from '../api/index.ts';
import { FormDialog, Section, useAction } from '../ui/index.ts';
import { useSettingsText } from './messages.ts';

/** Deletes the organization, after its name has been typed. */
export function DeleteOrganization({ organization }: { organization: Organization }) {
  const t = useSettingsText();
  const { id, name } = organization;
  const [isAsking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const close = () => {
    setAsking(false);
    setTyped('');
  };
  const remove = useAction((confirm: string) => api().organizations.delete(id, { confirm }), {
    succeeds: () => {
      chooseOrganization(undefined);
      // The cache belongs to the deleted organization.
      window.location.replace('/');
    },
  });
  return (
    <Section title={t('danger')}>
      <Stack gap="md" maw={640}>
        <Text size="sm">{t('danger_text')}</Text>
        <Group>
          <Button variant="outline" color="red" c="var(--danger)" onClick={() => setAsking(true)}>
            {t('delete')}
          </Button>
        </Group>
      </Stack>
      <FormDialog
        title={t('delete')}
        isOpen={isAsking}
        close={close}
        submit={t('delete')}
        action={remove}
        read={() => typed}
        isDangerous
        isIdle={typed !== name}
      >
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('delete_text', { name })}
        </Text>
        <TextInput
          label={t('confirm')}
          name="confirm"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          autoComplete="off"
          required
          data-autofocus
        />
      </FormDialog>
    </Section>
  );
}
